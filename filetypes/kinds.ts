const KIB = 1024
const MIB = 1024 * KIB

/** The requirements for a kind of file: its verified MIME types and its maximum size. */
export type FileRule = { mimeTypes: readonly string[]; bytesMax: number }

/** The usual extension of every type that is accepted anywhere. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'text/plain': 'txt',
}

/**
 * What the channel accepts as each kind of medium. Its "MB" is read as 1,048,576 bytes and its "KB" as 1,024:
 * the larger reading, so that no file is refused here that the channel would accept.
 */
export const MEDIA_KINDS = {
  image: { mimeTypes: ['image/jpeg', 'image/png'], bytesMax: 5 * MIB },
  video: { mimeTypes: ['video/mp4', 'video/3gpp'], bytesMax: 16 * MIB },
  audio: {
    mimeTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
    bytesMax: 16 * MIB,
  },
  document: {
    mimeTypes: [
      'application/pdf',
      'application/msword',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.ms-excel',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'text/plain',
    ],
    bytesMax: 100 * MIB,
  },
  // The limit for animated stickers; still ones have a lower limit, which `verify` reports.
  sticker: { mimeTypes: ['image/webp'], bytesMax: 500 * KIB },
} as const satisfies Record<string, FileRule>

export type MediaKind = keyof typeof MEDIA_KINDS

/** The maximum size of a sticker without animation. */
export const STILL_STICKER_BYTES_MAX = 100 * KIB

/** What a template's media header accepts as its sample: the same as a message of that kind. */
export const SAMPLE_FORMATS = {
  IMAGE: MEDIA_KINDS.image,
  VIDEO: MEDIA_KINDS.video,
  DOCUMENT: MEDIA_KINDS.document,
} as const satisfies Record<string, FileRule>

export type SampleFormat = keyof typeof SAMPLE_FORMATS

/** The kind that a verified MIME type is sent as; null when the channel does not accept it. */
export function kindOf(mimeType: string): MediaKind | null {
  for (const [kind, { mimeTypes }] of Object.entries(MEDIA_KINDS)) {
    if ((mimeTypes as readonly string[]).includes(mimeType)) return kind as MediaKind
  }
  return null
}

/** The usual extension of a verified MIME type, without a dot; null when it is not accepted. */
export function extensionOf(mimeType: string): string | null {
  return Object.hasOwn(EXTENSIONS, mimeType) ? (EXTENSIONS[mimeType] ?? null) : null
}

/** Other names that senders use for accepted types, and the proper ones. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['video/3gp', 'video/3gpp'],
  ['video/x-m4v', 'video/mp4'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-mp3', 'audio/mpeg'],
  ['audio/x-mpeg', 'audio/mpeg'],
  ['audio/m4a', 'audio/mp4'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/x-aac', 'audio/aac'],
  ['audio/aacp', 'audio/aac'],
  ['audio/opus', 'audio/ogg'],
  ['application/x-pdf', 'application/pdf'],
])

/** The proper name of a declared type: lower case, without parameters, aliases replaced. */
export function normaliseMimeType(declared: string): string {
  const bare = (declared.split(';', 1)[0] ?? '').trim().toLowerCase()
  return ALIASES.get(bare) ?? bare
}
