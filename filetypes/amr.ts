import { hasFrames } from './frames.ts'
import type { ByteSource } from './source.ts'

const SIGNATURE = Buffer.from('#!AMR\n', 'latin1')

/** The length of a frame in bytes, with its header, by type; type 15 is silence. */
const FRAME_BYTES: ReadonlyMap<number, number> = new Map([
  ...[13, 14, 16, 18, 20, 21, 27, 32, 6].map((bytes, type) => [type, bytes] as const),
  [15, 1],
])

/** Whether the file is narrow-band AMR sound with one channel. */
export async function isAmr(source: ByteSource): Promise<boolean> {
  if (!(await source.read(0, SIGNATURE.length)).equals(SIGNATURE)) return false
  return hasFrames(source, SIGNATURE.length, 1, ([header = 0]) =>
    (header & 0x83) === 0 ? (FRAME_BYTES.get((header >> 3) & 0x0f) ?? null) : null,
  )
}
