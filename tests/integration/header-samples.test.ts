import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as headerSamples from '../../capabilities/templates/header-samples.ts'
import * as retention from '../../capabilities/retention.ts'
import type { ProjectContext } from '../../core/context.ts'
import { isoMedia, pdf, png } from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { AMPLE, MIB, text } from '../support/uploads.ts'

const SAMPLES = {
  IMAGE: { bytes: png(), filename: 'a.png', mime: 'image/png' },
  VIDEO: { bytes: isoMedia('isom', ['vide']), filename: 'a.mp4', mime: 'video/mp4' },
  DOCUMENT: { bytes: pdf(), filename: 'a.pdf', mime: 'application/pdf' },
}
type Format = keyof typeof SAMPLES

let service: TestService
let project: TestProject
beforeAll(async () => {
  service = await startTestService({ env: AMPLE, behindMs: 2 * 60 * 60 * 1000 })
  project = await service.project()
})
afterAll(() => service.stop())

function sampleOf(format: Format, by = project) {
  const { bytes, ...named } = SAMPLES[format]
  const body = { format, data: bytes.toString('base64'), ...named }
  return by.client.ok('uploadHeaderSample', { body })
}
const inProject = ({ id }: TestProject) => ({ ...service.ctx, project: { id } }) as ProjectContext
const redeem = (handle: string, format: Format = 'IMAGE', by = project) =>
  headerSamples.redeem(inProject(by), handle, format)

describe('a header sample', () => {
  it.each(Object.keys(SAMPLES) as Format[])('of the format %s is uploaded', async (format) => {
    const { bytes, filename, mime } = SAMPLES[format]
    expect(await sampleOf(format)).toEqual({
      handle: expect.stringMatching(/^hs_[\w-]{43}$/),
      format,
      filename,
      mime_type: mime,
      size: bytes.length,
    })
  })

  it('is refused where its type is not one of its format', async () => {
    const { bytes, ...named } = SAMPLES.DOCUMENT
    const body = { format: 'IMAGE', data: bytes.toString('base64'), ...named }
    const refusal = await project.client.refused('uploadHeaderSample', 'unsupported_media_type', {
      body,
    })
    expect(refusal).toMatchObject({
      status: 415,
      details: {
        declared: 'application/pdf',
        detected: null,
        accepted: ['image/jpeg', 'image/png'],
      },
    })
  })

  it('is refused where its declared type is not one of its format, whatever its bytes are', async () => {
    const { bytes, ...named } = SAMPLES.IMAGE
    const body = { ...named, format: 'IMAGE' as const, data: bytes.toString('base64') }
    const { details } = await project.client.refused(
      'uploadHeaderSample',
      'unsupported_media_type',
      { body: { ...body, mime: 'application/octet-stream' } },
    )
    expect(details).toMatchObject({ declared: 'application/octet-stream' })
  })

  it('may have 5 MiB in base64, in a body of 8 MiB', async () => {
    const named = { format: 'DOCUMENT', filename: 'a.txt', mime: 'text/plain' }
    const data = text(5 * MIB).toString('base64')
    const { size } = await project.client.ok('uploadHeaderSample', {
      body: { ...named, data } as never,
    })
    expect(size).toBe(5 * MIB)
    const over = text(5 * MIB + 1).toString('base64')
    const tooLarge = await project.client.refused('uploadHeaderSample', 'file_too_large', {
      body: { ...named, data: over },
    })
    expect(tooLarge).toMatchObject({ status: 413, details: { limit_bytes: 5 * MIB } })
    const body = { ...named, data: 'A'.repeat(8 * MIB) }
    const { details } = await project.client.refused('uploadHeaderSample', 'file_too_large', {
      body,
    })
    expect(details).toEqual({ limit_bytes: 8 * MIB })
  })

  it('shares its budget with media', async () => {
    const own = await startTestService({ env: { UPLOAD_REQUESTS_PER_MINUTE: '2' } })
    const by = await own.project()
    await sampleOf('IMAGE', by)
    const media = { kind: 'image', filename: 'a.png', mime: 'image/png' } as const
    const body = { ...media, data: png().toString('base64') }
    await by.client.ok('uploadMedia', { body })
    const { details } = await by.client.refused('uploadMedia', 'rate_limited', { body })
    expect(details).toMatchObject({ limit_name: 'upload-requests', limit: 2, remaining: 0 })
    await own.stop()
  })
})

describe('the handle of a header sample', () => {
  it("gives the channel's own handle, once", async () => {
    const { handle } = await sampleOf('IMAGE')
    expect(await redeem(handle)).toMatch(/^4::/)
    await expect(redeem(handle)).rejects.toMatchObject({ status: 400, code: 'invalid_request' })
  })

  it('gives it to one of many who ask at once', async () => {
    const { handle } = await sampleOf('IMAGE')
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => redeem(handle)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('can be used again when its use was given back', async () => {
    const { handle } = await sampleOf('VIDEO')
    const first = await redeem(handle, 'VIDEO')
    await headerSamples.release(inProject(await service.project()), handle)
    await expect(redeem(handle, 'VIDEO')).rejects.toMatchObject({ code: 'invalid_request' })
    await headerSamples.release(inProject(project), handle)
    expect(await redeem(handle, 'VIDEO')).toBe(first)
  })

  it('is refused for another format and in another project, and is not used up by that', async () => {
    const { handle } = await sampleOf('IMAGE')
    const other = await service.project()
    const refused = { code: 'invalid_request' }
    await expect(redeem(handle, 'VIDEO')).rejects.toMatchObject(refused)
    await expect(redeem(handle, 'IMAGE', other)).rejects.toMatchObject(refused)
    expect(await redeem(handle)).toMatch(/^4::/)
  })

  it('is good for an hour, and not a millisecond longer', async () => {
    const [first, second] = [await sampleOf('IMAGE'), await sampleOf('IMAGE')]
    service.advance(60 * 60 * 1000 - 1)
    expect(await redeem(first.handle)).toMatch(/^4::/)
    service.advance(1)
    await expect(redeem(second.handle)).rejects.toMatchObject({ code: 'invalid_request' })
    await headerSamples.release(inProject(project), first.handle)
    await expect(redeem(first.handle)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('is no media id, and a media id is no handle', async () => {
    const { handle } = await sampleOf('IMAGE')
    const media = { kind: 'image', filename: 'a.png', mime: 'image/png' } as const
    const body = { ...media, data: png().toString('base64') }
    const { media: medium } = await project.client.ok('uploadMedia', { body })
    for (const name of [medium.media_id ?? '', medium.slug, '', 'hs_', `${handle}x`]) {
      await expect(redeem(name)).rejects.toMatchObject({ code: 'invalid_request' })
    }
    await project.client.refused('getMedia', 'not_found', { path: { slug: handle } })
  })

  it('is nowhere in the database, and neither is that of the channel', async () => {
    const { handle } = await sampleOf('IMAGE')
    const rows = JSON.stringify(await service.ctx.db.headerSample.findMany())
    expect(rows).not.toContain(handle)
    expect(rows).not.toContain('4::')
  })

  it('is forgotten when its hour is over', async () => {
    await sampleOf('IMAGE')
    service.advance(60 * 60 * 1000 + 1)
    await sampleOf('IMAGE')
    await retention.pruneExpired(service.ctx)
    expect(await service.ctx.db.headerSample.count()).toBe(1)
  })
})
