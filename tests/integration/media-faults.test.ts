import { truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import * as looseBytes from '../../capabilities/media/loose-bytes.ts'
import { LIMITS } from '../../core/limits.ts'
import { startFaultS3 } from '../support/fault-s3.ts'
import { png } from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { AMPLE, contentOf, fileForm, leftovers } from '../support/uploads.ts'

const limits = LIMITS as Record<string, unknown>
const PHONE = '+15550001234'
const DAY_MS = 24 * 60 * 60 * 1000

let s3: Awaited<ReturnType<typeof startFaultS3>>
let service: TestService
let project: TestProject
beforeAll(async () => {
  s3 = await startFaultS3()
  service = await startTestService({ env: { ...AMPLE, MEDIA_STORE_URL: s3.url } })
})
beforeEach(async () => {
  s3.become('pass')
  project = await service.project()
})
afterEach(() => void jest.restoreAllMocks())
afterAll(async () => {
  await service.stop()
  await s3.stop()
})

const request = { body: fileForm(png(), 'bike.png', 'image/png') as never }
const upload = async () => (await project.client.ok('uploadMedia', request)).media

/** A send by the slug of a medium whose copy at the channel has ended. */
async function lateSend(of: TestService, { client, ...by }: TestProject, slug: string) {
  of.advance(40 * DAY_MS)
  await of.customer({ client, ...by }, { phone: PHONE })
  const body = { type: 'image' as const, phone: PHONE, media_slug: slug }
  return { body, headers: { 'idempotency-key': 'one' } }
}

describe('a medium of which the store has more or less than was kept', () => {
  /** Its bytes are told of as gone, at once, and the log says what there is. */
  async function mustBeGone(of: TestService, by: TestProject, slug: string, found: number) {
    const get = () => by.client.refused('getMediaContent', 'MEDIA_EXPIRED', { path: { slug } })
    expect((await get()).status).toBe(410)
    const late = await lateSend(of, by, slug)
    expect((await by.client.refused('sendMessage', 'MEDIA_EXPIRED', late)).status).toBe(410)
    const told = of.logLines.filter(
      (line) => line.includes('media.bytes_damaged') && line.includes(slug),
    )
    expect(told).toHaveLength(2)
    for (const line of told) expect(JSON.parse(line)).toMatchObject({ size: png().length, found })
  }

  it.each([
    ['short', Math.floor(png().length / 2)],
    ['long', 2 * png().length],
  ] as const)('is gone, in an S3-compatible store: %s', async (fault, found) => {
    const { slug } = await upload()
    s3.become(fault)
    await mustBeGone(service, project, slug, found)
    s3.become('pass')
    expect(await contentOf(project, slug)).toEqual(png())
  })

  it('is gone, on the file system', async () => {
    const other = await startTestService({ env: AMPLE })
    const by = await other.project()
    const { slug } = (await by.client.ok('uploadMedia', request)).media
    const { storeKey } = await other.ctx.db.media.findFirstOrThrow({ where: { slug } })
    const folder = path.join(other.ctx.config.dataDir, 'media', storeKey!.slice(0, 2))
    await truncate(path.join(folder, storeKey!), 10)
    await mustBeGone(other, by, slug, 10)
    await writeFile(path.join(folder, storeKey!), png())
    expect(await contentOf(by, slug)).toEqual(png())
    await other.stop()
  })
})

describe('a store that fails', () => {
  it.each(['cut', 503, 403] as const)(
    'as a file is sent again is a fault of ours, and a retry sends: %s',
    async (fault) => {
      const { slug } = await upload()
      const late = await lateSend(service, project, slug)
      s3.become(fault, 'GET')
      expect((await project.client.refused('sendMessage', 'server_error', late)).status).toBe(500)
      s3.become('pass')
      const { status } = await project.client.ok('sendMessage', late)
      expect(status).toBe('sent')
    },
  )

  it.each([503, 403] as const)(
    'as a file is kept leaves no medium, and nothing that is not removed later: %i',
    async (fault) => {
      s3.become(fault, 'PUT')
      await project.client.refused('uploadMedia', 'server_error', request)
      expect((await project.client.ok('listMedia')).media).toEqual([])
      expect(await leftovers(service)).toEqual([])
      s3.become('pass')
      await swept()
    },
  )

  it.each([503, 'mute'] as const)(
    'as a medium is deleted does not keep it: its bytes are removed later: %s',
    async (fault) => {
      giveUpSoon()
      const { slug } = await upload()
      s3.become(fault, 'DELETE')
      await project.client.ok('deleteMedia', { path: { slug } })
      await project.client.refused('getMediaContent', 'not_found', { path: { slug } })
      s3.become('pass')
      await swept()
    },
  )

  it('by its silence is waited for no longer than somebody waits for a file', async () => {
    giveUpSoon()
    const { slug } = await upload()
    s3.become('mute', 'GET')
    await project.client.refused('getMediaContent', 'server_error', { path: { slug } })
    s3.become('pass')
    expect(await contentOf(project, slug)).toEqual(png())
  })

  it('by its silence as a file is kept is waited for once', async () => {
    jest.replaceProperty(limits, 'mediaStoreSilenceMs', 500)
    const other = await startTestService({ env: { ...AMPLE, MEDIA_STORE_URL: s3.url } })
    const { client } = await other.project()
    s3.become('mute', 'PUT')
    const before = s3.asked.length
    await client.refused('uploadMedia', 'server_error', request)
    expect(s3.asked.slice(before)).toEqual(['PUT mute'])
    await other.stop()
  })
})

/** The store is soon given up that does not answer. */
function giveUpSoon(): void {
  jest.replaceProperty(limits, 'mediaStoreAnswerMs', 1_000)
}

/** Once their time is over, nothing is left of bytes that nobody owns. */
async function swept(): Promise<void> {
  const { looseBytes: rows, media } = service.ctx.db
  await rows.updateMany({ data: { createdAt: new Date(Date.now() - DAY_MS) } })
  await looseBytes.sweep(service.ctx)
  expect(await rows.count()).toBe(0)
  const kept = await media.findMany({ select: { storeKey: true } })
  expect([...s3.objects.keys()].toSorted()).toEqual(
    kept.map(({ storeKey }) => `/media/${storeKey}`).toSorted(),
  )
}
