import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { messageOf } from '../../core/caught-errors.ts'
import type { Io } from './command.ts'

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
