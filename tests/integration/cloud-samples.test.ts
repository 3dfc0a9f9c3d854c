import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createCloudApi } from '../../channel/cloud-api.ts'
import type { Channel } from '../../core/ports.ts'
import { accessToken, bodyOf, channelAccount, listen } from '../support/channel.ts'
import { createStandIns, errorOf, fileOf, graphError, type Seen } from '../support/channel-files.ts'

const SESSION = 'upload:MTphdHRhY2htZW50OjQ5YjU=?sig=ARZqkGCA_uQMxC8nHKI%3D='
const HANDLE = '4::aW1hZ2UvanBn:ARYpf5zq:e:1681000441:634974:10008:ARbB4'
const begun: [number, unknown] = [200, { id: SESSION }]
const done: [number, unknown] = [200, { h: HANDLE }]
const busy: [number, unknown] = [500, graphError(2)]
const account = (url: string) => channelAccount(url, { appId: '670843887433847' })
const bytes = randomBytes(200_000)

let channel: Channel
let standIns: ReturnType<typeof createStandIns>

beforeEach(() => {
  channel = createCloudApi({ timeoutMs: 2_000, fileTimeoutMs: 200 })
  standIns = createStandIns()
})
afterEach(async () => {
  await standIns.close()
  await channel.close()
})

const at = (offset: number): [number, unknown] => [200, { id: SESSION, file_offset: offset }]

describe('the upload of a sample', () => {
  it('begins a session at the app and sends the bytes to its id as it came', async () => {
    const { url, seen } = await standIns.channelThat(begun, done)
    const { file } = fileOf(bytes, { filename: 'größe & x.jpg' })

    expect(await channel.uploadSample(account(url), file)).toEqual({
      ok: true,
      value: { handle: HANDLE },
    })
    const [first, second] = seen as [Seen, Seen]
    expect([first.method, second.method]).toEqual(['POST', 'POST'])
    expect(first.url.split('?')[0]).toBe('/v25.0/670843887433847/uploads')
    expect(Object.fromEntries(new URL(first.url, url).searchParams)).toEqual({
      file_name: 'größe & x.jpg',
      file_length: '200000',
      file_type: 'image/jpeg',
    })
    expect(first.body).toHaveLength(0)
    expect(second.url).toBe(`/v25.0/${SESSION}`)
    expect(second.headers).toMatchObject({
      authorization: `OAuth ${accessToken}`,
      'content-length': '200000',
      'content-type': 'image/jpeg',
      file_offset: '0',
    })
    expect(second.body.equals(bytes)).toBe(true)
  })

  it('answers with one line of the handles', async () => {
    const { url } = await standIns.channelThat(begun, [200, { h: `${HANDLE}\n4::other\n` }])
    expect(await channel.uploadSample(account(url), fileOf(bytes).file)).toMatchObject({
      value: { handle: HANDLE },
    })
  })

  it('that fails on the way asks how much has come and sends the rest', async () => {
    const { url, seen } = await standIns.channelThat(begun, busy, at(70_000), done)
    const answer = await channel.uploadSample(account(url), fileOf(bytes).file)

    expect(answer.ok).toBe(true)
    const [, , asked, resumed] = seen as [Seen, Seen, Seen, Seen]
    expect(asked).toMatchObject({
      method: 'GET',
      url: `/v25.0/${SESSION}`,
      headers: { authorization: `OAuth ${accessToken}` },
    })
    expect(resumed.headers).toMatchObject({ file_offset: '70000', 'content-length': '130000' })
    expect(resumed.body.equals(bytes.subarray(70_000))).toBe(true)
  })

  it('whose connection is reset in the middle goes on where the channel stopped reading', async () => {
    const received: Buffer[] = []
    let tries = 0
    const server = await listen(async (request, response) => {
      const answer = (body: unknown) => response.end(JSON.stringify(body))
      if (request.url?.includes('/uploads?')) return answer({ id: SESSION })
      if (request.method === 'GET') {
        return answer({ file_offset: String(Buffer.concat(received).length) })
      }
      if (++tries === 1) {
        request.on('error', () => {})
        return request.once('data', (chunk: Buffer) => {
          received.push(chunk)
          request.socket.resetAndDestroy()
        })
      }
      received.push(await bodyOf(request))
      return answer({ h: HANDLE })
    })
    const answer = await channel.uploadSample(account(server.url), fileOf(bytes).file)
    await server.close()

    expect(answer).toMatchObject({ ok: true })
    expect(Buffer.concat(received).equals(bytes)).toBe(true)
  })

  it('whose answer alone was lost sends nothing again but the question', async () => {
    const { url, seen } = await standIns.channelThat(begun, busy, at(200_000), done)
    const answer = await channel.uploadSample(account(url), fileOf(bytes).file)

    expect(answer.ok).toBe(true)
    expect(seen[3]).toMatchObject({ headers: { file_offset: '200000', 'content-length': '0' } })
  })

  it('is given up after three more tries', async () => {
    const { url, seen } = await standIns.channelThat(
      ...[begun, busy, at(0), busy, at(0), busy, at(0), busy, at(0), done],
    )
    const answer = await channel.uploadSample(account(url), fileOf(bytes).file)

    expect(errorOf(answer)).toMatchObject({ kind: 'transient', code: 2 })
    expect(seen).toHaveLength(8)
  })

  it('asks again for the offset when that question fails, within the same three tries', async () => {
    const { url } = await standIns.channelThat(begun, busy, busy, at(10), done)
    expect((await channel.uploadSample(account(url), fileOf(bytes).file)).ok).toBe(true)
  })

  it.each<[string, [number, unknown][], object, number]>([
    ['the session', [[401, graphError(190)]], { kind: 'auth', code: 190 }, 1],
    ['the bytes', [begun, [400, graphError(100)]], { kind: 'parameter', code: 100 }, 2],
    ['to tell the offset', [begun, busy, [400, graphError(100)]], { code: 100 }, 3],
    ['a session with an id', [[200, { id: 'MTph' }]], { code: null, httpStatus: 200 }, 1],
  ])('ends when the channel refuses %s', async (_what, answers, error, asked) => {
    const { url, seen } = await standIns.channelThat(...answers)
    const answer = await channel.uploadSample(account(url), fileOf(bytes).file)

    expect(errorOf(answer)).toMatchObject(error)
    expect(seen).toHaveLength(asked)
  })

  it.each([{ file_offset: 200_001 }, { file_offset: -1 }, { file_offset: 'x' }, {}])(
    'sends nothing from an offset that cannot be: %j',
    async (odd) => {
      const { url, seen } = await standIns.channelThat(
        begun,
        busy,
        [200, odd],
        [200, odd],
        [200, odd],
      )
      errorOf(await channel.uploadSample(account(url), fileOf(bytes).file))
      expect(seen.slice(2).map(({ method }) => method)).toEqual(['GET', 'GET', 'GET'])
    },
  )

  it('that hangs ends within its time, resumptions and all', async () => {
    await channel.close()
    channel = createCloudApi({ timeoutMs: 400, fileTimeoutMs: 200 })
    const server = await listen(async (request, response) => {
      if (request.url?.includes('/uploads?')) response.end(JSON.stringify({ id: SESSION }))
    })
    const startedAt = performance.now()
    const answer = await channel.uploadSample(account(server.url), fileOf(bytes).file)
    await server.close()

    expect(errorOf(answer).details).toBe('ETIMEDOUT')
    expect(performance.now() - startedAt).toBeLessThan(3_000)
  })
})
