import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { pruneExpired } from '../../capabilities/retention.ts'
import { LIMITS } from '../../core/limits.ts'
import { storeFlow } from '../support/flows.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService({ behindMs: 12 * LIMITS.codeBlobsKeptMs })
  project = await service.project()
})
afterAll(() => service.stop())

const put = (path: string, content: string, more: object = {}, { client } = project) =>
  client.ok('putFile', { path: { path }, body: { content, ...more } })
const read = async (path: string, { client } = project) =>
  (await client.ok('getFile', { path: { path } })).file
const list = async ({ client } = project) => (await client.ok('listFiles')).files
const refused = (
  code: 'bad_request' | 'invalid_request' | 'payload_too_large',
  path: string,
  body: object,
) => project.client.refused('putFile', code, { path: { path }, body })

describe('a project without code', () => {
  it('begins with the files of the starter, the same whoever looks first', async () => {
    const fresh = await service.project()
    const listed = await Promise.all(Array.from({ length: 5 }, () => list(fresh)))

    const [files = []] = listed
    expect(files.map(({ path }) => path)).toEqual([...service.ctx.starter.keys()].sort())
    for (const { path, size, sha256: sha } of files) {
      const content = service.ctx.starter.get(path)
      expect([path, size, sha]).toEqual([path, content?.length, sha256(content ?? '')])
    }
    for (const other of listed) expect(other).toEqual(files)
  })

  it('shows which files the platform keeps, and their content', async () => {
    const kept = (await list()).filter((file) => file.protected).map(({ path }) => path)
    expect(kept).toEqual(
      expect.arrayContaining([
        ...['api/send.ts', 'api/webhook.ts', 'app.ts'],
        ...['lib/bot.ts', 'manifest.json', 'package.json'],
      ]),
    )
    expect(kept).not.toContain('bot.ts')
    for (const path of kept) expect((await read(path)).protected).toBe(true)
    for (const path of ['.platform/x', 'flows/x.json', 'flows/x']) {
      await project.client.refused('getFile', 'not_found', { path: { path } })
    }
    expect(await read('lib/bot.ts')).toMatchObject({
      protected: true,
      encoding: 'utf-8',
      content: service.ctx.starter.get('lib/bot.ts')?.toString(),
    })
  })
})

describe('the definition of a flow', () => {
  it('is a file that the platform keeps, as the flow has it, of its own project alone', async () => {
    const id = await storeFlow(service, project)
    const { flow } = await project.client.ok('getFlow', { path: { id } })
    const path = `flows/${id}.json`

    const { content, encoding, ...file } = await read(path)
    expect([encoding, JSON.parse(content)]).toEqual(['utf-8', flow.definition])
    expect(file).toEqual({
      path,
      size: Buffer.byteLength(content),
      sha256: sha256(content),
      protected: true,
      updated_at: flow.updated_at,
    })
    expect((await list()).filter((listed) => listed.path.startsWith('flows/'))).toEqual([file])
    for (const operation of ['putFile', 'deleteFile'] as const) {
      const body = operation === 'putFile' ? { body: { content: '{}' } } : {}
      await project.client.refused(operation, 'protected_file', { path: { path }, ...body })
    }
    expect((await read(path)).content).toBe(content)

    const stranger = await service.project()
    await stranger.client.refused('getFile', 'not_found', { path: { path } })
    expect((await list(stranger)).filter((other) => other.path.startsWith('flows/'))).toEqual([])
  })

  it('is no file while the channel has none', async () => {
    const other = await service.project()
    const id = await storeFlow(service, other)
    await service.ctx.db.$executeRaw`UPDATE flows SET definition = NULL WHERE id = ${id}`
    await other.client.refused('getFile', 'not_found', { path: { path: `flows/${id}.json` } })
    expect((await list(other)).filter(({ path }) => path.startsWith('flows/'))).toEqual([])
  })
})

describe('a file', () => {
  const texts = ['', 'export const a = 1\n', '\ufeffmarked', 'ünïcödé 👋 \u2028', '\r\n\t']
  it.each(texts)('comes back as it was written: %j', async (content) => {
    await put('texts/one.ts', content)
    const size = Buffer.byteLength(content)
    const file = await read('texts/one.ts')
    expect(file).toMatchObject({ content, encoding: 'utf-8', size, sha256: sha256(content) })
  })

  it('bears the same instant however it is looked at, while the clock goes on', async () => {
    const { now } = service.ctx
    let ms = 0
    const clock = jest.spyOn(service.ctx, 'now')
    clock.mockImplementation(() => new Date(now().getTime() + ++ms))
    const { file } = await put('stamped.ts', '1')
    expect(await read('stamped.ts')).toEqual(file)
    clock.mockRestore()
  })

  it('may be bytes of any kind, in base64', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at))
    const { file } = await put('dot.bin', bytes.toString('base64'), { encoding: 'base64' })
    expect(file).toMatchObject({ size: 256, sha256: sha256(bytes), encoding: 'base64' })
    expect(await read('dot.bin')).toEqual(file)
  })

  it.each(['a', 'YQ', 'YQ=', 'Y Q==', 'YQ==\n', '_-8=', 'data:text/plain;base64,YQ==', 'YR=='])(
    'is refused as the broken base64 %j',
    async (content) => {
      const body = { content, encoding: 'base64' }
      const { details } = await refused('invalid_request', 'broken.bin', body)
      expect(details.errors).toEqual([{ path: 'content', message: expect.any(String) }])
    },
  )

  it('is listed where its path belongs, and gone once it is deleted', async () => {
    await put('zoo/a.ts', '1')
    const paths = (await list()).map(({ path }) => path)
    expect(paths).toEqual([...paths].sort())
    expect(paths).toContain('zoo/a.ts')

    const path = { path: 'zoo/a.ts' }
    expect(await project.client.ok('deleteFile', { path })).toEqual({
      deleted: true,
      id: path.path,
    })

    expect((await list()).map(({ path }) => path)).not.toContain('zoo/a.ts')
    await project.client.refused('getFile', 'not_found', { path })
    await project.client.refused('deleteFile', 'not_found', { path })
  })

  it('is named by one encoded segment or by plain slashes, for every method', async () => {
    await put('deep/er/a b+c.ts', 'deep')
    for (const address of [
      'deep%2Fer%2Fa%20b%2Bc.ts',
      'deep/er/a%20b+c.ts',
      'deep/er%2Fa%20b+c.ts',
    ]) {
      const answer = await project.client.raw('GET', `/v1/files/${address}`)
      expect(answer).toMatchObject({ status: 200, body: { data: { file: { content: 'deep' } } } })
    }
    const body = { content: 'new' }
    const written = await project.client.raw('PUT', '/v1/files/deep/er/x.ts', { body })
    expect(written).toMatchObject({
      status: 200,
      body: { data: { file: { path: 'deep/er/x.ts' } } },
    })
    const gone = await project.client.raw('DELETE', '/v1/files/deep/er/x.ts')
    expect(gone).toMatchObject({ status: 200, body: { data: { id: 'deep/er/x.ts' } } })
    for (const method of ['POST', 'HEAD']) {
      const { status, headers } = await fetch(`${service.url}/v1/files/deep/er/x.ts`, { method })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, PUT, DELETE'])
    }
  })

  it.each([
    '__proto__',
    'constructor',
    'toString/__proto__.ts',
    'ä/日本.ts',
    'a.b.c',
    '.env',
    '100%',
  ])('may have the path %j', async (path) => {
    const { file } = await put(path, path)
    expect(file).toMatchObject({ path, content: path })
    expect(await read(path)).toEqual(file)
    await project.client.ok('deleteFile', { path: { path } })
  })

  it("is the project's alone", async () => {
    const other = await service.project()
    await put('mine.ts', 'mine')
    await put('mine.ts', 'theirs', {}, other)
    await other.client.ok('deleteFile', { path: { path: 'mine.ts' } })
    expect(await read('mine.ts')).toMatchObject({ content: 'mine' })
  })

  it('has at most one mebibyte once decoded, whatever it takes to write it', async () => {
    const most = 'x'.repeat(LIMITS.codeFileBytes)
    const { file } = await put('large.txt', most)
    expect(file.size).toBe(LIMITS.codeFileBytes)
    const inBase64 = (text: string) => ({ content: btoa(text), encoding: 'base64' })
    await put('large.txt', btoa(most), { encoding: 'base64' })

    for (const body of [{ content: `${most}x` }, inBase64(`${most}x`)]) {
      const { details } = await refused('payload_too_large', 'large.txt', body)
      expect(details).toEqual({ limit_bytes: LIMITS.codeFileBytes })
    }
    const body = { content: 'ä'.repeat(LIMITS.codeFileBytes / 2 + 1) }
    await refused('payload_too_large', 'large.txt', body)
    expect(await read('large.txt')).toMatchObject({ content: btoa(most), encoding: 'base64' })
  })

  it('cannot be a folder as well', async () => {
    await put('both/inner.ts', '1')
    await put('both0', '1')
    await put('both.ts', '1')
    await refused('bad_request', 'both', { content: '1' })
    await refused('bad_request', 'both/inner.ts/more.ts', { content: '1' })
    await refused('bad_request', 'bot.ts/more/and/more.ts', { content: '1' })
    await refused('bad_request', 'api', { content: '1' })
  })
})

describe('two who write the same file', () => {
  const expecting = (sha: string) => ({ content: 'newer', expected_sha256: sha })
  const path = { path: 'shared.ts' }

  it('do not lose what the other wrote when they say what they have read', async () => {
    const { file } = await put('shared.ts', 'old')
    await put('shared.ts', 'theirs', { expected_sha256: file.sha256 })

    const body = expecting(file.sha256)
    const { status, details } = await project.client.refused('putFile', 'file_changed', {
      path,
      body,
    })

    expect(status).toBe(409)
    expect(details).toEqual({ expected_sha256: sha256('old'), sha256: sha256('theirs') })
    expect(await read('shared.ts')).toMatchObject({ content: 'theirs' })
  })

  it('are told when it is gone', async () => {
    const body = expecting(sha256('gone'))
    const parts = { path: { path: 'never-there.ts' }, body }
    const { details } = await project.client.refused('putFile', 'file_changed', parts)
    expect(details).toEqual({ expected_sha256: sha256('gone'), sha256: null })
    await project.client.refused('getFile', 'not_found', { path: parts.path })
  })

  it('win once among twenty at the same moment', async () => {
    const { file } = await put('shared.ts', 'start')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        project.client.send('putFile', {
          path,
          body: { content: `by ${at}`, expected_sha256: file.sha256 },
        }),
      ),
    )
    const winners = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []))
    expect(winners).toHaveLength(1)
    expect(await read('shared.ts')).toMatchObject({ content: `by ${winners[0]}` })
  })
})

describe('the limit of files', () => {
  it('holds when the last places are taken at the same moment, and lets files be rewritten', async () => {
    const full = await service.project()
    const room = LIMITS.codeFiles - (await list(full)).length
    const names = Array.from({ length: room - 2 }, (_, at) => `f/${at}.txt`)
    for (let at = 0; at < names.length; at += 50) {
      await Promise.all(names.slice(at, at + 50).map((name) => put(name, name, {}, full)))
    }

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        full.client.send('putFile', { path: { path: `last/${at}.txt` }, body: { content: '' } }),
      ),
    )

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(6)
    expect(await list(full)).toHaveLength(LIMITS.codeFiles)
    await put('bot.ts', 'rewritten', {}, full)
    await full.client.ok('deleteFile', { path: { path: 'f/0.txt' } })
    await put('one-more.txt', '', {}, full)
  })
})

describe('content that no file has any more', () => {
  const held = async (content: string) => {
    const projectId = project.id
    const where = { projectId_sha256: { projectId, sha256: Buffer.from(sha256(content), 'hex') } }
    return (await service.ctx.db.codeBlob.findUnique({ where })) !== null
  }

  it('is removed an hour later, and none that a file has', async () => {
    await put('kept.txt', 'kept content')
    await put('gone.txt', 'first content')
    service.advance(10 * LIMITS.codeBlobsKeptMs)
    await put('gone.txt', 'second content')

    await pruneExpired(service.ctx)
    expect(await held('first content')).toBe(true)

    service.advance(LIMITS.codeBlobsKeptMs + 1)
    await pruneExpired(service.ctx)
    expect(await held('first content')).toBe(false)
    expect(await held('second content')).toBe(true)
    expect(await held('kept content')).toBe(true)
    expect(await read('kept.txt')).toMatchObject({ content: 'kept content' })
  })
})
