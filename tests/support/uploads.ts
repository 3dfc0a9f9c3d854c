import { readdir } from 'node:fs/promises'
import path from 'node:path'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import type { TestProject, TestService } from './service.ts'

/** Uploads without end: these tests are not about the budget. */
export const AMPLE = {
  UPLOAD_REQUESTS_PER_MINUTE: '1000000',
  UPLOAD_BYTES_PER_MINUTE: '100000000000',
}

export const MIB = 1024 * 1024

/** A text of exactly so many bytes, which is a document of the type text/plain. */
export const text = (bytes: number) => Buffer.alloc(bytes, 'All is well. ')

export type Part = {
  name: string
  bytes: Buffer | string
  filename?: string
  type?: string | undefined
}

/** A form as a sender may write it, with every oddity that its parts have. */
export function form(parts: Part[], boundary = 'x-boundary-x'): Buffer {
  const written = parts.map(({ name, bytes, filename, type }) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
          (filename === undefined ? '' : `; filename="${filename}"`) +
          (type === undefined ? '' : `\r\nContent-Type: ${type}`) +
          '\r\n\r\n',
      ),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ]),
  )
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)])
}

/** The Content-Type of such a form. */
export const formType = (boundary = 'x-boundary-x') => `multipart/form-data; boundary=${boundary}`

/** Browsers' own form, with one file. */
export function fileForm(bytes: Buffer, filename: string, type: string, more: object = {}) {
  const whole = new FormData()
  whole.append('file', new Blob([new Uint8Array(bytes)], { type }), filename)
  for (const [name, value] of Object.entries(more)) whole.append(name, String(value))
  return whole
}

/** What uploads have left on this machine's disk. */
export async function leftovers({ ctx }: TestService): Promise<string[]> {
  return readdir(path.join(ctx.config.dataDir, 'uploads'))
}

/** The bytes that the store holds, wherever they lie. */
export async function storedFiles({ ctx }: TestService): Promise<string[]> {
  const folder = path.join(ctx.config.dataDir, 'media')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** The bytes of a medium, as the service gives them. */
export async function contentOf({ client }: TestProject, slug: string): Promise<Buffer> {
  const { status, body } = await client.send('getMediaContent', { path: { slug } })
  if (status !== 200 || !Buffer.isBuffer(body)) throw new Error(`There is no content of ${slug}`)
  return body
}

/** Connects a project to an account of the channel that is served at `apiUrl`. */
export async function connectTo(
  { ctx }: TestService,
  { id }: TestProject,
  apiUrl: string,
): Promise<void> {
  await channelAccounts.connect(ctx, id, {
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    appId: '670843887433847',
    accessToken: 'EAAGother',
    appSecret: 'app-secret',
    verifyToken: 'verify',
    apiUrl,
  })
  // Its notice may take some milliseconds.
  ctx.cache.clear()
}
