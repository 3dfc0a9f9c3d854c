import * as projects from '../../capabilities/projects/projects.ts'
import * as webhooks from '../../capabilities/webhooks/webhooks.ts'
import { command, type Noun } from './command.ts'
import { required, text } from './flags.ts'

export const webhook: Noun = {
  says: 'Webhooks: the addresses that are told of events',
  verbs: {
    list: command({
      says: "Lists a project's webhooks, the oldest first, without their secrets.",
      flags: { project: required('ID', 'the project that they belong to', text) },
      run: async (ctx, flags) => {
        const projectId = await projects.requireId(ctx, flags.project)
        return { webhooks: await webhooks.list(ctx, projectId) }
      },
    }),
  },
}
