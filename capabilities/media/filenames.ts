import { extensionOf } from '../../filetypes/kinds.ts'

const FILENAME_CHARACTERS = 255
const EXTENSION = /\.[^.]{1,16}$/

/** Control characters, bidirectional overrides and invisible characters. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu
/**
 * Joiners are visible only within emoji and between letters of certain scripts; elsewhere they are invisible.
 */
const IDLE_JOINER =
  /(?<![^\0-\u058f\u2000-\u206f])[\u200c\u200d]|[\u200c\u200d](?![^\0-\u058f\u2000-\u206f])/gu

/**
 * The last part of a given name, without folders and invisible characters, cut to 255 characters with its
 * extension kept. Null when nothing is left.
 */
export function cleanFilename(given: string): string | null {
  const visible = given.replace(UNSEEN, '').replace(IDLE_JOINER, '').normalize('NFC')
  const base = (visible.split(/[/\\]/).at(-1) ?? '').trim()
  if (/^\.*$/.test(base)) return null
  const characters = [...base]
  if (characters.length <= FILENAME_CHARACTERS) return base
  const extension = EXTENSION.exec(base)?.[0] ?? ''
  const room = FILENAME_CHARACTERS - [...extension].length
  return characters.slice(0, room).join('') + extension
}

/**
 * The name of a file: the uploader's, else the source's, else one made from its type. Only a name that nobody
 * chose is given a missing extension.
 */
export function filenameFor(chosen: string | null, found: string | null, mimeType: string): string {
  const extension = extensionOf(mimeType)
  const ending = extension === null ? '' : `.${extension}`
  const named = chosen === null ? null : cleanFilename(chosen)
  if (named !== null) return named
  const base = (found === null ? null : cleanFilename(found)) ?? 'file'
  return EXTENSION.test(base) ? base : (cleanFilename(base + ending) ?? base)
}
