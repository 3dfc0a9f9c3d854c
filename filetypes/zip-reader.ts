import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { fromRandomAccessReaderPromise, type RandomAccessReader, type ZipFile } from 'yauzl'
import type { ByteSource } from './source.ts'

const CHUNK_BYTES = 16 * 1024

/**
 * Opens an archive to read its directory, and answers the result of `use`. Null when the archive is damaged;
 * throws when the source cannot be read.
 */
export async function withZip<T>(
  source: ByteSource,
  use: (zip: ZipFile) => Promise<T>,
): Promise<T | null> {
  const failures: unknown[] = []
  const reader = readerOf(source, (failure) => failures.push(failure))
  try {
    const zip = await fromRandomAccessReaderPromise(reader, source.sizeBytes, { autoClose: false })
    return await use(zip)
  } catch {
    // What the library throws here is about the bytes; failures of the source were kept separately.
    if (failures.length > 0) throw failures[0]
    return null
  }
}

type ReadCallback = (error: Error | null, bytesRead?: number) => void

function readerOf(source: ByteSource, onFailure: (failure: unknown) => void): RandomAccessReader {
  const failed = (failure: unknown, callback: (error: Error) => void) => {
    onFailure(failure)
    callback(new Error('The source could not be read.', { cause: failure }))
  }
  const streamOf = (start: number, end: number) => Readable.from(piecesOf(source, start, end))
  return Object.assign(new EventEmitter(), {
    // The library counts its users to know when to close the file; this source is closed by its owner.
    ref: () => undefined,
    unref: () => undefined,
    close: (callback: (error: Error | null) => void) => callback(null),
    read(into: Buffer, offset: number, length: number, position: number, callback: ReadCallback) {
      readInto(source, into.subarray(offset, offset + length), position).then(
        (bytesRead) => callback(null, bytesRead),
        (failure: unknown) => failed(failure, callback),
      )
    },
    createReadStream: ({ start, end }: { start: number; end: number }) =>
      streamOf(start, end).on('error', onFailure),
    _readStreamForRange: streamOf,
  })
}

async function readInto(source: ByteSource, into: Buffer, position: number): Promise<number> {
  const bytes = await source.read(position, into.length)
  return bytes.copy(into)
}

async function* piecesOf(source: ByteSource, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const piece = await source.read(at, Math.min(CHUNK_BYTES, end - at))
    if (piece.length === 0) return
    yield piece
    at += piece.length
  }
}
