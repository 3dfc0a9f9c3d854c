import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { messageOf } from '../../core/caught-errors.ts'
import type { Io } from './command.ts'

/**
 * A secret as it was given, or what the file after an `@` holds, standard input for `@-`: what a command is called with,
 * the shell remembers and others on the machine can see. Throws one sentence.
 */
export async function secretOf(given: string, io: Pick<Io, 'stdin'>): Promise<string> {
  if (!given.startsWith('@')) return given
  const file = given.slice(1)
  const secret = (await bytesOf(file, io)).toString('utf8').trim()
  if (secret === '') throw new Error(`${file === '-' ? 'Standard input' : file} is empty.`)
  return secret
}

/** The bytes of a file, or of standard input for `-`; throws one sentence when there is no such file. */
export async function bytesOf(file: string, io: Pick<Io, 'stdin'>): Promise<Buffer> {
  if (file === '-') return buffer(Readable.from(io.stdin))
  try {
    return await readFile(file)
  } catch (cause) {
    const why = messageOf(cause)
    throw new Error(`The file ${file} cannot be read: ${why}.`, { cause })
  }
}
