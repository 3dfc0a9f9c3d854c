import type { Schema } from '../../core/contract.ts'
import type { ChannelSend } from '../../core/ports.ts'
import type { MediaKind } from '../../filetypes/kinds.ts'
import type { Draft } from './send-attempts.ts'

export type SendRequest = Schema<'SendMessageRequest'>
type Kind = SendRequest['type']
export type Of<K extends Kind> = Extract<SendRequest, { type: K }>
/** Every kind but templates, which are composed from the project's stored ones. */
export type FreeForm = Exclude<SendRequest, Of<'template'>>

/** A medium as sent to the channel, and as stored with the message. */
export type SentMedia = {
  reference: { id: string } | { link: string }
  kept: Schema<'MessageMedia'>
}

/** The request to the channel, and the content of the stored message. */
export type Composed = {
  message: ChannelSend['message']
  draft: Pick<Draft, 'content' | 'media' | 'payload'>
}

/** What a message refers to, already looked up. */
export type Named = { media: SentMedia | null; flow: { mode: 'draft' | 'published' } | null }

/** Composes a free-form message. */
export function compose(
  request: FreeForm,
  { media, flow }: Named,
  quoted: string | null,
): Composed {
  switch (request.type) {
    case 'text':
      return plain(request.content, {
        type: 'text',
        text: { body: request.content, preview_url: request.preview_url ?? false },
      })
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return composeMedia(request, media)
    case 'location':
      return composeLocation(request)
    case 'contacts': {
      const { contacts } = request
      const cards = contacts.map(withNamePart)
      return withPayload(null, { contacts }, { type: 'contacts', contacts: cards })
    }
    case 'reaction': {
      const reaction = { message_id: quoted ?? request.reply_to, emoji: request.emoji }
      return withPayload(null, reaction, { type: 'reaction', reaction })
    }
    default:
      return composeInteractive(request, flow?.mode === 'draft')
  }
}

function plain(content: string, message: Composed['message']): Composed {
  return { message, draft: { content } }
}

function withPayload(
  content: string | null,
  payload: Record<string, unknown>,
  message: Composed['message'],
): Composed {
  return { message, draft: { content, payload } }
}

function composeMedia(request: Of<MediaKind>, media: SentMedia | null): Composed {
  if (!media) throw new Error('The medium of a message was not looked up')
  const content = 'content' in request ? (request.content ?? null) : null
  const kept = named(media.kept, request.type === 'document' ? request.filename : undefined)
  const body = {
    ...media.reference,
    ...(content === null ? {} : { caption: content }),
    ...(request.type === 'document' ? filenameOf(kept) : {}),
  }
  return { message: { type: request.type, [request.type]: body }, draft: { content, media: kept } }
}

/** What is stored of a medium, with the filename of the send. */
export function named(kept: SentMedia['kept'], filename: string | undefined): SentMedia['kept'] {
  return { ...kept, filename: filename ?? kept.filename }
}

/** The member with a document's filename, if it has one. */
export function filenameOf({ filename }: SentMedia['kept']): { filename?: string } {
  return filename === null ? {} : { filename }
}

const NAME_PARTS = ['first_name', 'last_name', 'middle_name', 'prefix', 'suffix']

/** The channel requires one more part of a name beside the formatted one; callers may leave it out. */
function withNamePart({ name, ...card }: Of<'contacts'>['contacts'][number]) {
  const hasPart = NAME_PARTS.some((part) => Boolean(name[part]))
  return { ...card, name: hasPart ? name : { ...name, first_name: name.formatted_name } }
}

function composeLocation({ latitude, longitude, name, address }: Of<'location'>): Composed {
  const label = {
    ...(name === undefined ? {} : { name }),
    ...(address === undefined ? {} : { address }),
  }
  return withPayload(
    null,
    { latitude, longitude, name: name ?? null, address: address ?? null },
    {
      type: 'location',
      location: { latitude: degrees(latitude), longitude: degrees(longitude), ...label },
    },
  )
}

/**
 * The channel wants decimal texts; a value that JavaScript would print as 1e-7 is about a centimetre from 0.
 */
function degrees(value: number): string {
  return Math.abs(value) < 1e-6 ? '0' : String(value)
}

type Interactive = Of<'buttons' | 'list' | 'cta_url' | 'flow'>

function composeInteractive(request: Interactive, isDraft: boolean): Composed {
  const { content, header, footer } = request
  const { kind, action, payload } = actionOf(request, isDraft)
  const interactive = {
    type: kind,
    ...(header === undefined ? {} : { header: { type: 'text', text: header } }),
    body: { text: content },
    ...(footer === undefined ? {} : { footer: { text: footer } }),
    action,
  }
  return withPayload(
    content,
    { header: header ?? null, footer: footer ?? null, ...payload },
    { type: 'interactive', interactive },
  )
}

function actionOf(request: Interactive, isDraft: boolean) {
  switch (request.type) {
    case 'buttons': {
      const { buttons } = request
      const action = { buttons: buttons.map((reply) => ({ type: 'reply', reply })) }
      return { kind: 'button', action, payload: { buttons } }
    }
    case 'list': {
      const { button_text: button, sections } = request
      return {
        kind: 'list',
        action: { button, sections },
        payload: { button_text: button, sections },
      }
    }
    case 'cta_url': {
      const { button_text, url } = request
      const parameters = { display_text: button_text, url }
      return {
        kind: 'cta_url',
        action: { name: 'cta_url', parameters },
        payload: { button_text, url },
      }
    }
    case 'flow':
      return flowAction(request, isDraft)
  }
}

function flowAction(request: Of<'flow'>, isDraft: boolean) {
  const { flow_id, button_text, screen, flow_data, flow_token } = request
  const parameters = {
    flow_message_version: '3',
    flow_id,
    flow_cta: button_text,
    ...(isDraft ? { mode: 'draft' } : {}),
    ...(flow_token === undefined ? {} : { flow_token }),
    ...(screen === undefined && flow_data === undefined
      ? {}
      : { flow_action: 'navigate', flow_action_payload: { screen, data: flow_data } }),
  }
  return {
    kind: 'flow',
    action: { name: 'flow', parameters },
    payload: {
      flow_id,
      button_text,
      screen: screen ?? null,
      flow_data: flow_data ?? null,
      flow_token: flow_token ?? null,
    },
  }
}
