import { types } from 'node:util'
import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import { ServiceError } from '../../core/errors.ts'
import { createLogger, redact } from '../../core/logger.ts'
import { MIGRATIONS, openDatabase } from '../../database/open.ts'
import type { Io, Result, Work } from './command.ts'
import { NOUNS } from './nouns.ts'
import { asJson, asSentence, asText } from './print.ts'
import { readRequest } from './request.ts'

/** Runs one command line to its end and answers its exit code; never throws. */
export async function runOperator(argv: string[], io: Io): Promise<number> {
  const request = readRequest(argv, NOUNS)
  if (request.kind === 'help') io.stdout.write(request.text)
  if (request.kind === 'mistake') io.stderr.write(`${request.text}\n`)
  if (request.kind !== 'work') return request.kind === 'help' ? 0 : 1
  try {
    const result = await perform(request.work, io)
    if (result) io.stdout.write(io.isTerminal && !request.asJson ? asText(result) : asJson(result))
    return 0
  } catch (error) {
    io.stderr.write(asSentence(redact(sentenceOf(error))))
    return 1
  }
}

async function perform(work: Work, io: Io): Promise<Result | null> {
  const { env, stderr } = io
  const config = loadConfig(env)
  const database = await openDatabase(config, MIGRATIONS, (line) => stderr.write(`${line}\n`))
  try {
    const log = createLogger('error', stderr)
    const { ctx, close } = await openContext(config, database.url, { log })
    try {
      return await work(ctx, io)
    } finally {
      await close()
    }
  } finally {
    await database.close()
  }
}

/** What we throw on purpose is a sentence; Prisma's messages end with theirs. */
function sentenceOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error)
  if (error instanceof ServiceError || !error.name.startsWith('Prisma')) return error.message
  const lines = error.message.trim().split('\n')
  return `The database refused this: ${lines.at(-1)}`
}
