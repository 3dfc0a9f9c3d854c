import type { Context } from '../../core/context.ts'
import type { SandboxFlow, SandboxFlowStore } from '../../core/sandbox-store.ts'
import { Prisma } from '../../generated/prisma/client.ts'

type Row = Omit<SandboxFlow, 'definition'> & { definition: unknown }

/**
 * The sandbox's flows in the service's own database, so that they outlive a restart and every process's
 * sandbox knows the same ones.
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
