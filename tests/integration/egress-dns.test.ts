import { connect as openSocket, type Socket, type TcpNetConnectOpts } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createConnect, REFUSED } from '../../egress/connect.ts'
import { createDial, createYard, event, publicAddress } from '../support/egress.ts'

const yard = createYard()
afterEach(() => yard.close())

const refusedPost = { statusCode: null, error: 'refused_address', durationMs: expect.any(Number) }
const bounds = { bytesMax: 1_000, timeoutMs: 2_000 }

/** Listeners where nothing may arrive, on one port of both loopback addresses where there are two. */
async function canaries() {
  const v4 = await yard.serveRaw(() => {})
  const v6 = await yard.serveRaw(() => {}, '::1').catch(() => null)
  return {
    ports: [v4.port, ...(v6 ? [v6.port] : [])],
    connections: () => v4.connections() + (v6?.connections() ?? 0),
  }
}

/** The constant message, as an address that can never be right gets it. */
async function refusal() {
  const egress = yard.guard()
  const answer = await egress.download('https://localhost/', bounds)
  if (answer.ok) throw new Error('localhost was not refused')
  return answer
}

describe('a name is refused everywhere, and nothing is dialled, when it resolves to', () => {
  it.each<[string, string[]]>([
    ['a private address', ['10.0.0.5']],
    ['loopback', ['127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['no host at all', ['0.0.0.0']],
    ['a public and a private address', [publicAddress, '10.0.0.5']],
    ['a private and a public address', ['10.0.0.5', publicAddress]],
    ['loopback of IPv6', ['::1']],
    ['loopback mapped into IPv6', ['::ffff:127.0.0.1']],
    ['a public address mapped into IPv6', [`::ffff:${publicAddress}`]],
    ['a private address behind NAT64', ['64:ff9b::a00:1']],
    ["a cloud's metadata service on IPv6", ['fd00:ec2::254']],
    ['a public and a link-local address', [publicAddress, 'fe80::1']],
    ['a link-local address with a zone', ['fe80::1%lo']],
    ['a public address with a zone', ['2606:4700::1111%lo']],
    ['a private address by 6to4', ['2002:a00:1::1']],
    ['nothing', []],
    ["a provider's inner network", ['100.64.1.1']],
    ['an IPv4-compatible address', ['::7f00:1']],
    ['a local NAT64 address', ['64:ff9b:1::a00:1']],
    ['an address of the other notation', ['2130706433']],
    ['a name', ['localhost']],
    ['an empty text', ['']],
    ['200 addresses, the last of which is private', [...publicOnes(199), '10.0.0.5']],
  ])('%s', async (_, addresses) => {
    const canary = await canaries()
    const egress = yard.guard({ resolve: async () => addresses })

    for (const port of canary.ports) {
      const url = `https://rebind.example.org:${port}/hook`
      expect(await egress.mayReach(url, { allowHttp: false })).toBe(false)
      expect(await egress.post(url, event)).toEqual(refusedPost)
      for (const address of [url, url.replace('https:', 'http:')]) {
        expect(await egress.download(address, bounds)).toEqual(await refusal())
      }
    }
    expect(canary.connections()).toBe(0)
  })

  it.each(['ENOTFOUND', 'SERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'ENODATA'])(
    'an error: %s, which looks no different',
    async (code) => {
      const resolve = () => Promise.reject(Object.assign(new Error(code), { code }))
      const egress = yard.guard({ resolve })

      expect(await egress.mayReach('https://a.example.org/', { allowHttp: false })).toBe(false)
      expect(await egress.post('https://a.example.org/', event)).toEqual(refusedPost)
      expect(await egress.download('https://a.example.org/', bounds)).toEqual(await refusal())
    },
  )

  it('no answer within the time that it has', async () => {
    const egress = yard.guard({
      resolve: () => new Promise(() => {}),
      resolveTimeoutMs: 50,
    })
    const startedAt = performance.now()

    expect(await egress.mayReach('https://a.example.org/', { allowHttp: false })).toBe(false)
    expect(await egress.post('https://a.example.org/', event)).toEqual(refusedPost)
    expect(await egress.download('http://a.example.org/', bounds)).toEqual(await refusal())
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})

describe('a name', () => {
  it('that is public is dialled, and the canaries do listen', async () => {
    const canary = await canaries()
    const { dial } = createDial(canary.ports[0]!)
    const egress = yard.guard({ resolve: async () => [publicAddress], dial })

    await egress.post('https://hooks.example.org/', { ...event, timeoutMs: 100 })

    expect(canary.connections()).toBe(1)
  })

  it('may be reached when all its addresses are public, however many', async () => {
    const egress = yard.guard({ resolve: async () => [...publicOnes(200), '2606:4700::1111'] })

    expect(await egress.mayReach('https://a.example.org/', { allowHttp: false })).toBe(true)
  })

  it('is looked up as the URL parser reads it, and literals are not looked up', async () => {
    const asked: string[] = []
    const egress = yard.guard({
      resolve: async (name) => {
        asked.push(name)
        return [publicAddress]
      },
    })

    expect(await egress.mayReach('https://BÜCHER.example.org/', { allowHttp: false })).toBe(true)
    expect(await egress.mayReach(`https://${publicAddress}/`, { allowHttp: false })).toBe(true)
    expect(await egress.mayReach('https://[2606:4700::1111]/', { allowHttp: false })).toBe(true)
    expect(await egress.mayReach('https://localhost/', { allowHttp: false })).toBe(false)
    expect(asked).toEqual(['xn--bcher-kva.example.org'])
  })

  it('that moves to loopback after its registration is not followed there', async () => {
    const canary = await canaries()
    const answers = [[publicAddress], ['127.0.0.1']]
    const egress = yard.guard({ resolve: async () => answers.shift() ?? [] })
    const url = `https://rebind.example.org:${canary.ports[0]}/hook`

    expect(await egress.mayReach(url, { allowHttp: false })).toBe(true)
    expect(await egress.post(url, event)).toEqual(refusedPost)
    expect(canary.connections()).toBe(0)
  })

  it('that alternates is dialled at the very address that was checked, 100 times', async () => {
    const trap = await yard.serveRaw((socket) => socket.destroy())
    const { dial, dialled } = createDial(trap.port)
    let asked = 0
    const egress = yard.guard({
      resolve: async () => [asked++ % 2 === 0 ? publicAddress : '127.0.0.1'],
      dial,
    })
    const url = 'https://rebind.example.org/hook'

    const errors: (string | null)[] = []
    for (let round = 0; round < 100; round += 1) errors.push((await egress.post(url, event)).error)

    expect(asked).toBe(100)
    expect(errors.filter((_, round) => round % 2 === 1)).toEqual(Array(50).fill('refused_address'))
    expect(dialled).toEqual(Array(50).fill(publicAddress))
  })

  it('whose connection ends up at another address is refused before a byte is sent', async () => {
    const received: Buffer[] = []
    const trap = await yard.serveRaw((socket) => void socket.on('data', (b) => received.push(b)))
    const { dial } = createDial(trap.port, null)
    const egress = yard.guard({ resolve: async () => [publicAddress], dial })

    expect(await egress.post('https://hooks.example.org/', event)).toEqual(refusedPost)
    expect(await egress.download('http://hooks.example.org/', bounds)).toEqual(await refusal())
    await trap.quiet()
    expect(trap.connections()).toBe(2)
    expect(received).toEqual([])
  })

  it('has no more than four of its addresses tried', async () => {
    const trap = await yard.serveRaw((socket) => socket.destroy())
    const { dial, dialled } = createDial(trap.port)
    const egress = yard.guard({ resolve: async () => publicOnes(200), dial })

    await egress.post('https://hooks.example.org/', event)

    expect(dialled).toEqual(publicOnes(4))
  })
})

describe('the addresses of a name', () => {
  it('are dialled one after the other until one answers', async () => {
    const server = await yard.serve((_, response) => response.end())
    const addresses = ['2606:4700::1111', publicAddress]
    let given: unknown
    const dial = ({ lookup, ...options }: TcpNetConnectOpts): Socket => {
      // Where nobody listens, and where the server does.
      const here = (address: string) => (address === publicAddress ? '127.0.0.1' : '::1')
      const instead: typeof lookup = (name, how, answer) =>
        lookup?.(name, how, (error, found) => {
          if (!Array.isArray(found)) throw new Error('All addresses were asked for')
          given = found
          const entries = found.map(({ address, family }) => ({ address: here(address), family }))
          answer(error, entries)
        })
      const socket = openSocket({ ...options, port: server.port, lookup: instead })
      return Object.defineProperty(socket, 'remoteAddress', { value: publicAddress })
    }
    const egress = yard.guard({ resolve: async () => addresses, dial })

    const answer = await egress.download('http://files.example.org/', bounds)

    expect(answer).toMatchObject({ ok: true })
    expect(server.connections()).toBe(1)
    expect(given).toEqual([
      { address: '2606:4700::1111', family: 6 },
      { address: publicAddress, family: 4 },
    ])
  })
})

describe('an address of numbers', () => {
  it.each(['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', '0x7f.1', 'localhost', 'localhost.'])(
    'is never dialled when it is this machine: %s',
    async (host) => {
      const canary = await canaries()
      const egress = yard.guard({ resolve: async () => [publicAddress] })

      for (const port of canary.ports) {
        const url = `https://${host}:${port}/`
        expect(await egress.mayReach(url, { allowHttp: true })).toBe(false)
        expect(await egress.post(url, event)).toEqual(refusedPost)
        expect(await egress.download(url, bounds)).toEqual(await refusal())
      }
      expect(canary.connections()).toBe(0)
    },
  )

  it('is dialled by nobody when it is this machine, whoever asks for the connection', async () => {
    const { dial, dialled } = createDial(1)
    const resolve = () => Promise.resolve([publicAddress])
    const times = { resolveTimeoutMs: 1_000, timeoutMs: 1_000 }
    const connect = createConnect({ allow: new Set(), resolve, dial, ...times })
    for (const hostname of ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254']) {
      const target = { protocol: 'https:', hostname, port: '443' }
      const connected = connect(target, new AbortController().signal)
      await expect(connected).rejects.toMatchObject({ code: REFUSED })
    }
    expect(dialled).toEqual([])
  })

  it('is dialled though it is this machine where the operator allows it, in either family', async () => {
    const trap = await yard.serveRaw((socket) => socket.destroy())
    const { dial, dialled } = createDial(trap.port, null)
    const allow = ['127.0.0.1:9000', '[::1]:9000']
    const egress = yard.guard({ allow, dial })

    for (const host of ['127.0.0.1', '[::1]']) {
      expect(await egress.mayReach(`http://${host}:9000/`, { allowHttp: false })).toBe(true)
      const { error } = await egress.post(`http://${host}:9000/`, event)
      expect(error).toBe('connection_reset')
    }
    expect(dialled).toEqual(['127.0.0.1', '::1'])
  })

  it('is dialled as it is when it is public, at the port that is meant', async () => {
    const trap = await yard.serveRaw((socket) => socket.destroy())
    const { dial, dialled, ports } = createDial(trap.port)
    const egress = yard.guard({ dial })

    await egress.post(`https://${publicAddress}/`, event)
    await egress.post('https://[2606:4700::1111]:8443/', event)
    await egress.download(`http://${publicAddress}/`, bounds)

    expect(dialled).toEqual([publicAddress, '2606:4700::1111', publicAddress])
    expect(ports).toEqual([443, 8443, 80])
  })
})

function publicOnes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `93.184.${index}.34`)
}
