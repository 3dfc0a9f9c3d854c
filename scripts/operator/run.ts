import { types } from 'node:util'
import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import { ServiceError } from '../../core/errors.ts'
import { createLogger, redact } from '../../core/logger.ts'
import { MIGRATIONS, openDatabase } from '../../database/open.ts'
import type { Io } from './command.ts'
import { NOUNS } from './nouns.ts'
import { asJson, asSentence, asText, type Result } from './print.ts'
import { type Request, readRequest } from './request.ts'

type Asked = Extract<Request, { kind: 'work' }>

/** Runs one command line to its end and answers its exit code; never throws. */
export async function runOperator(argv: string[], io: Io): Promise<number> {
  // Whoever writes hears of what fails; a stream without a listener would end the process wherever it is.
  for (const stream of [io.stdout, io.stderr]) stream.on('error', () => {})
  const request = readRequest(argv, NOUNS)
  if (request.kind === 'mistake') {
    io.stderr.write(asSentence(redact(request.text)))
    return 1
  }
  try {
    if (request.kind === 'help') await write(request.text, io)
    else await answer(request, io)
    return 0
  } catch (error) {
    const exitCode = exitCodeOf(error)
    if (exitCode !== null) return exitCode
    io.stderr.write(asSentence(redact(sentenceOf(error))))
    return 1
  }
}

/** Node's timers and streams have the reason why they were stopped as the cause of an error of their own. */
function exitCodeOf(error: unknown): number | null {
  if (!types.isNativeError(error)) return null
  if ('exitCode' in error) return Number(error.exitCode)
  return error.name === 'AbortError' ? exitCodeOf(error.cause) : null
}

/** Performs the work and shows its result, also that of one that was `refused`. */
async function answer(asked: Asked, io: Io): Promise<void> {
  const show = io.isTerminal && !asked.asJson ? asText : asJson
  try {
    const result = await perform(asked, io)
    if (result) await write(show(result), io)
  } catch (error) {
    if (types.isNativeError(error) && 'result' in error)
      await write(show(error.result as Result), io)
    throw error
  }
}

/** Writes a result; a reader that has seen enough of it, as `head` has, is no failure. */
function write(text: string, { stdout }: Io): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => {
      if (!error || ('code' in error && error.code === 'EPIPE')) resolve()
      else reject(new Error(`The result cannot be written: ${error.message}.`, { cause: error }))
    })
  })
}

async function perform({ work, takesAnyKey }: Asked, io: Io): Promise<Result | null> {
  const { env, stderr } = io
  const config = loadConfig(env)
  const say = (line: string) => void stderr.write(`${line}\n`)
  let isTold = false
  const database = await openDatabase(config, MIGRATIONS, say, () => {
    // Servers of the version before cannot be started any more from then on.
    if (!isTold) say('Bringing the database up to this version of the service.')
    isTold = true
  })
  try {
    const log = createLogger('error', stderr)
    io.stop.throwIfAborted()
    const { ctx, close } = await openContext(config, database.url, { log, takesAnyKey })
    try {
      return await work(ctx, io, database.address)
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
