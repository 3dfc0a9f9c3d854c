import * as keys from '../../capabilities/projects/keys.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { ALL_SCOPES } from '../../capabilities/projects/scopes.ts'
import type { Operation, OperationId, Scope } from '../../core/contract.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { guardedOperations, type Parts } from './client.ts'
import { declaredOperations } from './document.ts'
import { identified, makeResources, requestFor } from './resources.ts'
import { startTestService } from './service.ts'

const named = (operation: Operation): [string, Operation] => [operation.id, operation]
const where = (isWanted: (operation: Operation) => boolean) =>
  guardedOperations.filter(isWanted).map(named)

/** Those with a UUID in their path. */
const uuidOperations = new Set(
  declaredOperations
    .filter(({ parameters }) =>
      parameters.some((one) => one.in === 'path' && one.schema.format === 'uuid'),
    )
    .map(({ operationId }) => operationId),
)

/** The operations that need a credential, by what can be asked of them; each under its name. */
export const OPERATIONS = {
  all: where(() => true),
  scoped: where(({ scopes }) => scopes.length > 0),
  identified: where(({ path }) => path.includes('{')),
  // A PUT makes what is not there.
  existing: where(({ path, method }) => path.includes('{') && method !== 'put'),
  numbered: where(({ integers }) => integers.path.length > 0),
  uuids: where(({ id }) => uuidOperations.has(id)),
  withBody: where(({ hasBody }) => hasBody),
  ofProject: where(({ ignoresProject }) => !ignoresProject),
  // The files of a project without code are those of the starter.
  lists: where(
    ({ id, path, ignoresProject }) =>
      /^list/.test(id) && !path.includes('{') && !ignoresProject && id !== 'listFiles',
  ),
}

/** A service with a project to call, another one, both filled, and a paused one. */
export async function startSweep(env: Record<string, string> = {}) {
  const service = await startTestService({ env })
  const project = await service.project()
  const other = await service.project()
  const paused = await service.project()
  const resources = await makeResources(service, project)
  const others = await makeResources(service, other)
  await projects.setStatus(service.ctx, paused.id, 'paused')

  /** A valid request of the project's, changed in one place. */
  const valid = (operation: Operation, change: Parts = {}): Parts => ({
    ...requestFor(operation, identified(operation, resources, 'own')),
    ...change,
  })

  /** A request that is wrong wherever the operation can be wrong, as long as its path is known. */
  const broken = (operation: Operation, change: Parts = {}): Parts => {
    const names = Object.keys(identified(operation, resources, 'own'))
    return {
      path: Object.fromEntries(names.map((name) => [name, '\0'])),
      query: { not_a_parameter: '1' },
      ...(operation.hasBody ? { body: [] } : {}),
      ...change,
    }
  }

  return {
    service,
    project,
    other,
    paused,
    resources,
    others,
    valid,
    broken,
    refused: (operation: Operation, code: ErrorCode, parts: Parts) =>
      project.client.refused(operation.id as OperationId, code, parts),
    send: (operation: Operation, parts: Parts) =>
      project.client.send(operation.id as OperationId, parts),

    /** A key of the project that holds every scope but the given ones. */
    async keyWithout(missing: readonly Scope[], projectId = project.id): Promise<string> {
      const scopes = ALL_SCOPES.filter((scope) => !missing.includes(scope))
      const name = 'Narrow'
      const made = await keys.create(service.ctx, { projectId, name, scopes, isTest: false })
      return made.secret
    },
  }
}

export type Sweep = Awaited<ReturnType<typeof startSweep>>
