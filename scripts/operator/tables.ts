import { isUtf8 } from 'node:buffer'
import * as projects from '../../capabilities/projects/projects.ts'
import * as tableScripts from '../../capabilities/tables/table-scripts.ts'
import { command, type Noun } from './command.ts'
import { bytesOf } from './file.ts'
import { oneOf, optional, required, text } from './flags.ts'
import { asSentence } from './print.ts'

export const tables: Noun = {
  says: "Tables: a project's own, in its production and its preview schema",
  verbs: {
    apply: command({
      says: 'Runs SQL as the role that owns the tables of a project: all of it, or nothing.',
      flags: {
        project: required('ID', 'the project whose tables they are', text),
        schema: optional(
          'NAME',
          'public or preview; public when left out',
          oneOf('public', 'preview'),
        ),
        file: required('FILE', 'the SQL file; - for standard input', text),
      },
      run: async (ctx, { project: id, schema = 'public', file }, _, io) => {
        const projectId = await projects.requireId(ctx, id)
        const script = textOf(await bytesOf(file, io))
        try {
          const { tables: all, unbound } = await tableScripts.apply(
            ctx,
            projectId,
            schema,
            script,
            io.stop,
          )
          for (const name of unbound) io.stderr.write(asSentence(unfound(name)))
          return { tables: all }
        } catch (error) {
          if (error === io.stop.reason) io.stderr.write('Stopped: nothing was applied.\n')
          throw error
        }
      },
    }),
  },
}

function unfound(name: string): string {
  return `The function ${name} names tables of its set, which requests over the API do not find without a search path of its own: add SET search_path FROM CURRENT to it.`
}

const LINE_FEED = 10

/**
 * The script without the mark that some editors put before it. Refused is what is no UTF-8: read as if it
 * were, it would write other characters than the file holds.
 */
function textOf(bytes: Buffer): string {
  const nul = bytes.indexOf(0)
  if (nul >= 0) refuse('holds a NUL character, as files in UTF-16 do', bytes, nul)
  if (!isUtf8(bytes)) refuse('is not UTF-8 text', bytes, firstForeign(bytes))
  return new TextDecoder().decode(bytes)
}

/** Where the first line begins that is not UTF-8; a line feed is never part of another character. */
function firstForeign(bytes: Buffer): number {
  let start = 0
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start)
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return start
    start = end + 1
  }
}

function refuse(what: string, bytes: Buffer, at: number): never {
  const line = bytes.subarray(0, at).filter((byte) => byte === LINE_FEED).length + 1
  throw new Error(`Nothing was applied: the script ${what} (line ${line}); save it as UTF-8.`)
}
