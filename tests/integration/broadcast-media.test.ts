import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { ErrorCode } from '../../core/errors.ts'
import type { ChannelError } from '../../core/channel-account.ts'
import type { Channel } from '../../core/ports.ts'
import { draftOf, storeContacts } from '../support/broadcasts.ts'
import { storeMedium } from '../support/media.ts'
import { png } from '../support/sample-files.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'
import { body, header, storeTemplate } from '../support/templates.ts'

let service: TestService
let project: TestProject
/** Why the channel takes no file. */
let kind: ChannelError['kind']
beforeAll(async () => {
  const uploadMedia: Channel['uploadMedia'] = () => {
    const said = { code: 1, subcode: null, title: 'No', details: null, httpStatus: 500 }
    return Promise.resolve({ ok: false, error: { kind, ...said, traceId: null, retryable: false } })
  }
  const channel = { ...createStubChannel().channel, uploadMedia }
  service = await startTestService({ replaced: { channel } })
})
beforeEach(async () => {
  project = await service.project()
  await storeContacts(service, project, [{ name: 'Ana', optedIn: true }])
  const components = [header('IMAGE'), body('Hi.')]
  await storeTemplate(service, project, { name: 'pictured', components })
})
afterAll(() => service.stop())

const refused = (code: ErrorCode, media: object) =>
  project.client.refused('createBroadcast', code, {
    body: draftOf({ template_name: 'pictured', header: media }),
  })
const broadcasts = async () => (await project.client.ok('listBroadcasts')).broadcasts

describe("the medium of a broadcast's header", () => {
  it.each<[ChannelError['kind'], ErrorCode]>([
    ['transient', 'upstream_error'],
    ['auth', 'upstream_auth_error'],
  ])('that the channel does not take (%s) makes no broadcast: %s', async (given, code) => {
    kind = given
    const expiresAt = service.ctx.now()
    await storeMedium(service, project, { kind: 'image', slug: 'old', bytes: png(), expiresAt })
    expect((await refused(code, { media_slug: 'old' })).status).toBe(502)
    expect(await broadcasts()).toEqual([])
  })

  it('that has ended makes no broadcast: MEDIA_EXPIRED', async () => {
    const expiresAt = service.ctx.now()
    await storeMedium(service, project, { kind: 'image', slug: 'gone', mediaId: '99', expiresAt })
    await refused('MEDIA_EXPIRED', { media_slug: 'gone' })
    expect((await refused('MEDIA_EXPIRED', { media_id: '99' })).status).toBe(410)
    expect(await broadcasts()).toEqual([])
  })
})
