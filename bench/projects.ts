import * as keys from '../capabilities/projects/keys.ts'
import * as projects from '../capabilities/projects/projects.ts'
import type { ProjectContext } from '../core/context.ts'
import type { Statement } from '../core/sql.ts'
import type { Bed } from './bed.ts'
import { seedConversations, settleTables } from './seed.ts'

/** A project with conversations, and a key with all scopes. */
export type Filled = { id: string; secret: string; conversations: number }

type Wanted = { id: string; conversations: number; isOpen: boolean }

/** Creates a project with conversations, and leaves the tables vacuumed. */
export async function fillProject(
  { opened: { ctx }, admin }: Bed,
  { id, conversations, isOpen }: Wanted,
): Promise<Filled> {
  await projects.create(ctx, { id, name: id })
  const scopes = ['all']
  const { secret } = await keys.create(ctx, { projectId: id, name: 'Bench', scopes, isTest: false })
  await seedConversations(admin, { projectId: id, conversations, isOpen })
  await settleTables(admin)
  return { id, secret, conversations }
}

/** A statement as the service would execute it. */
export type Recorded = { statement: Statement; values: readonly unknown[] }

/**
 * Records the statements that a capability executes for a project, answering each with no rows, so that the
 * references can execute the same SQL.
 */
export async function recordStatements(
  { opened: { ctx } }: Bed,
  projectId: string,
  work: (ctx: ProjectContext) => Promise<unknown>,
  replaced: Partial<ProjectContext> = {},
): Promise<Recorded[]> {
  const recorded: Recorded[] = []
  const rows = async (statement: Statement, values: readonly unknown[] = []) => {
    recorded.push({ statement, values })
    return []
  }
  const status = 'active' as const
  const project = { id: projectId, name: projectId, status, scopes: [], dailySendQuota: null }
  await work({
    ...ctx,
    sql: {
      rows,
      announce: () => {},
      onAnnounced: () => () => {},
      together: (asked) =>
        Promise.all(asked.map(({ statement, values }) => rows(statement, values))),
      transaction: (run) => run({ rows, announce: () => {} }),
    },
    project,
    credential: { id: 'bench', kind: 'key', grants: [project], defaultProjectId: projectId },
    requestId: 'bench',
    idempotency: null,
    budgets: [],
    ...replaced,
  })
  return recorded
}

/** The only statement; throws when there are several, since the references would then be wrong. */
export function only(recorded: Recorded[]): Recorded {
  const [first, ...others] = recorded
  if (first && others.length === 0) return first
  throw new Error(`One statement was expected, not ${recorded.length}`)
}
