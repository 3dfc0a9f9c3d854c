import { ServiceError, wrongBody } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'

const PREFIX = /^data:[^,]{0,255};base64,/i

/** Decodes standard base64; throws `invalid_request`, naming `path`, for any other text. */
export function decodeBase64(text: string, path: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  // Node skips invalid characters, so the text is valid only if it is reproduced exactly.
  if (bytes.toString('base64') !== text) throw notBase64(path)
  return bytes
}

function notBase64(path: string): ServiceError {
  const message = 'must be standard base64 with its padding, without spaces or line breaks'
  return wrongBody([{ path, message }])
}

/**
 * Decodes standard base64 with an optional `data:` prefix. Throws `invalid_request` for any other text and for
 * an empty file; `file_too_large` for more than 5 MiB.
 */
export function decodeInline(data: string): Buffer {
  const bytes = decodeBase64(data.replace(PREFIX, ''), 'data')
  if (bytes.length === 0) throw notBase64('data')
  if (bytes.length > LIMITS.inlineFileBytes) throw fileTooLarge(LIMITS.inlineFileBytes)
  return bytes
}

/** The 413 for a file larger than this. */
export function fileTooLarge(limitBytes: number): ServiceError {
  return new ServiceError('file_too_large', `The file is larger than ${limitBytes} bytes.`, {
    details: { limit_bytes: limitBytes },
  })
}
