import { open } from 'node:fs/promises'
import path from 'node:path'
import { receivedKeptMs } from '../../channel/sandbox-media.ts'
import { openMediaFolder, sandboxMediaPath } from '../../channel/sandbox-media-folder.ts'
import type { Context } from '../../core/context.ts'
import { extensionOf, kindOf, MEDIA_KINDS, type MediaKind } from '../../filetypes/kinds.ts'

const TYPES = Object.values(MEDIA_KINDS).flatMap(({ mimeTypes }) => [...mimeTypes])
/** What the channel takes a caption with. */
const CAPTIONED: MediaKind[] = ['image', 'video', 'document']

/**
 * Puts a file where the sandbox of a server on this machine finds it, and answers with the message of
 * a customer who sends it. Throws for a file that the channel would not take from one.
 */
export async function messageWithFile(
  ctx: Context,
  phoneNumberId: string,
  { file, caption }: { file: string; caption: string | undefined },
): Promise<{ type: MediaKind } & Record<string, unknown>> {
  const { mimeType, kind } = typeOf(file)
  if (caption !== undefined && !CAPTIONED.includes(kind)) {
    throw new Error(`A file of the kind ${kind} has no caption; leave --text out.`)
  }
  const media = openMediaFolder(sandboxMediaPath(ctx.config.dataDir))
  const { bytesMax } = MEDIA_KINDS[kind]
  const staged = await bytesOf(file)
    .then((bytes) => media.stage(bytes, bytesMax))
    .catch((cause: unknown) => {
      throw new Error(`The file ${file} cannot be read.`, { cause })
    })
  if (!staged) throw new Error(`A file of the kind ${kind} has at most ${bytesMax} bytes.`)
  const expiresAt = new Date(ctx.now().getTime() + receivedKeptMs)
  const { id, sha256 } = await media.keep(staged, { phoneNumberId, mimeType, expiresAt })
  return {
    type: kind,
    [kind]: {
      id,
      mime_type: mimeType,
      sha256: Buffer.from(sha256, 'hex').toString('base64'),
      ...(caption === undefined ? {} : { caption }),
      ...(kind === 'document' ? { filename: path.basename(file) } : {}),
    },
  }
}

/** Opened first: a stream that finds no file tells so before anybody listens to it. */
async function bytesOf(file: string): Promise<AsyncIterable<Buffer>> {
  const handle = await open(file)
  return handle.createReadStream()
}

function typeOf(file: string): { mimeType: string; kind: MediaKind } {
  const extension = path.extname(file).slice(1).toLowerCase().replace('jpeg', 'jpg')
  const mimeType = TYPES.find((type) => extensionOf(type) === extension)
  const kind = mimeType === undefined ? null : kindOf(mimeType)
  if (mimeType !== undefined && kind !== null) return { mimeType, kind }
  const known = TYPES.map((type) => `.${extensionOf(type)}`).join(', ')
  throw new Error(`Name a file that customers can send: ${known}.`)
}
