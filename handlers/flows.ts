import * as flowChanges from '../capabilities/flows/flow-changes.ts'
import * as flowCreation from '../capabilities/flows/flow-creation.ts'
import * as flows from '../capabilities/flows/flows.ts'
import type { Handlers } from '../core/handlers.ts'

export const flowHandlers = {
  listFlows: (ctx, { query }) => flows.list(ctx, query),

  createFlow: async (ctx, { body }) => ({ flow: await flowCreation.create(ctx, body) }),

  getFlow: (ctx, { path }) => flows.get(ctx, path.id),

  updateFlow: async (ctx, { path, body }) => ({
    flow: await flowChanges.update(ctx, path.id, body),
  }),

  publishFlow: async (ctx, { path }) => ({ flow: await flowChanges.publish(ctx, path.id) }),
} satisfies Partial<Handlers>
