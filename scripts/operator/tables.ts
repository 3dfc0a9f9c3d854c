import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { types } from 'node:util'
import * as projects from '../../capabilities/projects.ts'
import * as projectTables from '../../capabilities/tables.ts'
import { command, type Noun } from './command.ts'
import { oneOf, optional, required, text } from './flags.ts'

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
        const project = await projects.require(ctx, await projects.resolveId(ctx, id))
        const script = file === '-' ? await textOf(Readable.from(io.stdin)) : await contentOf(file)
        return projectTables.apply(ctx, project.id, schema, script)
      },
    }),
  },
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const why = types.isNativeError(cause) ? cause.message : String(cause)
    throw new Error(`The file ${file} cannot be read: ${why}.`, { cause })
  }
}
