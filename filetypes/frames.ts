import type { ByteSource } from './source.ts'

/** So many sound frames in a row are not a coincidence. */
const FRAMES_ENOUGH = 8
/** The last frame of a recording that was cut off may be incomplete. */
const FRAMES_BEFORE_A_CUT = 3

/**
 * Whether sound frames follow each other from an offset: eight of them, or all up to the end. `frameBytes`
 * determines the length of a frame from its header, or null when it is not a frame.
 */
export async function hasFrames(
  source: ByteSource,
  startsAt: number,
  headerBytes: number,
  frameBytes: (header: Buffer) => number | null,
): Promise<boolean> {
  let at = startsAt
  for (let frames = 0; frames < FRAMES_ENOUGH; frames += 1) {
    if (at === source.sizeBytes) return frames > 0
    const header = await source.read(at, headerBytes)
    const lengthBytes = header.length < headerBytes ? null : frameBytes(header)
    if (lengthBytes === null) return false
    at += lengthBytes
    if (at > source.sizeBytes) return frames >= FRAMES_BEFORE_A_CUT
  }
  return true
}
