// Files in one line each, for `ctx.send`. Kept by the platform.
import type { MediaSource, Message, Outgoing } from './bot.ts'

/** A file of the project by its slug, one of the web by its https address, or one that a customer sent. */
export function source(file: string | Message): MediaSource {
  if (typeof file === 'string') {
    return file.startsWith('https://') ? { media_url: file } : { media_slug: file }
  }
  const mediaId = file.media?.media_id
  if (mediaId == null) throw new Error('The message carries no file.')
  return { media_id: mediaId }
}

/** A picture, with a caption if there is one. */
export function image(file: string | Message, caption?: string): Outgoing {
  return { type: 'image', ...source(file), ...(caption === undefined ? {} : { content: caption }) }
}

/** A document, under the name that the customer sees. */
export function document(file: string | Message, filename: string, caption?: string): Outgoing {
  const content = caption === undefined ? {} : { content: caption }
  return { type: 'document', ...source(file), filename, ...content }
}
