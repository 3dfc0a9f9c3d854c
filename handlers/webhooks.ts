import * as deliveries from '../capabilities/webhooks/webhook-deliveries.ts'
import * as webhooks from '../capabilities/webhooks/webhooks.ts'
import type { Handlers } from '../core/handlers.ts'

export const webhookHandlers = {
  createWebhook: (ctx, { body }) => webhooks.create(ctx, body),

  listWebhooks: async (ctx) => ({ webhooks: await webhooks.list(ctx, ctx.project.id) }),

  getWebhook: async (ctx, { path }) => ({ webhook: await webhooks.get(ctx, path.id) }),

  updateWebhook: async (ctx, { path, body }) => ({
    webhook: await webhooks.update(ctx, path.id, body),
  }),

  deleteWebhook: (ctx, { path }) => webhooks.remove(ctx, path.id),

  testWebhook: (ctx, { path }) => deliveries.test(ctx, path.id),

  listWebhookDeliveries: (ctx, { path, query }) => deliveries.list(ctx, path.id, query),
} satisfies Partial<Handlers>
