import * as projects from '../../capabilities/projects/projects.ts'
import * as templateRecords from '../../capabilities/templates/template-records.ts'
import * as templateSync from '../../capabilities/templates/template-sync.ts'
import { command, type Noun } from './command.ts'
import { required, text } from './flags.ts'
import { withChannel } from './own-channel.ts'

const project = required('ID', 'the project that they belong to', text)

export const template: Noun = {
  says: 'Templates: the messages that the channel has approved',
  verbs: {
    list: command({
      says: "Lists a project's templates by name, as they are kept here.",
      flags: { project },
      run: async (ctx, flags) => {
        const projectId = await projects.requireId(ctx, flags.project)
        const all = await templateRecords.all(ctx.sql, projectId)
        const key = ({ name, language }: (typeof all)[number]) => `${name} ${language}`
        const sorted = all.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
        return {
          templates: sorted.map(({ id, name, language, category, status, rejectionReason }) => ({
            id,
            name,
            language,
            category,
            status,
            rejection_reason: rejectionReason,
          })),
        }
      },
    }),
    sync: command({
      says: 'Fetches the templates from the channel now, in place of waiting for the next round.',
      flags: { project },
      run: async (ctx, flags) => {
        const projectId = await projects.requireId(ctx, flags.project)
        return withChannel(ctx, projectId, (inside) => templateSync.sync(inside, projectId))
      },
    }),
  },
}
