/** Limits of files: how they arrive and leave, and how long they are kept; read them as `LIMITS`. */
export const UPLOAD_LIMITS = {
  /** The largest file, with room for the fields and headers of a form. */
  formBytes: 104_857_600 + 65_536,
  /** A text field of a form. */
  formTextCharacters: 255,
  /** How much of the budget an upload of unknown size takes at a time. */
  uploadStepBytes: 262_144,
  /** A file in base64, decoded. */
  inlineFileBytes: 5_242_880,
  /** Files that one process verifies and passes on at once; others wait on disk. */
  uploadsAtOnce: 4,
  /** Of one project, so that one with a slow channel leaves room for others. */
  uploadsAtOnceEach: 2,
  uploadsWaiting: 256,
  uploadWaitMs: 5 * 60 * 1000,
  /** Downloads from one process, fewer than it has connections to an S3-compatible store. */
  downloadsAtOnce: 192,
  /** Of one project, so that its slow readers leave room for others. */
  downloadsAtOnceEach: 24,
  downloadsWaiting: 256,
  downloadWaitMs: 2_000,
  /** Longer than any upload takes from its first byte to its answer. */
  uploadFilesKeptMs: 10 * 60 * 1000,
  /** How long an S3-compatible store is waited for until it begins to answer: somebody waits for a file. */
  mediaStoreAnswerMs: 10_000,
  /** How long a connection to one may be silent, also in the middle of a file. */
  mediaStoreSilenceMs: 30_000,
  /** The channel forgets an upload after 30 days. */
  mediaIdKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** How long an expired former copy is told apart from an unknown id. */
  formerMediaCopiesKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** A send by slug uploads a copy again that expires within this time. */
  mediaIdMarginMs: 24 * 60 * 60 * 1000,
  /** How long a header sample's handle can be used. */
  headerSampleKeptMs: 60 * 60 * 1000,
} as const
