/** What holds for files: how they come in, and how long they last. Read them as `LIMITS`. */
export const UPLOAD_LIMITS = {
  /** The largest file, and room for the texts and the headers of a form. */
  formBytes: 104_857_600 + 65_536,
  /** A text beside the file in a form. */
  formTextCharacters: 255,
  /** A file in base64, decoded. */
  inlineFileBytes: 5_242_880,
  /** Uploads of this process that are looked at and passed on at once; others wait, on disk. */
  uploadsAtOnce: 4,
  /** Of one project, so that one whose channel is slow leaves room for another's. */
  uploadsAtOnceEach: 2,
  uploadsWaiting: 256,
  uploadWaitMs: 5 * 60 * 1000,
  /** Longer than any upload takes from its first byte to its answer. */
  uploadFilesKeptMs: 10 * 60 * 1000,
  /** The channel forgets an upload after 30 days. */
  mediaIdKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** How long a former copy that has ended is told from one that never was. */
  formerMediaCopiesKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** How long before its end a send by slug uploads afresh. */
  mediaIdMarginMs: 24 * 60 * 60 * 1000,
  /** How long a header sample's handle can be used. */
  headerSampleKeptMs: 60 * 60 * 1000,
} as const
