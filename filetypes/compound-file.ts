import type { ByteSource } from './source.ts'

/** The container of the older Office formats: sectors chained by a table, as on a disk. */
export type CompoundFile = {
  source: ByteSource
  sectorBytes: number
  firstDirectorySector: number
  /** The offset of a sector in the file; it may lie beyond its end. */
  sectorAt(sector: number): number
  /** The next sector of a chain; null at its end, and 'broken' when the table contains neither. */
  sectorAfter(sector: number): Promise<number | null | 'broken'>
}

const SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const HEADER_BYTES = 512
const LITTLE_ENDIAN = 0xfffe
const END_OF_CHAIN = 0xfffffffe
/** Larger numbers are not sectors but marks. */
const SECTOR_MAX = 0xfffffffa
/** The header lists the first sectors of the table; a chain of further lists has the rest. */
const LISTED_IN_HEADER = 109
/** A file of 100 MiB with the smaller sector size has thirteen. */
const LIST_SECTORS_MAX = 16

/** Reads the layout of a compound file; null when the file is not one. */
export async function openCompoundFile(source: ByteSource): Promise<CompoundFile | null> {
  const header = await source.read(0, HEADER_BYTES)
  if (header.length < HEADER_BYTES || !header.subarray(0, 8).equals(SIGNATURE)) return null
  const version = header.readUInt16LE(26)
  const sectorShift = header.readUInt16LE(30)
  const isKnown = (version === 3 && sectorShift === 9) || (version === 4 && sectorShift === 12)
  if (!isKnown || header.readUInt16LE(28) !== LITTLE_ENDIAN) return null
  const sectorBytes = 1 << sectorShift
  const sectorAt = (sector: number) => (sector + 1) * sectorBytes
  const table = await tableSectors(source, header, sectorBytes)
  if (table === null) return null
  const perSector = sectorBytes / 4
  return {
    source,
    sectorBytes,
    firstDirectorySector: header.readUInt32LE(48),
    sectorAt,
    async sectorAfter(sector) {
      const tableSector = table[Math.floor(sector / perSector)]
      if (tableSector === undefined || tableSector > SECTOR_MAX) return 'broken'
      const bytes = await source.read(sectorAt(tableSector) + (sector % perSector) * 4, 4)
      const next = bytes.length < 4 ? SECTOR_MAX + 1 : bytes.readUInt32LE(0)
      if (next === END_OF_CHAIN) return null
      return next > SECTOR_MAX ? 'broken' : next
    },
  }
}

async function tableSectors(
  source: ByteSource,
  header: Buffer,
  sectorBytes: number,
): Promise<number[] | null> {
  const numbers = numbersIn(header.subarray(76, 76 + LISTED_IN_HEADER * 4))
  let next = header.readUInt32LE(68)
  for (let lists = 0; next <= SECTOR_MAX; lists += 1) {
    const list = await source.read((next + 1) * sectorBytes, sectorBytes)
    if (list.length < sectorBytes || lists === LIST_SECTORS_MAX) return null
    numbers.push(...numbersIn(list.subarray(0, -4)))
    next = list.readUInt32LE(sectorBytes - 4)
  }
  return numbers
}

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4))
}
