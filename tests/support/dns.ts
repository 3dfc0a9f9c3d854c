import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type Records = { A?: string[]; AAAA?: string[] }

const types = { A: 1, AAAA: 28 }

/**
 * A name server of this machine; it answers for the names that it knows, in the families they have. The first
 * questions, so many as are lost, do not reach it.
 */
export async function startNameServer(names: Record<string, Records | 'unknown'>, lost = 0) {
  const server = createSocket('udp4')
  let asked = 0
  server.on('message', (query, { address, port }) => {
    if (++asked <= lost) return
    const end = query.indexOf(0, 12) + 5
    const name = labelsOf(query.subarray(12, end - 5)).join('.')
    const type = query.readUInt16BE(end - 4)
    const known = names[name]
    const found = known === 'unknown' ? [] : type === types.A ? known?.A : known?.AAAA
    // Silence is what a broken server gives.
    if (!found) return
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(known === 'unknown' ? 0x8183 : 0x8180, 2)
    ;[1, found.length, 0, 0].forEach((count, index) => head.writeUInt16BE(count, 4 + index * 2))
    const answers = found.map((text) => recordOf(type, bytesOf(text)))
    server.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${server.address().port}`,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

function labelsOf(bytes: Buffer): string[] {
  const length = bytes[0] ?? 0
  if (length === 0) return []
  return [bytes.toString('latin1', 1, 1 + length), ...labelsOf(bytes.subarray(1 + length))]
}

function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  // The name of the question, the type, the class IN, no time to live, the length.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** An IPv4 address, or an IPv6 address of eight written groups. */
function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const groups = address.split(':').map((group) => group.padStart(4, '0'))
  return Buffer.from(groups.join(''), 'hex')
}
