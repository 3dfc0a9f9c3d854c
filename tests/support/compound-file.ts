const SECTOR = 512
const NONE = 0xffffffff
const END_OF_CHAIN = 0xfffffffe
const TABLE_SECTOR = 0xfffffffd

export type CompoundEntry =
  { name: string; bytes: Buffer } | { name: string; entries: readonly CompoundEntry[] }

type DirectoryEntry = { name: string; type: number; child: number; next: number; bytes: Buffer }

/** A compound file of version 3, with one table sector: enough for 63 KB. */
export function compoundFile(entries: readonly CompoundEntry[]): Buffer {
  const directory: DirectoryEntry[] = []
  directory.push({ name: 'Root Entry', type: 5, child: NONE, next: NONE, bytes: Buffer.alloc(0) })
  directory[0]!.child = addTree(directory, entries)
  const directorySectors = Math.ceil(directory.length / 4)
  const table: number[] = [TABLE_SECTOR, ...chain(1, directorySectors)]
  const streams: Buffer[] = []
  const listed = Buffer.alloc(directorySectors * SECTOR)
  directory.forEach((entry, index) => {
    const sectors = Math.ceil(entry.bytes.length / SECTOR)
    const start = sectors === 0 ? END_OF_CHAIN : table.length
    table.push(...chain(table.length, sectors))
    streams.push(entry.bytes, Buffer.alloc(sectors * SECTOR - entry.bytes.length))
    writeEntry(listed.subarray(index * 128, (index + 1) * 128), entry, start)
  })
  if (table.length > SECTOR / 4) throw new Error('Too much for one sector of the table.')
  const tableBytes = Buffer.alloc(SECTOR, 0xff)
  table.forEach((next, sector) => tableBytes.writeUInt32LE(next, sector * 4))
  return Buffer.concat([header(), tableBytes, listed, ...streams])
}

function addTree(directory: DirectoryEntry[], entries: readonly CompoundEntry[]): number {
  let next = NONE
  // Each entry is the right branch of the one before it: a tree, if not a balanced one.
  for (const entry of entries.toReversed()) {
    const index = directory.length
    const isStorage = 'entries' in entry
    const bytes = isStorage ? Buffer.alloc(0) : entry.bytes
    directory.push({ name: entry.name, type: isStorage ? 1 : 2, child: NONE, next, bytes })
    if (isStorage) directory[index]!.child = addTree(directory, entry.entries)
    next = index
  }
  return next
}

function chain(start: number, sectors: number): number[] {
  return Array.from({ length: sectors }, (_, index) =>
    index === sectors - 1 ? END_OF_CHAIN : start + index + 1,
  )
}

function writeEntry(into: Buffer, entry: DirectoryEntry, startSector: number): void {
  into.write(entry.name, 0, 'utf16le')
  into.writeUInt16LE((entry.name.length + 1) * 2, 64)
  into.writeUInt8(entry.type, 66)
  into.writeUInt32LE(NONE, 68)
  into.writeUInt32LE(entry.next, 72)
  into.writeUInt32LE(entry.child, 76)
  into.writeUInt32LE(startSector, 116)
  into.writeUInt32LE(entry.bytes.length, 120)
}

function header(): Buffer {
  const bytes = Buffer.alloc(SECTOR, 0xff)
  bytes.fill(0, 0, 76)
  bytes.write('d0cf11e0a1b11ae1', 0, 'hex')
  bytes.writeUInt16LE(0x3e, 24)
  bytes.writeUInt16LE(3, 26)
  bytes.writeUInt16LE(0xfffe, 28)
  bytes.writeUInt16LE(9, 30)
  bytes.writeUInt16LE(6, 32)
  bytes.writeUInt32LE(1, 44)
  bytes.writeUInt32LE(1, 48)
  bytes.writeUInt32LE(4096, 56)
  bytes.writeUInt32LE(END_OF_CHAIN, 60)
  bytes.writeUInt32LE(END_OF_CHAIN, 68)
  bytes.writeUInt32LE(0, 76)
  return bytes
}
