import { utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as looseBytes from '../../capabilities/media/loose-bytes.ts'
import * as mediaUploads from '../../capabilities/media/media-uploads.ts'
import * as media from '../../capabilities/media/media.ts'
import { sweepUploadFiles } from '../../capabilities/media/upload-files.ts'
import type { ProjectContext } from '../../core/context.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import type { Sql } from '../../core/sql.ts'
import { startService } from '../../service.ts'
import { failing } from '../support/failing-sql.ts'
import { storeMedium, storedMedium } from '../support/media.ts'
import { mp3, pdf, png } from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { AMPLE, contentOf, fileForm, leftovers, storedFiles, text } from '../support/uploads.ts'

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService({ env: AMPLE })
})
beforeEach(async () => {
  project = await service.project()
})
afterAll(() => service.stop())

async function upload(bytes = png(), filename = 'bike.png', type = 'image/png', by = project) {
  const { media } = await by.client.ok('uploadMedia', {
    body: fileForm(bytes, filename, type) as never,
  })
  return media
}

describe("a project's media", () => {
  it('are listed from the newest on, page by page, and by kind', async () => {
    const made = []
    for (let i = 0; i < 5; i++) {
      made.unshift(await upload(i % 2 ? mp3() : png(), `n${i}`, i % 2 ? 'audio/mpeg' : 'image/png'))
    }
    const slugs: string[] = []
    let cursor: string | undefined
    do {
      const query = { limit: 2, ...(cursor ? { cursor } : {}) }
      const page = await project.client.ok('listMedia', { query })
      slugs.push(...page.media.map(({ slug }) => slug))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(slugs).toEqual(made.map(({ slug }) => slug))

    const { media, nextCursor } = await project.client.ok('listMedia', {
      query: { kind: 'audio', limit: 1 },
    })
    expect(media).toEqual([made[1]])
    const next = { kind: 'audio' as const, cursor: nextCursor ?? '' }
    expect((await project.client.ok('listMedia', { query: next })).media).toEqual([made[3]])
    await project.client.refused('listMedia', 'invalid_cursor', { query: { cursor: next.cursor } })
    await project.client.refused('listMedia', 'bad_request', { query: { kind: 'gif' } })
  })

  it('have slugs of their own, though the same file comes twice', async () => {
    const slugs = await Promise.all(Array.from({ length: 20 }, () => upload().then((m) => m.slug)))
    expect(new Set(slugs).size).toBe(20)
    for (const slug of slugs) expect(slug).toMatch(/^bike-[a-z][a-z0-9]{5}$/)
  })

  it.each([
    ['Prix d’été — 2026.PDF', /^prix-d-ete-2026-[a-z]/],
    ['価格表.pdf', /^document-[a-z]/],
    [`${'long '.repeat(40)}.pdf`, /^(long-){10}[a-z]/],
    ['1042.pdf', /^1042-[a-z]/],
    ['---.pdf', /^document-[a-z]/],
  ])('named %j have slugs that are easy to write', async (filename, expected) => {
    const { slug } = await upload(pdf(), filename, 'application/pdf')
    expect(slug).toMatch(expected)
    expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(slug.length).toBeLessThanOrEqual(60)
  })

  it('are nobody else’s', async () => {
    const { slug, media_id } = await upload()
    const other = await service.project()
    for (const name of [slug, media_id ?? '']) {
      for (const operation of ['getMedia', 'getMediaContent', 'deleteMedia'] as const) {
        const parts = { path: { slug: name } }
        expect((await other.client.refused(operation, 'not_found', parts)).status).toBe(404)
      }
    }
    expect((await other.client.ok('listMedia')).media).toEqual([])
    expect(await contentOf(project, slug)).toEqual(png())
  })

  it.each(['a/b', 'a b', 'a%b', 'ä', 'x'.repeat(129)])('cannot be called %j', async (slug) => {
    await project.client.refused('getMedia', 'invalid_id', { path: { slug } })
  })
})

describe('the content of a medium', () => {
  it('is saved rather than shown, and never run', async () => {
    const { slug } = await upload(text(100), 'page.txt', 'text/plain')
    const { headers } = await project.client.send('getMediaContent', { path: { slug } })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '100',
      'content-disposition': `attachment; filename="page.txt"; filename*=UTF-8''page.txt`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it('is MEDIA_EXPIRED when its bytes are gone', async () => {
    await storeMedium(service, project)
    const path = { slug: storedMedium.slug }
    expect(
      (await project.client.refused('getMediaContent', 'MEDIA_EXPIRED', { path })).status,
    ).toBe(410)

    const { slug } = await upload()
    const { storeKey } = await service.ctx.db.media.findFirstOrThrow({ where: { slug } })
    await service.ctx.mediaStore.remove(storeKey ?? '')
    await project.client.refused('getMediaContent', 'MEDIA_EXPIRED', { path: { slug } })
    expect((await project.client.ok('getMedia', { path: { slug } })).media.slug).toBe(slug)
  })
})

describe('a medium that is deleted', () => {
  it('is gone here, in the store and at the channel', async () => {
    const before = await storedFiles(service)
    const { slug, media_id } = await upload()
    const account = await service.account(project.id)
    const url = `${service.ctx.sandboxUrl()}/v25.0/${media_id}`
    const headers = { authorization: `Bearer ${account.accessToken}` }
    expect((await fetch(url, { headers })).status).toBe(200)

    const deletion = await project.client.ok('deleteMedia', { path: { slug } })

    expect(deletion).toEqual({ deleted: true, id: slug })
    expect(await storedFiles(service)).toEqual(before)
    expect((await fetch(url, { headers })).status).toBe(400)
    expect(await service.ctx.db.looseBytes.count()).toBe(0)
    await project.client.refused('deleteMedia', 'not_found', { path: { slug } })
    await project.client.refused('getMediaContent', 'not_found', { path: { slug } })
  })

  it('is gone here also when the channel cannot be asked to forget its copy', async () => {
    const { slug, media_id } = await upload()
    const { id } = project
    const ctx = { ...service.ctx, sandboxUrl: () => null, project: { id } } as ProjectContext
    await media.remove(ctx, slug)
    await project.client.refused('getMedia', 'not_found', { path: { slug } })
    const told = service.logLines.filter((line) => line.includes('media.copy_left'))
    expect(told.join()).toContain(media_id)
  })

  it('is deleted once, however many ask', async () => {
    const { slug } = await upload()
    const asked = Array.from({ length: 10 }, () =>
      project.client.send('deleteMedia', { path: { slug } }),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array<number>(9).fill(404)])
  })
})

describe('a database that goes away while a medium is written down', () => {
  const file = { data: png().toString('base64'), filename: 'bike.png', mime: 'image/png' }
  /** Uploads over a database whose transactions end as told; answers with the copies that were forgotten. */
  async function forgottenBy(
    transaction: Sql['transaction'],
    { sql }: { sql: Sql } = service.ctx,
  ): Promise<string[]> {
    const forgotten: string[] = []
    const { channel } = service.ctx
    const ctx = {
      ...service.ctx,
      project: { id: project.id },
      credential: { id: project.keyId, kind: 'key' },
      budgets: [],
      sql: { ...sql, transaction },
      channel: {
        ...channel,
        deleteMedia: (account: ChannelAccount, mediaId: string) => {
          forgotten.push(mediaId)
          return channel.deleteMedia(account, mediaId)
        },
      },
    } as unknown as ProjectContext
    const source = { ...file, kind: 'image' as const }
    await expect(mediaUploads.upload(ctx, source)).rejects.toThrow('terminated')
    return forgotten
  }

  it('leaves the channel its copy when the medium was written all the same', async () => {
    const forgotten = await forgottenBy(async (work) => {
      await service.ctx.sql.transaction(work)
      throw new Error('Connection terminated unexpectedly')
    })
    expect((await project.client.ok('listMedia')).media).toHaveLength(1)
    expect(forgotten).toEqual([])
  })

  it('leaves the channel its copy when nobody can tell whether the medium was written', async () => {
    const away = failing(service.ctx.sql, { 'find-kept-copy': 1 })
    const forgotten = await forgottenBy(async (work) => {
      await service.ctx.sql.transaction(work)
      throw new Error('Connection terminated unexpectedly')
    }, away)
    expect([away.failed('find-kept-copy'), forgotten]).toEqual([1, []])
  })

  it('has the channel forget its copy when the medium was not written', async () => {
    const forgotten = await forgottenBy(() =>
      Promise.reject(new Error('Connection terminated unexpectedly')),
    )
    expect((await project.client.ok('listMedia')).media).toEqual([])
    expect(forgotten).toHaveLength(1)
  })
})

describe('what a crash leaves', () => {
  it('of bytes that no medium owns is removed, and nothing else', async () => {
    const { slug } = await upload()
    const file = path.join(service.ctx.config.dataDir, 'left')
    const key = '0123456789abcdef'
    await looseBytes.add(service.ctx.sql, key)
    await writeFile(file, 'x')
    await service.ctx.mediaStore.put(key, { path: file, sizeBytes: 1 })

    await looseBytes.sweep(service.ctx)
    expect(await storedFiles(service)).toContain(key)
    const at = new Date(Date.now() - 10 * 60 * 1000 - 1_000)
    await service.ctx.db.looseBytes.updateMany({ data: { createdAt: at } })
    await looseBytes.sweep(service.ctx)

    expect(await storedFiles(service)).not.toContain(key)
    expect(await service.ctx.db.looseBytes.count()).toBe(0)
    expect(await contentOf(project, slug)).toEqual(png())
  })

  it('of uploads that were arriving is removed at the next start, but not what arrives now', async () => {
    const folder = path.join(service.ctx.config.dataDir, 'uploads')
    const old = new Date(service.ctx.now().getTime() - 10 * 60 * 1000 - 1_000)
    for (const name of ['old', 'older', 'new']) await writeFile(path.join(folder, name), 'x')
    const now = service.ctx.now()
    await utimes(path.join(folder, 'new'), now, now)
    for (const name of ['old', 'older']) await utimes(path.join(folder, name), old, old)

    const noPool = { query: () => Promise.reject(new Error('Not asked')) } as never
    const next = await startService({
      ctx: service.ctx,
      pool: noPool,
      connectCounters: async () => {},
      useSandbox: () => {},
      onWork: () => {},
      close: async () => {},
    })
    await next.stop()

    expect(await leftovers(service)).toEqual(['new'])
    service.advance(10 * 60 * 1000 + 1_000)
    await sweepUploadFiles(service.ctx)
    expect(await leftovers(service)).toEqual([])
  })
})
