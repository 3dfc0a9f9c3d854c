import * as files from '../capabilities/bots/code-files.ts'
import * as deployments from '../capabilities/bots/deployments.ts'
import type { Handlers } from '../core/handlers.ts'

export const codeHandlers = {
  listFiles: async (ctx) => ({ files: await files.list(ctx) }),

  getFile: async (ctx, { path }) => ({ file: await files.get(ctx, path.path) }),

  putFile: async (ctx, { path, body }) => ({ file: await files.put(ctx, path.path, body) }),

  deleteFile: (ctx, { path }) => files.remove(ctx, path.path),

  listDeployments: (ctx, { query }) => deployments.list(ctx, query),

  createDeployment: async (ctx, { body }) => ({ deployment: await deployments.create(ctx, body) }),

  getDeployment: async (ctx, { path }) => ({ deployment: await deployments.get(ctx, path.id) }),
} satisfies Partial<Handlers>
