import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, Dicer } from '@fastify/busboy'
import type { Request } from 'express'
import { isServiceError, ServiceError, wrongBody } from '../core/errors.ts'
import { isRecord } from '../core/json-values.ts'
import { LIMITS } from '../core/limits.ts'
import type { ArrivingFile, UploadForm } from '../core/transfer.ts'
import { isUnstorable } from './unstorable.ts'

const TEXTS = ['filename', 'mime'] as const
type Texts = { filename: string | null; mime: string | null }

/** A character takes at most four bytes. */
const TEXT_BYTES = LIMITS.formTextCharacters * 4
const PART_HEADER_BYTES = 8_192

/**
 * The form of a request, before anything of it is read. Throws `payload_too_large` when its declared size is
 * too large.
 */
export function uploadFormOf(req: Request, contentType: string): UploadForm {
  const length = req.headers['content-length']
  const sizeBytes = length === undefined ? null : Number(length)
  if (sizeBytes !== null && sizeBytes > LIMITS.formBytes) throw tooLarge()
  return { sizeBytes, read: (take) => readForm(req, contentType, take) }
}

async function readForm(
  req: Request,
  contentType: string,
  take: (file: ArrivingFile) => Promise<void>,
): Promise<Texts> {
  const reading = startReading(contentType, take)
  try {
    await feed(req, reading)
  } catch (error) {
    // The end of the file's stream is a consequence of the fault, and not its cause.
    const fault: unknown = reading.fault() ?? (isServiceError(error) ? error : brokenOff(error))
    await reading.giveUp()
    throw fault as Error
  }
  return reading.finish()
}

type Reading = ReturnType<typeof startReading>

/** Handles the parts of a form as they arrive; the first fault ends it. */
function startReading(contentType: string, take: (file: ArrivingFile) => Promise<void>) {
  const parser = openParser(contentType)
  const stopping = new AbortController()
  const texts: Texts = { filename: null, mime: null }
  let file: Readable | null = null
  let taken: Promise<void> | null = null
  let fault: unknown = null

  const refuse = (error: unknown) => {
    fault ??= error
    stopping.abort()
  }
  // The parser may finish before the request does: anything after the last part is ignored.
  const finished = once(parser, 'finish', { signal: stopping.signal })
  finished.catch(() => {})
  parser.on('error', () => refuse(malformed('cannot be read to its end')))
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => refuse(malformed('must hold one file, and filename and mime at most')))
  }
  const isTyped = watchTypes(parser)
  parser.on('file', (_name, body, filename, _encoding, type) => {
    file = body
    const mimeType = isTyped() ? type : null
    // The stream may fail before anybody listens; its reader is told all the same.
    body.on('error', () => {})
    taken = take({ filename: filename || null, mimeType, body })
    taken.catch(refuse)
  })
  parser.on('field', (name, value, _isNameCut, isCut) => {
    try {
      keepText(texts, name, value, isCut)
    } catch (error) {
      refuse(error)
    }
  })
  return {
    parser,
    finished,
    signal: stopping.signal,
    fault: () => fault,
    /** Aborts a file that is still being received. */
    async giveUp() {
      file?.destroy(new Error('The form broke off'))
      await taken?.catch(() => {})
    },
    async finish(): Promise<Texts> {
      if (!taken) throw malformed('needs one part named file')
      await taken
      return texts
    },
  }
}

function openParser(contentType: string) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        files: 1,
        fields: TEXTS.length,
        parts: TEXTS.length + 1,
        fieldSize: TEXT_BYTES,
        headerSize: PART_HEADER_BYTES,
      },
      isPartAFile: (name) => name === 'file',
    })
  } catch {
    throw malformed('has no boundary in its Content-Type')
  }
}

/**
 * Whether the current part declares its type. The parser reports text/plain for a part without one, although
 * most files are something else; only the header parser can tell the difference.
 */
function watchTypes(parser: ReturnType<typeof openParser>): () => boolean {
  const form: unknown = Reflect.get(parser, '_parser')
  const parts = isRecord(form) ? form.parser : null
  if (!(parts instanceof Dicer)) throw new Error('The parser of forms has no parser of headers')
  let isTyped = false
  parts.prependListener('part', (part) => {
    part.prependListener('header', (headers) => {
      const types: unknown = Reflect.get(headers, 'content-type')
      isTyped = Array.isArray(types) && /^\s*[^;\s]/.test(String(types[0]))
    })
  })
  return () => isTyped
}

/** Feeds the parser at its own pace. The request stays open for its answer. */
async function feed(req: Request, { parser, signal, finished, fault }: Reading): Promise<void> {
  let bytes = 0
  const chunks = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > LIMITS.formBytes) throw tooLarge()
    if (!parser.write(chunk) && parser.writableNeedDrain) await once(parser, 'drain', { signal })
    if (fault()) throw fault()
  }
  parser.end()
  await finished
  if (fault()) throw fault()
}

function keepText(texts: Texts, name: string | undefined, value: string, isCut: boolean): void {
  const text = TEXTS.find((known) => known === name)
  if (!name) throw malformed('holds a part without a name')
  if (text === undefined) throw malformed('is not known', name)
  if (texts[text] !== null) throw malformed('is given twice', text)
  const { formTextCharacters } = LIMITS
  if (isCut || value === '' || [...value].length > formTextCharacters) {
    throw malformed(`must have 1 to ${formTextCharacters} characters`, text)
  }
  if (isUnstorable(value)) throw malformed('holds a NUL or a broken surrogate pair', text)
  texts[text] = value
}

/** A fault of the form as a whole, or of the part of that name. */
function malformed(message: string, name = ''): ServiceError {
  return wrongBody([{ path: name.slice(0, 100), message }])
}

function tooLarge(): ServiceError {
  const limit = LIMITS.formBytes
  return new ServiceError('payload_too_large', `The form is larger than ${limit} bytes.`, {
    details: { limit_bytes: limit },
  })
}

function brokenOff(cause: unknown): ServiceError {
  return new ServiceError('bad_request', 'The body ended before it was complete.', { cause })
}
