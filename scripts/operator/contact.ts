import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import * as contactErasure from '../../capabilities/conversations/contact-erasure.ts'
import * as contactImport from '../../capabilities/conversations/contact-import.ts'
import * as contacts from '../../capabilities/conversations/contacts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { messageOf } from '../../core/caught-errors.ts'
import { command, type Io, type Noun } from './command.ts'
import { optional, required, text, wholeNumber } from './flags.ts'
import { progressTo } from './progress.ts'

const SHOWN = 1_000
const SHOWN_MAX = 100_000

export const contact: Noun = {
  says: 'Contacts: the customers of a project',
  verbs: {
    import: command({
      says: 'Takes contacts from CSV: number, name, tags, opted_in; a bad line loses no other.',
      flags: {
        project: required('ID', 'the project that they belong to', text),
        file: required('FILE', 'the CSV file; - for standard input', text),
      },
      run: async (ctx, flags, _, io) => {
        const projectId = await projects.requireId(ctx, flags.project)
        const csv = flags.file === '-' ? io.stdin : await opened(flags.file)
        const { untold, ...imported } = await contactImport.importContacts(
          ctx,
          projectId,
          untilStopped(io.stop, csv),
          progressTo(io, 'lines'),
          io.stop,
        )
        if (io.stop.aborted) sayHowFar(imported, io)
        if (untold > 0) io.stderr.write(`${untold} more lines were rejected than are listed.\n`)
        return imported
      },
    }),
    erase: command({
      says: 'Deletes a contact for good, with all that was written and sent; names it by its id, or its number with +.',
      operand: 'CONTACT',
      flags: { project: required('ID', 'the project that it belongs to', text) },
      run: async (ctx, flags, contact, io) => {
        const projectId = await projects.requireId(ctx, flags.project)
        const onProgress = progressTo(io, 'messages')
        const erasing = { onProgress, stop: io.stop }
        return { erased: await contactErasure.erase(ctx, projectId, contact, erasing) }
      },
    }),
    list: command({
      says: "Lists a project's contacts, the newest first.",
      flags: {
        project: required('ID', 'the project that they belong to', text),
        limit: optional('N', `how many at most; ${SHOWN} when left out`, wholeNumber(1)),
      },
      run: async (ctx, flags, _, io) => {
        const projectId = await projects.requireId(ctx, flags.project)
        const limit = Math.min(flags.limit ?? SHOWN, SHOWN_MAX)
        const { contacts: shown, hasMore } = await contacts.listNewest(ctx, projectId, limit)
        if (hasMore) io.stderr.write(`There are more than these ${limit}.\n`)
        return { contacts: shown }
      },
    }),
  },
}

/** The file's bytes; a file that cannot be read is told before anything is done. */
async function opened(file: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    const handle = await open(file)
    const isFolder = (await handle.stat()).isDirectory()
    await handle.close()
    if (isFolder) throw new Error('it is a folder')
    return createReadStream(file)
  } catch (cause) {
    const why = messageOf(cause)
    throw new Error(`The file ${file} cannot be read: ${why}.`, { cause })
  }
}

/** An input that is stopped, which is an error of its stream, has come to its end. */
async function* untilStopped(stop: AbortSignal, chunks: AsyncIterable<Uint8Array | string>) {
  try {
    yield* chunks
  } catch (error) {
    if (!stop.aborted) throw error
  }
}

/** An import that was stopped can be made again: what is there already is only updated. */
function sayHowFar(done: Omit<contactImport.Imported, 'untold'>, { stop, stderr }: Io): never {
  const { imported, updated, rejected } = done
  stderr.write(
    `Stopped: ${imported} imported, ${updated} updated, ${rejected.length} rejected so far. ` +
      'Import the file again for the rest.\n',
  )
  throw stop.reason
}
