import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as looseBytes from '../../capabilities/media/loose-bytes.ts'
import { keep } from '../../capabilities/media/media-uploads.ts'
import * as media from '../../capabilities/media/media.ts'
import type { ProjectContext } from '../../core/context.ts'
import { statement } from '../../core/sql.ts'
import type { MediaStore } from '../../core/stores.ts'
import { jobs } from '../../jobs/index.ts'
import { png } from '../support/sample-files.ts'
import { ahead, startTestService, type TestProject, type TestService } from '../support/service.ts'
import { contentOf, storedFiles } from '../support/uploads.ts'

const KEPT_MS = 10 * 60 * 1000

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService()
})
beforeEach(async () => {
  project = await service.project()
})
afterAll(() => service.stop())

/** Keeps a medium in a store that does something else besides. */
async function keepIn(store: Partial<MediaStore>): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'loose-')), 'file')
  await writeFile(file, png())
  const { id } = project
  const mediaStore = { ...service.ctx.mediaStore, ...store }
  const ctx = { ...service.ctx, mediaStore, project: { id } } as ProjectContext
  const { slug } = await keep(
    ctx,
    { path: file, sizeBytes: png().length, sha256: 'ab'.repeat(32) },
    {
      kind: 'image',
      filename: 'bike.png',
      mimeType: 'image/png',
      copy: null,
      inboundMediaId: null,
    },
  )
  return slug
}

/** Lets the time pass that an upload may take, as the database counts it. */
async function pass(): Promise<void> {
  const at = new Date(Date.now() - KEPT_MS - 1_000)
  await service.ctx.db.looseBytes.updateMany({ data: { createdAt: at } })
}

const sweep = (ctx = service.ctx) => jobs['sweep-loose-bytes'].run(ctx)
const { put, remove } = {
  put: (...args: Parameters<MediaStore['put']>) => service.ctx.mediaStore.put(...args),
  remove: (...args: Parameters<MediaStore['remove']>) => service.ctx.mediaStore.remove(...args),
}

describe('bytes that are being stored', () => {
  it('are not removed by a worker whose clock is ahead, nor late by one whose clock is behind', async () => {
    const slug = await keepIn({
      put: async (...args) => {
        await put(...args)
        await sweep(ahead(service.ctx, KEPT_MS + 60_000))
      },
    })
    expect(await contentOf(project, slug)).toEqual(png())

    await looseBytes.add(service.ctx.sql, 'left-by-a-crash1')
    await pass()
    await sweep({ ...service.ctx, now: () => new Date(0) })
    expect(await service.ctx.db.looseBytes.count()).toBe(0)
  })

  it('become no medium once a sweep has given them up, and nothing of them is left', async () => {
    const before = await storedFiles(service)
    const late = keepIn({
      put: async (...args) => {
        await pass()
        await sweep()
        await put(...args)
      },
    })
    await expect(late).rejects.toThrow('were given up')
    expect(await service.ctx.db.media.count({ where: { projectId: project.id } })).toBe(0)
    expect(await service.ctx.db.looseBytes.count()).toBe(0)
    expect(await storedFiles(service)).toEqual(before)
  })

  it('become no medium while a sweep is about to remove them', async () => {
    let kept: Promise<unknown> = Promise.resolve()
    const late = keepIn({
      put: async (...args) => {
        await put(...args)
        await pass()
        // The sweep has chosen them, and comes to their removal once the upload has ended.
        await new Promise<void>((chosen) => {
          const slow = async (key: string) => {
            chosen()
            await kept
            await remove(key)
          }
          void sweep({
            ...service.ctx,
            mediaStore: { ...service.ctx.mediaStore, remove: slow },
          })
        })
      },
    })
    kept = late.catch(() => {})
    await expect(late).rejects.toThrow('were given up')
    expect(await service.ctx.db.media.count({ where: { projectId: project.id } })).toBe(0)
  })

  it('are not given up while their medium is being written down', async () => {
    const { sql } = service.ctx
    const slug = await keepIn({
      put: async (...args) => {
        await put(...args)
        await pass()
      },
    })
    expect(await contentOf(project, slug)).toEqual(png())

    const key = 'being-written-1234'
    await looseBytes.add(sql, key)
    await pass()
    const removed: string[] = []
    const mediaStore = {
      ...service.ctx.mediaStore,
      remove: async (one: string) => void removed.push(one),
    }
    await sql.transaction(async (tx) => {
      expect(await looseBytes.claim(tx, key)).toBe(true)
      await sweep({ ...service.ctx, mediaStore })
    })
    expect(removed).toEqual([])
  })
})

describe('bytes that cannot be removed', () => {
  const keysLeft = async () => {
    const rows = await service.ctx.db.looseBytes.findMany({ orderBy: { storeKey: 'asc' } })
    return rows.map(({ storeKey }) => storeKey)
  }
  const stuck = async (key: string) => {
    if (key.startsWith('stuck')) throw new Error('Permission denied')
    await remove(key)
  }
  const written = statement('test-loose-rows', 'SELECT store_key, ctid, xmin FROM loose_bytes')

  it('hide none that can be, however many they are, are written to once alone, and told of seldom', async () => {
    const data = Array.from({ length: 1_000 }, (_, n) => ({
      storeKey: `stuck-for-ever-${1_000 + n}`,
    }))
    await service.ctx.db.looseBytes.createMany({ data })
    await pass()
    const ctx = { ...service.ctx, mediaStore: { ...service.ctx.mediaStore, remove: stuck } }
    await sweep(ctx)
    const before = await service.ctx.sql.rows(written)

    await service.ctx.db.looseBytes.create({
      data: { storeKey: 'younger-and-loose', createdAt: new Date(Date.now() - KEPT_MS - 100) },
    })
    await sweep(ctx)

    expect(await keysLeft()).toEqual(data.map(({ storeKey }) => storeKey))
    const told = service.logLines.filter((line) => line.includes('media.bytes_left'))
    expect([told.length > 0, told.length < 100]).toEqual([true, true])
    expect((await service.ctx.sql.rows(written)).map(String).sort()).toEqual(
      before.map(String).sort(),
    )
    await sweep()
    expect(await keysLeft()).toEqual([])
  })

  it('do not keep others from being tried again, however many they are', async () => {
    const data = Array.from({ length: 1_100 }, (_, n) => ({
      storeKey: `stuck-for-ever-${1_000 + n}`,
      isGivenUp: true,
    }))
    await service.ctx.db.looseBytes.createMany({ data })
    await pass()
    await service.ctx.db.looseBytes.create({
      data: {
        storeKey: 'younger-and-possible-again',
        createdAt: new Date(Date.now() - KEPT_MS - 100),
        isGivenUp: true,
      },
    })
    const ctx = { ...service.ctx, mediaStore: { ...service.ctx.mediaStore, remove: stuck } }
    // Each sweep misses it with one chance in eleven: thirty do with none to speak of.
    for (let n = 0; n < 30 && (await keysLeft()).length > data.length; n++) await sweep(ctx)
    expect(await keysLeft()).toEqual(data.map(({ storeKey }) => storeKey))
  })
})

describe('bytes of a medium that is deleted', () => {
  it('are removed later where the store does not remove them now', async () => {
    const before = await storedFiles(service)
    const slug = await keepIn({})
    const refuse = () => Promise.reject(new Error('The store is away'))
    const mediaStore = { ...service.ctx.mediaStore, remove: refuse }
    const ctx = { ...service.ctx, mediaStore, project: { id: project.id } }
    await media.remove(ctx as unknown as ProjectContext, slug)
    await pass()
    await sweep()
    expect(await storedFiles(service)).toEqual(before)
  })
})
