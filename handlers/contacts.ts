import * as contacts from '../capabilities/conversations/contacts.ts'
import type { Handlers } from '../core/handlers.ts'

export const contactHandlers = {
  listContacts: (ctx, { query }) => contacts.list(ctx, query),

  getContact: async (ctx, { path }) => ({ contact: await contacts.get(ctx, path.id) }),

  updateContact: async (ctx, { path, body }) => ({
    contact: await contacts.update(ctx, path.id, body),
  }),
} satisfies Partial<Handlers>
