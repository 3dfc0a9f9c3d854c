import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as serverAddress from '../../capabilities/channel-accounts/server-address.ts'
import { valueOf } from '../support/channel-files.ts'
import { operate } from '../support/operator.ts'
import {
  startTestService,
  TEST_ENCRYPTION_KEY,
  type TestProject,
  type TestService,
} from '../support/service.ts'

const FROM = '+15550001234'

let folder: string
let service: TestService
let project: TestProject

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'inbound-file-'))
  service = await startTestService()
  await serverAddress.note(service.ctx, service.url)
  project = await service.project()
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

async function fileOf(name: string, bytes: Buffer): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, bytes)
  return file
}

/** A customer's message from the operator's command line. */
function inbound(...flags: string[]) {
  const env = {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.ctx.config.dataDir,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  }
  const command = ['sandbox', 'inbound', '--project', project.id, '--from', FROM]
  return operate(env, [...command, ...flags])
}

describe('a file that a customer sends through the sandbox', () => {
  it.each([
    ['photo.JPEG', 'image', 'image/jpeg', null],
    ['voice.ogg', 'audio', 'audio/ogg', null],
    ['list.pdf', 'document', 'application/pdf', 'list.pdf'],
  ])(
    'as %s arrives as %s, and the channel has its bytes',
    async (name, type, mimeType, filename) => {
      const bytes = randomBytes(100_000)
      const { code, out, err } = await inbound('--file', await fileOf(name, bytes))
      expect({ code, err }).toEqual({ code: 0, err: '' })
      const { wamid } = JSON.parse(out) as { wamid: string }
      const { message } = await project.client.ok('getMessage', { path: { id: wamid } })

      expect(message).toMatchObject({
        type,
        content: null,
        direction: 'inbound',
        media: { mime_type: mimeType, filename },
      })
      const { media_id: id, sha256 } = message.media!
      expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
      const { ctx } = service
      const account = await channelAccounts.find(ctx, project.id)
      const address = channelAccounts.addressOf(ctx, account!)
      const { url } = valueOf(await ctx.channel.findMedia(address, id!))
      const stream = valueOf(await ctx.channel.openMedia(address, url))
      expect((await buffer(stream)).equals(bytes)).toBe(true)
    },
  )

  it('may have a caption', async () => {
    const file = await fileOf('a.png', randomBytes(10))
    const { out } = await inbound('--file', file, '--text', 'Look')
    const { wamid } = JSON.parse(out) as { wamid: string }
    const { message } = await project.client.ok('getMessage', { path: { id: wamid } })
    expect(message).toMatchObject({ type: 'image', content: 'Look' })
  })

  it.each([
    ['of an unknown kind', () => ['--file', path.join(folder, 'a.gif')], 'Name a file that'],
    ['that is not there', () => ['--file', path.join(folder, 'no.pdf')], 'cannot be read.'],
    ['with words for a sound', () => ['--file', 'a.mp3', '--text=x'], 'leave --text out.'],
    ['beside a whole message', () => ['--file', 'a.png', '--json={"type":"text"}'], 'Give either'],
  ])('%s is refused with the reason', async (_what, flags, reason) => {
    const { code, out, err } = await inbound(...flags())
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(reason)
  })

  it('that is too large for its kind is refused', async () => {
    const { code, err } = await inbound('--file', await fileOf('b.webp', Buffer.alloc(512_001)))
    expect({ code, err }).toEqual({
      code: 1,
      err: 'A file of the kind sticker has at most 512000 bytes.\n',
    })
  })
})
