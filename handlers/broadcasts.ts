import * as broadcastRecipients from '../capabilities/broadcasts/broadcast-recipients.ts'
import * as broadcasts from '../capabilities/broadcasts/broadcasts.ts'
import type { Handlers } from '../core/handlers.ts'

export const broadcastHandlers = {
  listBroadcasts: (ctx, { query }) => broadcasts.list(ctx, query),

  createBroadcast: async (ctx, { body }) => ({ broadcast: await broadcasts.create(ctx, body) }),

  getBroadcast: async (ctx, { path }) => ({ broadcast: await broadcasts.get(ctx, path.id) }),

  listBroadcastRecipients: (ctx, { path, query }) => broadcastRecipients.list(ctx, path.id, query),
} satisfies Partial<Handlers>
