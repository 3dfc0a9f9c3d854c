import { ServiceError, wrongBody } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'

const PREFIX = /^data:[^,]{0,255};base64,/i

/** The bytes of a text in standard base64; throws `invalid_request` for another, which `path` names. */
export function decodeBase64(text: string, path: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  // Node reads past what is no base64: only what it would write the same way was read whole.
  if (bytes.toString('base64') !== text) throw notBase64(path)
  return bytes
}

function notBase64(path: string): ServiceError {
  const message = 'must be standard base64 with its padding, without spaces or line breaks'
  return wrongBody([{ path, message }])
}

/**
 * The bytes of a text in standard base64, whose `data:` prefix is left out once. Throws
 * `invalid_request` for any other text, and for no bytes; `file_too_large` for more than 5 MiB.
 */
export function decodeInline(data: string): Buffer {
  const bytes = decodeBase64(data.replace(PREFIX, ''), 'data')
  if (bytes.length === 0) throw notBase64('data')
  if (bytes.length > LIMITS.inlineFileBytes) throw fileTooLarge(LIMITS.inlineFileBytes)
  return bytes
}

/** The 413 of a file that has more than these bytes. */
export function fileTooLarge(limitBytes: number): ServiceError {
  return new ServiceError('file_too_large', `The file is larger than ${limitBytes} bytes.`, {
    details: { limit_bytes: limitBytes },
  })
}
