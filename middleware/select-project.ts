import type { Request } from 'express'
import type { Credential, ProjectGrant } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { timesSent } from './request-context.ts'

/**
 * The project of a request, by its `X-Service-Project` or the credential's default. Throws the 400s and 403s of
 * the specification's table, and `PROJECT_NOT_FOUND` for a deleted project of a token.
 */
export function selectProject(req: Request, credential: Credential): ProjectGrant {
  const name = projectHeader(req)
  if (credential.grants.length === 0) {
    throw new ServiceError('no_project_access', 'No project is attached to this connection.')
  }
  const project = name === null ? unnamed(req, credential) : named(name, credential)
  if (project.status === 'active') return project
  if (project.status === 'deleted' && credential.kind === 'token') {
    throw new ServiceError('PROJECT_NOT_FOUND', `The project ${project.id} is gone.`)
  }
  throw new ServiceError(
    'project_inactive',
    `The project ${project.id} is ${project.status}; nothing works on it until it is resumed.`,
  )
}

function projectHeader(req: Request): string | null {
  const header = req.headers['x-service-project']
  if (header === undefined) return null
  const name = String(header).trim()
  if (name === '' || timesSent(req.rawHeaders, 'x-service-project') > 1) {
    throw new ServiceError(
      'invalid_project_header',
      'The header X-Service-Project is blank or sent twice; name one project, or leave it out.',
    )
  }
  return name
}

function named(name: string, credential: Credential): ProjectGrant {
  const folded = name.toLowerCase()
  const project = credential.grants.find(({ id }) => id.toLowerCase() === folded)
  if (project) return project
  throw new ServiceError(
    'project_not_attached',
    'The project that X-Service-Project names cannot be reached with this credential.',
  )
}

function unnamed(req: Request, credential: Credential): ProjectGrant {
  const [only, ...others] = credential.grants
  if (req.method !== 'GET' && others.length > 0) {
    throw new ServiceError(
      'project_required',
      'This connection reaches several projects; name one with X-Service-Project.',
    )
  }
  const project = credential.grants.find(({ id }) => id === credential.defaultProjectId) ?? only
  if (!project) throw new Error('A credential with grants has none')
  return project
}
