import * as projects from '../capabilities/projects/projects.ts'
import type { Handlers } from '../core/handlers.ts'

export const credentialHandlers = {
  ping: ({ project }) => ({ ok: true, projectId: project.id, scopes: project.scopes }),

  listProjects: ({ credential }) => projects.listReachable(credential),
} satisfies Partial<Handlers>
