import { crc32, deflateRawSync } from 'node:zlib'

export type ZipPart = {
  name: string
  data: string | Buffer
  /** What the headers say of it instead of the truth; `method` 0 stores, 8 deflates. */
  claims?: { inflatedBytes?: number; compressedBytes?: number; method?: number; flags?: number }
}

type ZipShape = {
  /** The sizes follow the data instead of preceding them, as writers of streams do. */
  hasDescriptors?: boolean
  comment?: string
  /** What precedes the archive, which knows of it. */
  leading?: Buffer
  /** What the end says of the number of entries. */
  claimedEntries?: number
}

const DESCRIPTOR_FLAG = 0x08

/** A ZIP archive, its parts deflated unless they are to be stored. */
export function zip(parts: readonly ZipPart[], shape: ZipShape = {}): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  const { leading = Buffer.alloc(0) } = shape
  let at = leading.length
  for (const { name, data, claims = {} } of parts) {
    const plain = Buffer.from(data)
    const deflated = claims.method === 0 ? plain : deflateRawSync(plain)
    const flags = (claims.flags ?? 0) | (shape.hasDescriptors ? DESCRIPTOR_FLAG : 0)
    const method = claims.method ?? 8
    const checksum = crc32(plain)
    const sizes = [
      claims.compressedBytes ?? deflated.length,
      claims.inflatedBytes ?? plain.length,
    ] as const
    const common = (isLocal: boolean) => {
      const isLater = isLocal && shape.hasDescriptors
      const [compressed, inflated] = isLater ? [0, 0] : sizes
      return Buffer.concat([
        ...[words16(20, flags, method, 0, 0x21)],
        ...[words32(isLater ? 0 : checksum, compressed, inflated), words16(name.length, 0)],
      ])
    }
    const descriptor = shape.hasDescriptors
      ? Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), words32(checksum, ...sizes)])
      : Buffer.alloc(0)
    const local = Buffer.concat([
      ...[Buffer.from('PK\x03\x04', 'latin1'), common(true), Buffer.from(name)],
      ...[deflated, descriptor],
    ])
    directory.push(
      Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
      ...[common(false), words16(0, 0, 0), words32(0, at), Buffer.from(name)],
    )
    locals.push(local)
    at += local.length
  }
  const entries = shape.claimedEntries ?? parts.length
  const listed = Buffer.concat(directory)
  const comment = Buffer.from(shape.comment ?? '')
  return Buffer.concat([
    ...[
      leading,
      ...locals,
      listed,
      Buffer.from('PK\x05\x06', 'latin1'),
      words16(0, 0, entries, entries),
    ],
    ...[words32(listed.length, at), words16(comment.length), comment],
  ])
}

function words16(...words: number[]): Buffer {
  return Buffer.from(Uint16Array.from(words).buffer)
}

function words32(...words: number[]): Buffer {
  return Buffer.from(Uint32Array.from(words).buffer)
}
