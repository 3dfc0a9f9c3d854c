import type { Context } from '../../core/context.ts'
import type { SandboxFlow, SandboxFlowStore } from '../../core/sandbox-store.ts'
import { Prisma } from '../../generated/prisma/client.ts'

type Row = Omit<SandboxFlow, 'definition'> & { definition: unknown }

/**
 * Stores the sandbox's flows in the service's database, so that they survive a restart and are the same in the
 * sandboxes of all processes.
 */
export function storeOf({ db }: Context): SandboxFlowStore {
  const written = ({ definition }: SandboxFlow) =>
    definition === null ? Prisma.DbNull : (definition as Prisma.InputJsonValue)
  return {
    async find(id) {
      const row = await db.sandboxFlow.findUnique({ where: { id } })
      return row && read(row)
    },
    async list(businessAccountId) {
      const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]
      const rows = await db.sandboxFlow.findMany({ where: { businessAccountId }, orderBy })
      return rows.map(read)
    },
    async add(flow) {
      const data = { ...flow, definition: written(flow) }
      const { count } = await db.sandboxFlow.createMany({ data, skipDuplicates: true })
      return count === 1
    },
    async change(flow) {
      const { id, name, status, categories } = flow
      const data = { name, status, categories, definition: written(flow) }
      await db.sandboxFlow.updateMany({ where: { id }, data })
    },
    async remove({ id }) {
      await db.sandboxFlow.deleteMany({ where: { id } })
    },
  }
}

function read({ definition, ...row }: Row): SandboxFlow {
  return { ...row, definition: definition as SandboxFlow['definition'] }
}
