import * as segments from '../capabilities/segments/segments.ts'
import type { Handlers } from '../core/handlers.ts'

export const segmentHandlers = {
  listSegments: (ctx, { query }) => segments.list(ctx, query),

  createSegment: async (ctx, { body }) => ({ segment: await segments.create(ctx, body) }),

  getSegment: async (ctx, { path }) => ({ segment: await segments.get(ctx, path.id) }),

  updateSegment: async (ctx, { path, body }) => ({
    segment: await segments.update(ctx, path.id, body),
  }),

  deleteSegment: (ctx, { path }) => segments.remove(ctx, path.id),
} satisfies Partial<Handlers>
