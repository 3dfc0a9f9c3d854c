import { afterEach, describe, expect, it } from '@jest/globals'
import { bytesOf, createDial, createYard, publicAddress } from '../support/egress.ts'

const yard = createYard()
afterEach(() => yard.close())

const bounds = { bytesMax: 1_000, timeoutMs: 2_000 }
const refused = {
  ok: false,
  fault: 'refused',
  message: 'The address must be public: a name that resolves to public addresses only.',
}

/** A server that sends everyone to the location, and what came of following it. */
async function follow(location: string, status = 302) {
  const canary = await yard.serve((_, response) => response.end('secret'))
  const paths: string[] = []
  const server = await yard.serve((request, response) => {
    paths.push(request.url ?? '')
    if (request.url === '/there') response.end('file')
    else response.writeHead(status, { Location: location.replace('CANARY', canary.endpoint) }).end()
  })
  const egress = yard.guard({
    allow: [server.endpoint],
    resolve: async (name) => (name === 'inner.example.org' ? ['127.0.0.1'] : []),
  })
  const answer = await egress.download(`${server.url}/here/file`, bounds)
  return { answer, paths, canaryConnections: canary.connections() }
}

describe('a redirect is refused, and nobody is asked,', () => {
  it.each([
    ...['http://CANARY/', 'https://CANARY/', '//CANARY/', '//CANARY', 'http://CANARY/there'],
    ...['http://127.0.0.1/', 'https://[::ffff:10.0.0.1]/', '//127.0.0.1/', 'http://0/'],
    ...['http://169.254.169.254/latest/meta-data/', 'http://2130706433/', 'http://[::1]/'],
    ...['http://localhost/', 'http://metadata.google.internal/', 'http://redis/', 'http://0x7f.1/'],
    ...['data:text/plain,x', 'file:///etc/passwd', 'ftp://hooks.example.org/', 'javascript:1'],
    ...['ws://hooks.example.org/', 'gopher://CANARY/', 'http://hooks.example.org:22/'],
    ...['http://user:pass@hooks.example.org/', 'http://@CANARY/', '//user@CANARY/'],
    ...[
      'http://inner.example.org/',
      'https://inner.example.org:8443/',
      'https://unknown.example.org/',
    ],
    ...['https://hooks.example.org\\@CANARY/', '\\\\CANARY/', '/\\CANARY/', 'http:\\\\CANARY/'],
    ...['/a b', 'http://[::1', 'http://', 'https://a..b/', `/${'a'.repeat(8_192)}`],
  ])('when it leads to %j', async (location) => {
    const { answer, paths, canaryConnections } = await follow(location)

    expect(answer).toEqual(refused)
    expect(paths).toEqual(['/here/file'])
    expect(canaryConnections).toBe(0)
  })

  it.each([
    ['has control characters', 'Location: /th\u0001ere\r\n'],
    ['has a NUL', 'Location: /th\u0000ere\r\n'],
    ['is there twice', 'Location: /there\r\nLocation: /other\r\n'],
    ['is not there', ''],
    ['is folded', 'Location: /there\r\n /other\r\n'],
    ['is 20 KB long', `Location: /${'a'.repeat(20_480)}\r\n`],
  ])('when its location %s', async (_, header) => {
    let requests = 0
    const server = await yard.serveRaw((socket) => {
      socket.on('data', () => {
        requests += 1
        socket.write(`HTTP/1.1 302 Found\r\n${header}Content-Length: 0\r\n\r\n`)
      })
    })
    const egress = yard.guard({ allow: [server.endpoint] })

    expect(await egress.download(`${server.url}/`, bounds)).toMatchObject({ ok: false })
    expect(requests).toBe(1)
  })

  it('with the reason that it has when there is no place to go to', async () => {
    const server = await yard.serve((_, response) => response.writeHead(302).end())
    const egress = yard.guard({ allow: [server.endpoint] })

    expect(await egress.download(`${server.url}/`, bounds)).toEqual({
      ok: false,
      fault: 'failed',
      message: 'It redirects to no address.',
    })
  })

  it('from a public server to this machine, by an address and by a name', async () => {
    for (const target of ['127.0.0.1', '[::1]', 'inner.example.org']) {
      const canary = await yard.serveRaw(() => {})
      const server = await yard.serve((_, response) =>
        response.writeHead(302, { Location: `http://${target}:${canary.port}/` }).end(),
      )
      const { dial, dialled } = createDial(server.port)
      const egress = yard.guard({
        dial,
        resolve: async (name) => [name === 'inner.example.org' ? '127.0.0.1' : publicAddress],
      })

      expect(await egress.download('http://files.example.org/', bounds)).toEqual(refused)
      expect(dialled).toEqual([publicAddress])
      expect(canary.connections()).toBe(0)
    }
  })

  it('after two good ones, when the third is bad', async () => {
    const canary = await yard.serveRaw(() => {})
    const next = ['/2', '/3', `http://127.0.0.1:${canary.port}/`]
    const server = await yard.serve((_, response) =>
      response.writeHead(302, { Location: next.shift() }).end(),
    )
    const egress = yard.guard({ allow: [server.endpoint] })

    expect(await egress.download(`${server.url}/1`, bounds)).toEqual(refused)
    expect(next).toEqual([])
    expect(canary.connections()).toBe(0)
  })
})

describe('a redirect is followed', () => {
  it.each([
    ...['/there', '../there', '/here/../there', '//SELF/there', 'http://SELF/there'],
    ...['/there#place', 'http://SELF/there#a'],
  ])('to %s', async (location) => {
    const paths: string[] = []
    const server = await yard.serve((request, response) => {
      paths.push(request.url ?? '')
      if (request.url === '/there') return response.end('file')
      const to = location.replace('SELF', request.headers.host ?? '')
      return response.writeHead(302, { Location: to }).end('elsewhere')
    })
    const egress = yard.guard({ allow: [server.endpoint] })

    const answer = await egress.download(`${server.url}/here/file`, bounds)

    if (!answer.ok) throw new Error(answer.message)
    expect((await bytesOf(answer.download.body)).toString()).toBe('file')
    expect(answer.download.filename).toBe('there')
    expect(paths).toEqual(['/here/file', '/there'])
  })

  it.each([301, 302, 303, 307, 308])('when its status is %i, by a GET', async (status) => {
    const { answer, paths } = await follow('/there', status)

    expect(answer).toMatchObject({ ok: true })
    expect(paths).toEqual(['/here/file', '/there'])
  })

  it.each([
    ['/à–', '/%C3%A0%E2%80%93'],
    ['/a?q=é', '/a?q=%C3%A9'],
    [Buffer.from('/\xe9', 'latin1'), '/%C3%A9'],
  ])('to a path beyond ASCII, written as it is: %s', async (location, path) => {
    const asked: string[] = []
    const server = await yard.serveRaw((socket) => {
      socket.on('data', (request) => {
        asked.push(request.toString('latin1').split(' ')[1] ?? '')
        const isFirst = asked.length === 1
        socket.write(isFirst ? 'HTTP/1.1 302 Found\r\nLocation: ' : 'HTTP/1.1 200 OK\r\n')
        if (isFirst) socket.write(location)
        socket.write(`${isFirst ? '\r\n' : ''}Content-Length: 0\r\n\r\n`)
      })
    })
    const egress = yard.guard({ allow: [server.endpoint] })

    expect(await egress.download(`${server.url}/`, bounds)).toMatchObject({ ok: true })
    expect(asked).toEqual(['/', path])
  })

  it('three times, and not a fourth', async () => {
    const paths: string[] = []
    const server = await yard.serve((request, response) => {
      paths.push(request.url ?? '')
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('file')
      else response.writeHead(302, { Location: `/${left - 1}` }).end()
    })
    const egress = yard.guard({ allow: [server.endpoint] })

    expect(await egress.download(`${server.url}/3`, bounds)).toMatchObject({ ok: true })
    expect(paths.splice(0)).toEqual(['/3', '/2', '/1', '/0'])
    expect(await egress.download(`${server.url}/4`, bounds)).toMatchObject({
      ok: false,
      fault: 'failed',
    })
    expect(paths).toEqual(['/4', '/3', '/2', '/1'])
  })

  it('to a name that is looked up and checked again, as often as it is new', async () => {
    const asked: string[] = []
    const server = await yard.serve((request, response) => {
      const hop = Number(request.url?.slice(1))
      if (hop === 3) response.end('file')
      else response.writeHead(302, { Location: `http://${hop + 1}.example.org/${hop + 1}` }).end()
    })
    const { dial, dialled } = createDial(server.port)
    const egress = yard.guard({
      dial,
      resolve: async (name) => {
        asked.push(name)
        return [publicAddress]
      },
    })

    expect(await egress.download('http://0.example.org/0', bounds)).toMatchObject({ ok: true })
    expect(asked).toEqual([0, 1, 2, 3].map((hop) => `${hop}.example.org`))
    expect(dialled).toEqual(Array(4).fill(publicAddress))
  })
})
