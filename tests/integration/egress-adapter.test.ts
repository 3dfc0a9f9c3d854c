import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, describe, expect, it } from '@jest/globals'
import axios, { AxiosError, type AxiosRequestConfig } from 'axios'
import { createPools } from '../../egress/pools.ts'
import { createUndiciAdapter, TOO_LARGE } from '../../egress/undici-adapter.ts'
import { bodyOf } from '../support/channel.ts'
import { bytesOf, createYard } from '../support/egress.ts'

const yard = createYard()
const opened: ReturnType<typeof createPools>[] = []
afterEach(async () => {
  await yard.close()
  await Promise.all(opened.splice(0).map((pools) => pools.close()))
})

function openPools(bounds: Partial<Parameters<typeof createPools>[0]> = {}) {
  const pools = createPools({
    connectTimeoutMs: 1_000,
    connectionsMax: 4,
    originsMax: 4,
    ...bounds,
  })
  opened.push(pools)
  return pools
}

/** One request over axios, as the service makes them. */
function request<T = string>(url: string, config: AxiosRequestConfig = {}, pools = openPools()) {
  const adapter = createUndiciAdapter(pools)
  const whole = { validateStatus: null, transformRequest: [], transformResponse: [] }
  return axios.request<T>({ ...whole, adapter, url, timeout: 2_000, ...config })
}

/** A server that answers with the body that it got, and the headers that tell its length. */
async function echo(request: IncomingMessage, response: ServerResponse) {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  const body = (await bodyOf(request)).toString('latin1')
  response.end(JSON.stringify({ length, coding, body }))
}

async function failureOf(work: Promise<unknown>): Promise<AxiosError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AxiosError)) throw new Error('It did not fail as axios does')
  return error
}

describe('a request body', () => {
  const bytes = Buffer.from([0, 255, 10, 13, 128])
  const text = bytes.toString('latin1')

  it.each<[string, unknown, Record<string, string>, unknown]>([
    ['a text', 'text', {}, { length: '4', body: 'text' }],
    ['an empty text', '', {}, { length: '0', body: '' }],
    ['a Buffer', bytes, {}, { length: '5', body: text }],
    ['nothing', undefined, {}, { length: '0', body: '' }],
  ])('may be %s', async (_, data, headers, expected) => {
    const { url } = await yard.serve(echo)

    const { data: answer } = await request(url, { method: 'post', data, headers })

    expect(JSON.parse(answer)).toEqual(expected)
  })

  it('may be a stream, of a declared length or in chunks', async () => {
    const { url } = await yard.serve(echo)
    const stream = () => Readable.from([bytes, bytes], { objectMode: false })
    const headers = { 'Content-Length': '10' }

    const declared = await request(url, { method: 'post', data: stream(), headers })
    const chunked = await request(url, { method: 'post', data: stream() })

    expect(JSON.parse(declared.data)).toEqual({ length: '10', body: text + text })
    expect(JSON.parse(chunked.data)).toEqual({ coding: 'chunked', body: text + text })
  })

  it.each([
    ['shorter', '20'],
    ['longer', '5'],
  ])('that is %s than declared fails', async (_, length) => {
    const { url } = await yard.serve(echo)
    const data = Readable.from([bytes, bytes], { objectMode: false })
    const headers = { 'Content-Length': length }

    const failure = await failureOf(request(url, { method: 'post', data, headers }))

    expect(failure.request).toBeDefined()
    expect(failure.response).toBeUndefined()
  })

  it('that breaks off fails the request', async () => {
    const { url } = await yard.serve(echo)
    async function* broken() {
      yield bytes
      await Promise.reject(new Error('The file is gone'))
    }

    const data = Readable.from(broken(), { objectMode: false })
    const failure = await failureOf(request(url, { method: 'post', data }))

    expect(failure.request).toBeDefined()
    expect(data.destroyed).toBe(true)
  })

  it.each<[string, (pools: ReturnType<typeof createPools>) => Promise<string>]>([
    ['nobody listens', async () => 'http://127.0.0.1:9'],
    ['no answer comes', async () => (await yard.serve(() => {})).url],
    ['it is its turn too late', waitingBehindOthers],
  ])('is let go of when %s', async (_, prepare) => {
    const pools = openPools({ connectionsMax: 1 })
    const url = await prepare(pools)
    const data = new Readable({ read: () => {} })
    const closed = once(data, 'close')

    await failureOf(request(url, { method: 'post', data, timeout: 100 }, pools))

    await closed
    expect(data.destroyed).toBe(true)
  })

  async function waitingBehindOthers(pools: ReturnType<typeof createPools>) {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => (arrived = resolve))
    const { url } = await yard.serve(() => arrived())
    request(url, {}, pools).catch(() => {})
    await arrival
    return url
  }
})

describe('an answer as a stream', () => {
  const stream = { responseType: 'stream' } as const

  it('is there with its head, before its body is', async () => {
    let finish = () => {}
    const { url } = await yard.serve((_, response) => {
      response.writeHead(201, { 'X-A': 'b' }).write('first ')
      finish = () => void response.end('last')
    })

    const { status, headers, data } = await request<Readable>(url, stream)
    finish()

    expect({ status, header: headers['x-a'] as unknown }).toEqual({ status: 201, header: 'b' })
    expect((await bytesOf(data)).toString()).toBe('first last')
  })

  it('may be empty', async () => {
    const { url } = await yard.serve((_, response) => response.writeHead(204).end())

    const { data } = await request<Readable>(url, stream)

    expect(await bytesOf(data)).toHaveLength(0)
  })

  it('comes whole through many pauses', async () => {
    const bytes = Buffer.alloc(8 * 1_048_576, 'abcdefg')
    const { url } = await yard.serve((_, response) => response.end(bytes))

    const { data } = await request<Readable>(url, stream)
    const chunks: Buffer[] = []
    await pipeline(data, async (source) => {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })

    expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
  })

  it('drops the connection when it is destroyed', async () => {
    const server = await yard.serve((_, response) => void response.write('a'))

    const { data } = await request<Readable>(server.url, stream)
    data.destroy()

    await server.quiet()
    expect(server.connections()).toBe(1)
  })

  it('fails with what it may not hold, and is bounded in time', async () => {
    const { url } = await yard.serve((_, response) => void response.write('a'.repeat(100)))

    const large = await request<Readable>(url, { ...stream, maxContentLength: 99 })
    expect(await failureOf(bytesOf(large.data))).toMatchObject({ code: TOO_LARGE })
    const late = await request<Readable>(url, { ...stream, timeout: 100 })
    expect(await failureOf(bytesOf(late.data))).toMatchObject({ code: 'ETIMEDOUT' })
  })

  it('that fails before anybody reads it tells whoever does', async () => {
    const server = await yard.serve((_, response) => {
      response.write('a', () => setTimeout(() => response.destroy(), 10))
    })

    const { data } = await request<Readable>(server.url, stream)
    await new Promise((resolve) => data.once('close', resolve))

    expect(await failureOf(bytesOf(data))).toMatchObject({ response: { status: 200 } })
  })
})

describe('the pools', () => {
  it('close the connections of the origins that were used least lately', async () => {
    const pools = openPools({ originsMax: 2 })
    const servers = await Promise.all(
      Array.from({ length: 6 }, () => yard.serve((_, response) => response.end())),
    )

    for (const { url } of servers) await request(url, {}, pools)

    await Promise.all(servers.slice(0, 4).map(({ quiet }) => quiet()))
    for (const { url } of servers.slice(4)) await request(url, {}, pools)
    expect(servers.slice(4).map(({ connections }) => connections())).toEqual([1, 1])
  })

  it('keep the connections of an origin that is used again and again', async () => {
    const pools = openPools({ originsMax: 2 })
    const answering = () => yard.serve((_, response) => response.end())
    const [often, seldom, latest] = [await answering(), await answering(), await answering()]

    for (const { url } of [often, seldom, often, latest]) await request(url, {}, pools)

    await seldom.quiet()
    await request(often.url, {}, pools)
    expect(often.connections()).toBe(1)
  })

  it('let what is under way finish when they close', async () => {
    const pools = openPools()
    const { url } = await yard.serve((_, response) => void setTimeout(() => response.end('a'), 50))
    let data = ''
    const answer = request(url, {}, pools).then((answered) => void (data = answered.data))

    await pools.close()

    expect(data).toBe('a')
    await answer
    expect(await failureOf(request(url, {}, pools))).toMatchObject({ code: 'ERR_CLOSED' })
  })

  it('make no connection for a request that was given up, after others that were answered', async () => {
    const pools = openPools({ connectionsMax: 1 })
    let isMute = false
    const server = await yard.serve((_, response) => void (isMute || response.end()))
    await request(server.url, {}, pools)
    isMute = true

    await failureOf(request(server.url, { timeout: 50 }, pools))
    await server.quiet()
    await pools.close()

    expect(server.connections()).toBe(1)
  })
})
