import * as mediaUploads from '../capabilities/media/media-uploads.ts'
import * as media from '../capabilities/media/media.ts'
import type { Handlers } from '../core/handlers.ts'

export const mediaHandlers = {
  uploadHeaderSample: (ctx, { body }) => mediaUploads.uploadHeaderSample(ctx, body),

  uploadMedia: async (ctx, { body }) => ({ media: await mediaUploads.upload(ctx, body) }),

  listMedia: (ctx, { query }) => media.list(ctx, query),

  getMedia: async (ctx, { path }) => ({ media: await media.get(ctx, path.slug) }),

  getMediaContent: (ctx, { path }) => media.content(ctx, path.slug),

  deleteMedia: (ctx, { path }) => media.remove(ctx, path.slug),
} satisfies Partial<Handlers>
