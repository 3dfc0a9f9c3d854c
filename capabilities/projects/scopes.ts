import type { ProjectGrant } from '../../core/context.ts'
import type { Scope } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'

/** Every scope of the contract; leaving one out does not compile. */
const SCOPES = {
  'messages:send': true,
  'conversations:read': true,
  'conversations:write': true,
  'contacts:read': true,
  'contacts:write': true,
  'templates:read': true,
  'templates:manage': true,
  'broadcasts:read': true,
  'broadcasts:manage': true,
  'code:read': true,
  'code:write': true,
  'flows:read': true,
  'flows:write': true,
  'webhooks:manage': true,
  'events:message_received': true,
  'events:message_status': true,
  'events:template_status': true,
  'tables:read': true,
  'tables:write': true,
  'media:read': true,
  'media:write': true,
} as const satisfies Record<Scope, true>

/** Every scope of the contract: what `all` stands for. */
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[]

/**
 * Reads scopes that a person names, `all` for every one; throws `bad_request` for none, an unknown one, or others
 * beside `all`.
 */
export function parseScopes(names: string[]): Scope[] {
  if (names.length === 1 && names[0] === 'all') return ALL_SCOPES
  const unknown = names.filter((name) => name !== 'all' && !Object.hasOwn(SCOPES, name))
  if (unknown.length > 0) {
    throw new ServiceError(
      'bad_request',
      `Unknown scope ${unknown.join(', ')}. Known scopes: ${ALL_SCOPES.join(', ')}.`,
    )
  }
  if (names.includes('all')) {
    throw new ServiceError('bad_request', 'The scope all stands for every one: name it alone.')
  }
  if (names.length === 0) throw new ServiceError('bad_request', 'Name at least one scope.')
  return ALL_SCOPES.filter((scope) => names.includes(scope))
}

/**
 * Throws `insufficient_scope` unless the project's grant has all required scopes; `what` begins the sentence of
 * the message.
 */
export function requireScopes(project: ProjectGrant, required: Scope[], what: string): void {
  if (required.every((scope) => project.scopes.includes(scope))) return
  throw new ServiceError(
    'insufficient_scope',
    `${what} needs the scope ${required.join(' and ')} on project ${project.id}.`,
    {
      details: { required, held: project.scopes, project_id: project.id },
      headers: {
        'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${required.join(' ')}"`,
      },
    },
  )
}
