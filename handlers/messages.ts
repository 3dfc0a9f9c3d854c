import * as messages from '../capabilities/messages/messages.ts'
import type { Handlers } from '../core/handlers.ts'

export const messageHandlers = {
  sendMessage: (ctx, { body }) => messages.send(ctx, body),

  getMessage: async (ctx, { path }) => ({ message: await messages.get(ctx, path.id) }),
} satisfies Partial<Handlers>
