import { emitCustom, refusalOf } from '../../capabilities/webhooks/custom-events.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { holdsInfinity } from '../../core/doubles.ts'
import { parseJson } from '../../core/json-values.ts'
import { command, type Noun, refused } from './command.ts'
import { optional, required, text } from './flags.ts'

export const event: Noun = {
  says: "Events: what a project's webhooks are told",
  verbs: {
    emit: command({
      says: "Raises an event of the project's own, as its bot would.",
      flags: {
        project: required('ID', 'the project whose event it is', text),
        name: required(
          'NAME',
          'letters, digits, dots, underscores, hyphens; not a platform name',
          text,
        ),
        data: optional('JSON', 'what it carries; nothing when left out', json),
      },
      run: async (ctx, { name, data, ...flags }) => {
        const projectId = await projects.requireId(ctx, flags.project)
        const accepted = await emitCustom(ctx, projectId, name, data)
        if (accepted) return { accepted }
        throw refused({ accepted }, refusalOf(name, data) ?? 'The event could not be written.')
      },
    }),
  },
}

function json(given: string): unknown {
  const data = parseJson(given)
  if (data === undefined) throw new Error(`JSON, such as '{"order":1042}'`)
  if (holdsInfinity(data)) throw new Error('JSON whose numbers a double can hold')
  return data
}
