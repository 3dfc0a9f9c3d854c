import type { Readable } from 'node:stream'

/** A file that an operation answers with; the answer closes `body` in any case. */
export type Content = {
  body: Readable
  sizeBytes: number
  mimeType: string
  /** The suggested name for saving it. */
  filename: string
}

/** A file being received, as its sender declares it. */
export type ArrivingFile = {
  filename: string | null
  mimeType: string | null
  body: AsyncIterable<Buffer>
}

/** A multipart form with one file, not read yet. */
export type UploadForm = {
  /** The size of the whole form as declared; null when it is not. */
  sizeBytes: number | null
  /**
   * Reads the form once. `take` gets the file as it arrives and must read it to its end, or fail. Answers with
   * the text fields, which may follow the file. Throws what `take` throws, `invalid_request` for a form of
   * another shape, `payload_too_large`, and `bad_request` for one that breaks off.
   */
  read(take: (file: ArrivingFile) => Promise<void>): Promise<{
    filename: string | null
    mime: string | null
  }>
}
