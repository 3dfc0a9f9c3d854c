import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_ROOT } from '../../core/root.ts'
import { statement } from '../../core/sql.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const FOLDER = path.join(PROJECT_ROOT, 'tests/fixtures/channel')
const SHEENA = { phone: '+16505551234', userId: null }

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

type Payload = { entry: [{ changes: [{ value: Record<string, unknown> }] }] }
type Raw = { id: string; from?: string }

/** A recorded callback, as if it were for a new project's number. */
async function taken(name: string): Promise<Record<string, unknown>> {
  project = await service.project()
  const { phoneNumberId } = await service.account(project.id)
  const payload = JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as Payload
  const { value } = payload.entry[0].changes[0]
  if (value.metadata) value.metadata = { ...value.metadata, phone_number_id: phoneNumberId }
  for (const _ of [1, 2]) expect(await service.callback(project.id, payload)).toBe(200)
  return value
}

const media = (media_id: string, mime_type: string, filename: string | null = null) => ({
  media_id,
  slug: null,
  mime_type,
  filename,
  sha256: expect.any(String),
})

/** What each recorded message is to its reader; `from` is what is known of who wrote it. */
const MESSAGES: Record<string, Record<string, unknown> & { from?: object }> = {
  in_audio_voice: {
    type: 'audio',
    content: null,
    payload: { voice: true },
    media: expect.objectContaining({ mime_type: 'audio/ogg; codecs=opus', filename: null }),
  },
  in_button_template_quick_reply: {
    type: 'button_reply',
    content: 'Unsubscribe',
    media: null,
    payload: { id: 'Unsubscribe', title: 'Unsubscribe' },
    reply_to: expect.any(String),
  },
  in_document: {
    type: 'document',
    content: 'caption',
    payload: { context: { forwarded: true } },
    media: expect.objectContaining({ filename: 'filename.pdf', mime_type: 'application/pdf' }),
  },
  in_image: {
    type: 'image',
    content: 'Taj Mahal',
    payload: null,
    reply_to: null,
    media: media('1003383421387256', 'image/jpeg'),
  },
  in_interactive_button_reply: {
    type: 'button_reply',
    content: 'Cancel',
    reply_to: expect.any(String),
    payload: { id: 'cancel-button', title: 'Cancel' },
  },
  in_interactive_list_reply: {
    type: 'list_reply',
    content: 'Priority Mail Express',
    reply_to: expect.any(String),
    payload: {
      id: 'priority_express',
      title: 'Priority Mail Express',
      description: 'Next Day to 2 Days',
    },
  },
  in_interactive_nfm_reply_no_token: {
    type: 'flow_reply',
    content: 'Sent',
    reply_to: 'wamid.gvwegfretge==',
    payload: {
      name: 'flow',
      flow_token: null,
      response: expect.objectContaining({ comment_text: 'Comment Text' }),
    },
  },
  in_location_minimal: {
    type: 'location',
    content: null,
    media: null,
    payload: {
      latitude: 12.25089,
      longitude: 43.90539,
      name: null,
      address: null,
      context: { forwarded: true },
    },
  },
  in_reaction: {
    type: 'reaction',
    content: null,
    from: SHEENA,
    payload: { message_id: expect.stringMatching(/^wamid\./), emoji: '👍' },
    reply_to: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI0RTJEOTc2ODVERUY5RDlGNkYA',
  },
  in_reaction_removed_empty: {
    type: 'reaction',
    content: null,
    reply_to: 'wamid.yzxyzx=',
    payload: { message_id: 'wamid.yzxyzx=', emoji: null },
  },
  in_sticker: {
    type: 'sticker',
    content: null,
    payload: { animated: true },
    media: expect.objectContaining({ mime_type: 'image/webp' }),
  },
  in_system_user_changed_number: {
    type: 'system',
    content: expect.stringContaining('16505551234 to 12195555358'),
    payload: expect.objectContaining({ type: 'user_changed_number', wa_id: '12195555358' }),
    from: { phone: '+12195555358' },
  },
  in_text_bsuid_only: {
    type: 'text',
    content: 'Does it come in another color?',
    payload: null,
    from: { phone: null, userId: 'US.13491208655302741918', name: 'Sheena Nelson' },
  },
  in_text_product_inquiry: {
    type: 'text',
    content: 'Is this still available?',
    media: null,
    from: SHEENA,
    payload: {
      context: {
        referred_product: { catalog_id: '194836987003835', product_retailer_id: 'di9ozbzfi4' },
      },
    },
    reply_to: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGA9wcm9kdWN0X2lucXVpcnkA',
  },
  in_unsupported: { type: 'unsupported', content: null, from: SHEENA },
  in_unsupported_with_subtype: {
    type: 'unsupported',
    content: null,
    media: null,
    payload: expect.objectContaining({ unsupported: { type: 'edit' } }),
  },
}

const parked = statement(
  'test-parked',
  'SELECT status, error FROM parked_statuses WHERE project_id = $1',
)
const STATUSES = {
  status_delivered_bsuid: 'delivered',
  status_failed_131049: 'failed',
  status_played: 'read',
  status_sent: 'sent',
  status_sent_pmp: 'sent',
}

const unread = statement(
  'test-unread-reason',
  'SELECT reason FROM unread_callbacks WHERE project_id = $1',
)
/** What they do to the templates of their own account is told in template-callbacks.test.ts. */
const TEMPLATES = { tpl_category_impending: 1, tpl_quality_update: 1, tpl_status_rejected: 1 }
const OTHERS = {
  account_update_deleted: 'nothing acts on "account_update"',
  account_update_restriction: 'nothing acts on "account_update"',
  business_capability_update: 'nothing acts on "business_capability_update"',
  phone_quality_throughput_upgrade: 'nothing acts on "phone_number_quality_update"',
  value_errors_130429: 'nothing acts on "errors"',
}

/** What of a change's value the log tells, where that is not the whole. */
const SAID: Record<string, (value: Record<string, unknown>) => unknown> = {
  value_errors_130429: ({ errors }) => errors,
}

describe('a recorded callback, sent twice,', () => {
  it('is here for every file', () => {
    const names = readdirSync(FOLDER).filter((name) => /^[a-z].*\.json$/.test(name))
    const callbacks = names.filter((name) => !name.includes('schema'))
    const here = [MESSAGES, STATUSES, TEMPLATES, OTHERS].flatMap((one) => Object.keys(one))
    expect(here.map((name) => `${name}.json`).toSorted()).toEqual(callbacks.toSorted())
  })

  it.each(Object.entries(MESSAGES))(
    '%s becomes one message',
    async (name, { from, ...expected }) => {
      const value = await taken(name)
      const [raw] = value.messages as Raw[]
      const path = { id: raw!.id }
      const { message } = await project.client.ok('getMessage', { path })
      const isSystem = expected.type === 'system'
      expect(message).toMatchObject({
        direction: 'inbound',
        origin: 'customer',
        status: 'received',
        template: null,
        error: null,
        ...expected,
      })
      const { contact } = await project.client.ok('getContact', {
        path: { id: message.contact_id },
      })
      const { conversations } = await project.client.ok('listConversations')
      expect(conversations).toMatchObject([{ id: message.conversation_id, unread_count: 1 }])
      expect(conversations[0]?.last_inbound_at === null).toBe(isSystem)
      const { userId, ...known } = { phone: `+${raw!.from}`, userId: contact.user_id, ...from }
      expect(contact).toMatchObject({ ...known, user_id: userId })
    },
  )

  it.each(Object.entries(STATUSES))(
    '%s of an unknown message is kept for it',
    async (name, status) => {
      await taken(name)
      const rows = await service.ctx.sql.rows(parked, [project.id])
      expect(rows).toEqual([
        [status, status === 'failed' ? expect.stringContaining('131049') : null],
      ])
    },
  )

  it.each(Object.keys(TEMPLATES))('%s of another account changes nothing', async (name) => {
    await taken(name)
    expect(await service.ctx.sql.rows(unread, [project.id])).toEqual([])
    const { templates } = await project.client.ok('listTemplates')
    expect(templates).toEqual([])
  })

  it.each(Object.entries(OTHERS))(
    '%s is kept with its reason (%s), and the log says what it is',
    async (name, reason) => {
      const value = await taken(name)
      const rows = await service.ctx.sql.rows(unread, [project.id])
      expect(rows).toEqual([[reason], [reason]])
      const lines = service.logLines.filter(
        (line) => line.includes(project.id) && line.includes('unread'),
      )
      expect(lines).toHaveLength(2)
      const { said } = JSON.parse(lines[0]!) as { said: unknown }
      expect(said).toEqual([{ field: reason.split('"')[1], value: SAID[name]?.(value) ?? value }])
    },
  )
})

describe('a customer without a number', () => {
  it('is answered in the conversation, by the user id', async () => {
    const [raw] = (await taken('in_text_bsuid_only')).messages as Raw[]
    const { message } = await project.client.ok('getMessage', { path: { id: raw!.id } })
    // The recorded message is old: a new one opens the window.
    const { phoneNumberId } = await service.account(project.id)
    const payload = JSON.parse(
      readFileSync(path.join(FOLDER, 'in_text_bsuid_only.json'), 'utf8'),
    ) as Payload
    const { value } = payload.entry[0].changes[0]
    const timestamp = String(service.ctx.now().getTime() / 1000)
    await service.callback(project.id, {
      ...payload,
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                ...value,
                metadata: { phone_number_id: phoneNumberId },
                messages: [{ ...raw, id: 'wamid.now', timestamp }],
              },
            },
          ],
        },
      ],
    })
    const body = {
      type: 'text' as const,
      conversation_id: message.conversation_id,
      content: 'Yes: blue',
    }
    const { id } = await project.client.ok('sendMessage', { body })
    const { message: sent } = await project.client.ok('getMessage', { path: { id } })
    expect(sent).toMatchObject({ conversation_id: message.conversation_id, content: 'Yes: blue' })
    expect((await project.client.ok('listContacts')).contacts).toMatchObject([{ phone: null }])
  })
})
