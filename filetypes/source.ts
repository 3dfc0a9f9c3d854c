import { open } from 'node:fs/promises'

/** The bytes of a file, read in pieces; no more than one piece is held at a time. */
export type ByteSource = {
  sizeBytes: number
  /**
   * The bytes from an offset: as many as asked for, or fewer at the end of the file; none beyond it. They stay
   * valid after the next read.
   */
  read(offset: number, lengthBytes: number): Promise<Buffer>
}

/** The maximum length of one read. */
export const READ_BYTES_MAX = 256 * 1024

/** Small reads are answered from a window, since structures are read a few bytes at a time. */
export const WINDOW_BYTES = 16 * 1024

type RawRead = (offset: number, lengthBytes: number) => Promise<Buffer>

/** Reads a file of the given size through a window; throws what the file system throws. */
export async function withFile<T>(
  file: { path: string; sizeBytes: number },
  use: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const handle = await open(file.path, 'r')
  try {
    const read: RawRead = async (offset, lengthBytes) => {
      const bytes = Buffer.allocUnsafe(lengthBytes)
      let filled = 0
      // A read may return less than was asked for; nothing only at the end.
      while (filled < lengthBytes) {
        const { bytesRead } = await handle.read(
          bytes,
          filled,
          lengthBytes - filled,
          offset + filled,
        )
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return bytes.subarray(0, filled)
    }
    return await use(windowed(file.sizeBytes, read))
  } finally {
    await handle.close()
  }
}

/**
 * A source over any function that reads bytes. Its reads throw when less than the declared size is there: the
 * file was cut while it was read, or is another file.
 */
export function windowed(sizeBytes: number, readSome: RawRead): ByteSource {
  const read: RawRead = async (offset, lengthBytes) => {
    const bytes = await readSome(offset, lengthBytes)
    if (bytes.length < lengthBytes) throw new Error('The file is shorter than was said.')
    return bytes
  }
  let window: Buffer = Buffer.alloc(0)
  let windowAt = 0
  return {
    sizeBytes,
    async read(offset, lengthBytes) {
      if (!(offset >= 0 && offset < sizeBytes)) return Buffer.alloc(0)
      const length = Math.min(lengthBytes, READ_BYTES_MAX, sizeBytes - offset)
      if (length > WINDOW_BYTES) return read(offset, length)
      if (offset < windowAt || offset + length > windowAt + window.length) {
        window = await read(offset, Math.min(WINDOW_BYTES, sizeBytes - offset))
        windowAt = offset
      }
      return window.subarray(offset - windowAt, offset - windowAt + length)
    },
  }
}

/** The last bytes of a source, at most as many as given. */
export function tailOf(source: ByteSource, lengthBytes: number): Promise<Buffer> {
  const length = Math.min(lengthBytes, source.sizeBytes)
  return source.read(source.sizeBytes - length, length)
}
