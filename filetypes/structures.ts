import { isAac } from './aac.ts'
import { isAmr } from './amr.ts'
import { hasMainStream } from './cfb.ts'
import { isAudioMedia, isVideoMedia } from './iso-media.ts'
import { isJpeg } from './jpeg.ts'
import { STILL_STICKER_BYTES_MAX } from './kinds.ts'
import { isMpegAudio } from './mpeg-audio.ts'
import { isOggOpus } from './ogg.ts'
import { isOfficeOpenXml } from './ooxml.ts'
import { isPdf } from './pdf.ts'
import { isPng } from './png.ts'
import type { ByteSource } from './source.ts'
import { webpMotion } from './webp.ts'

/** How a type of file is recognised: by its beginning, and by the structure that it must have. */
export type Structure = {
  /** What file-type may say about such a file; anything else contradicts the declared type. */
  beginsLike: readonly string[]
  check(source: ByteSource, mimeType: string): Promise<boolean>
  /** A lower size limit in bytes that depends on the content. */
  bytesMax?(source: ByteSource): Promise<number | null>
  /** Whether the type is a ZIP archive itself; no other type may end like one. */
  isArchive?: boolean
}

const CFB: Structure = { beginsLike: ['application/x-cfb'], check: hasMainStream }

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'

/** For every accepted type except plain text, which has a rule of its own. */
export const STRUCTURES: ReadonlyMap<string, Structure> = new Map<string, Structure>([
  ['image/jpeg', { beginsLike: ['image/jpeg'], check: isJpeg }],
  ['image/png', { beginsLike: ['image/png'], check: isPng }],
  [
    'image/webp',
    {
      beginsLike: ['image/webp'],
      check: async (source) => (await webpMotion(source)) !== null,
      bytesMax: async (source) =>
        (await webpMotion(source)) === 'still' ? STILL_STICKER_BYTES_MAX : null,
    },
  ],
  ['video/mp4', { beginsLike: ['video/mp4'], check: isVideoMedia }],
  ['video/3gpp', { beginsLike: ['video/3gpp'], check: isVideoMedia }],
  // Recorders also write sound with the brands of video.
  ['audio/mp4', { beginsLike: ['audio/mp4', 'video/mp4'], check: isAudioMedia }],
  ['audio/aac', { beginsLike: ['audio/aac'], check: isAac }],
  ['audio/amr', { beginsLike: ['audio/amr'], check: isAmr }],
  ['audio/mpeg', { beginsLike: ['audio/mpeg'], check: isMpegAudio }],
  ['audio/ogg', { beginsLike: ['audio/ogg'], check: isOggOpus }],
  ['application/pdf', { beginsLike: ['application/pdf'], check: isPdf }],
  ['application/msword', CFB],
  ['application/vnd.ms-excel', CFB],
  ['application/vnd.ms-powerpoint', CFB],
  [DOCX, openXml(DOCX)],
  [XLSX, openXml(XLSX)],
  [PPTX, openXml(PPTX)],
])

/** The parts are listed at the end, so the beginning alone may only show "a ZIP", which is no contradiction. */
function openXml(mimeType: string): Structure {
  return {
    beginsLike: [mimeType, 'application/zip'],
    check: isOfficeOpenXml,
    isArchive: true,
  }
}
