import * as appAccounts from '../../capabilities/channel-accounts/app-accounts.ts'
import * as projectPurge from '../../capabilities/projects/project-purge.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import type { ProjectStatus } from '../../core/context.ts'
import { command, type Noun } from './command.ts'
import { name, optional, orWord, required, text, wholeNumber } from './flags.ts'
import { progressTo } from './progress.ts'

const quota = optional(
  'N|default',
  'messages of any kind that it may send over the API in a UTC day; DAILY_SEND_QUOTA by default',
  orWord('default', wholeNumber(0)),
)
const credits = optional(
  'N|unmetered',
  'messages that it may still send over the API; unmetered: none are counted',
  orWord('unmetered', wholeNumber(0)),
)

/** Other projects named in one sentence. */
const TOLD_MAX = 5

export const project: Noun = {
  says: 'Projects: each with its own channel, customers and keys',
  verbs: {
    create: command({
      says: 'Creates a project on the built-in channel sandbox, unmetered without --credits.',
      flags: {
        name: required('N', 'what people call it', name),
        id: optional(
          'ID',
          '1 to 64 letters, digits, _ and -, the first no _ or -; a UUID when left out',
          text,
        ),
        quota,
        credits,
      },
      run: async (ctx, flags) => ({ project: await projects.create(ctx, flags) }),
    }),
    list: command({
      says: 'Lists all projects, deleted ones too.',
      flags: {},
      run: async (ctx) => ({ projects: await projects.list(ctx) }),
    }),
    update: command({
      says: "Changes a project's name, quota or credits.",
      operand: 'ID',
      flags: { name: optional('N', 'what people call it', name), quota, credits },
      check: (flags) => {
        if (Object.values(flags).every((value) => value === undefined)) {
          throw new Error('Give at least one of --name, --quota and --credits.')
        }
      },
      run: async (ctx, flags, id) => ({
        project: await projects.update(ctx, await projects.resolveId(ctx, id), flags),
      }),
    }),
    pause: setStatus(
      'Lets no caller, bot or broadcast of a project act until it is resumed; customers are still heard.',
      'paused',
    ),
    resume: setStatus('Takes a paused or deleted project into use again.', 'active'),
    delete: command({
      says: 'Deletes a project for its callers, and turns its webhooks off; its rows and its id stay until a purge.',
      operand: 'ID',
      flags: {},
      run: async (ctx, _flags, operand, io) => {
        const id = await projects.resolveId(ctx, operand)
        const project = await projects.setStatus(ctx, id, 'deleted')
        const others = await appAccounts.sharers(ctx, id)
        if (others.length > 0) io.stderr.write(`${sharing(id, others)}\n`)
        return { project }
      },
    }),
    purge: command({
      says: 'Removes a deleted project for good: its rows, its tables and its files. What is at WhatsApp stays there.',
      operand: 'ID',
      flags: { name: required('N', 'its name, so that no other is meant', text) },
      run: async (ctx, flags, id, io) => {
        const onProgress = progressTo(io, 'rows')
        const purged = await projectPurge.purge(ctx, await projects.resolveId(ctx, id), {
          ...flags,
          onProgress,
          stop: io.stop,
        })
        return { purged }
      },
    }),
  },
}

function sharing(id: string, others: string[]): string {
  const more = others.length > TOLD_MAX ? ` and ${others.length - TOLD_MAX} more` : ''
  return (
    `${others.slice(0, TOLD_MAX).join(', ')}${more}: connected with the same app at Meta. ` +
    `If it calls back at the URL of ${id}, give it another one's before ${id} is purged.`
  )
}

function setStatus(says: string, status: ProjectStatus) {
  return command({
    says,
    operand: 'ID',
    flags: {},
    run: async (ctx, _, id) => ({
      project: await projects.setStatus(ctx, await projects.resolveId(ctx, id), status),
    }),
  })
}
