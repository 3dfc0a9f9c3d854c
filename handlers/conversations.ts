import * as conversations from '../capabilities/conversations/conversations.ts'
import type { Handlers } from '../core/handlers.ts'

export const conversationHandlers = {
  listConversations: (ctx, { query }) => conversations.list(ctx, query),

  getConversation: async (ctx, { path }) => ({
    conversation: await conversations.get(ctx, path.id),
  }),

  updateConversation: async (ctx, { path, body }) => ({
    conversation: await conversations.setState(ctx, path.id, body.state),
  }),

  listConversationMessages: (ctx, { path, query }) =>
    conversations.listMessages(ctx, path.id, query),
} satisfies Partial<Handlers>
