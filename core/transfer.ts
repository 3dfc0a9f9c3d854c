import type { Readable } from 'node:stream'

/** Bytes that an operation answers with, in place of JSON; the answer closes `body` whatever happens. */
export type Content = {
  body: Readable
  sizeBytes: number
  mimeType: string
  /** What the file is to be saved as. */
  filename: string
}

/** A file that is on its way here, as its sender declares it. */
export type ArrivingFile = {
  filename: string | null
  mimeType: string | null
  body: AsyncIterable<Buffer>
}

/** A multipart form with one file, of which nothing was read yet. */
export type UploadForm = {
  /** Of the whole form, as its sender declares it; null when he does not. */
  sizeBytes: number | null
  /**
   * Reads the form once. `take` gets the file as it arrives; it must read it to its end, or fail. Answers
   * with the texts beside the file, which may follow it. Throws what `take` throws, `invalid_request` for
   * a form of another shape, `payload_too_large`, and `bad_request` for one that breaks off.
   */
  read(take: (file: ArrivingFile) => Promise<void>): Promise<{
    filename: string | null
    mime: string | null
  }>
}
