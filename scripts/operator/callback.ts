import * as callbacks from '../../capabilities/callbacks/callbacks.ts'
import * as unreadCallbacks from '../../capabilities/callbacks/unread-callbacks.ts'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { readCallback } from '../../channel/callback.ts'
import type { Context } from '../../core/context.ts'
import { partsOf } from '../../middleware/callback-parts.ts'
import { command, type Io, type Noun } from './command.ts'
import { optional, required, text, wholeNumber } from './flags.ts'
import { progressTo } from './progress.ts'

const SHOWN = 100
const SHOWN_MAX = 1_000
const project = required('ID', 'the project to whose URL they came', text)

export const callback: Noun = {
  says: 'Callbacks: what the channel has told, and the service could not read',
  verbs: {
    list: command({
      says: 'Lists what was not read, the newest first, and why.',
      flags: {
        project,
        limit: optional(
          'N',
          `how many, ${SHOWN_MAX} at the most; ${SHOWN} when left out`,
          wholeNumber(1, SHOWN_MAX),
        ),
      },
      run: async (ctx, { project: id, limit = SHOWN }) => ({
        callbacks: await unreadCallbacks.list(ctx, await projects.resolveId(ctx, id), limit),
      }),
    }),
    show: command({
      says: 'Shows one as the channel sent it.',
      operand: 'CALLBACK',
      flags: { project },
      run: async (ctx, flags, id) => ({
        body: await unreadCallbacks.bodyOf(ctx, await projects.resolveId(ctx, flags.project), id),
      }),
    }),
    retry: command({
      says: 'Reads all of them again, the oldest first, as after a change of account or a new version.',
      flags: { project },
      run: async (ctx, flags, _operand, io) =>
        retry(ctx, await projects.resolveId(ctx, flags.project), io),
    }),
  },
}

/** Those that are read are forgotten; what was read of the others before changes nothing. */
async function retry(ctx: Context, projectId: string, io: Io) {
  const onProgress = progressTo(io, 'callbacks')
  const done = { read: 0, still_unread: 0 }
  // One at a time: each may have mebibytes.
  let last = await unreadCallbacks.next(ctx, projectId)
  for (; last; last = await unreadCallbacks.next(ctx, projectId, last.id)) {
    io.stop.throwIfAborted()
    if (await isRead(ctx, projectId, last)) {
      await unreadCallbacks.forget(ctx, projectId, last.id)
      done.read++
    } else done.still_unread++
    onProgress(done.read + done.still_unread)
  }
  return done
}

type Unread = NonNullable<Awaited<ReturnType<typeof unreadCallbacks.next>>>

async function isRead(ctx: Context, projectId: string, { body, receivedAt }: Unread) {
  const own = await channelAccounts.mustFind(ctx, projectId)
  let unread = 0
  for (const part of await partsOf(ctx, own, Buffer.from(body))) {
    const { account, value } = part
    const { rejected, others, ...updates } = readCallback(value, account.phoneNumberId, receivedAt)
    unread += rejected.length + others.length
    const read = { ...updates, rejected: [], others: [] }
    await callbacks.take(ctx, account.projectId, read, part.body)
  }
  return unread === 0
}
