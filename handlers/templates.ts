import * as templateCreation from '../capabilities/templates/template-creation.ts'
import * as templates from '../capabilities/templates/templates.ts'
import type { Handlers } from '../core/handlers.ts'

export const templateHandlers = {
  listTemplates: (ctx, { query }) => templates.list(ctx, query),

  createTemplate: async (ctx, { body }) => ({ template: await templateCreation.create(ctx, body) }),

  getTemplate: async (ctx, { path }) => ({ template: await templates.get(ctx, path.id) }),

  deleteTemplate: (ctx, { path }) => templates.remove(ctx, path.id),
} satisfies Partial<Handlers>
