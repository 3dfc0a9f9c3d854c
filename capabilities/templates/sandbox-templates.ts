import type { Context } from '../../core/context.ts'
import type { SandboxTemplate, SandboxTemplateStore } from '../../core/sandbox-store.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

/**
 * Stores the sandbox's templates in the service's database, so that they survive a restart and are the same in
 * the sandboxes of all processes.
 */
export function storeOf({ db }: Context): SandboxTemplateStore {
  return {
    async list(businessAccountId) {
      const rows = await db.sandboxTemplate.findMany({
        where: { businessAccountId },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      })
      return rows.map(({ components, parameterFormat, ...row }) => ({
        ...row,
        parameterFormat: parameterFormat === 'NAMED' ? 'NAMED' : 'POSITIONAL',
        components: components as SandboxTemplate['components'],
      }))
    },
    async add({ components, ...template }) {
      const data = { ...template, components: components as Prisma.InputJsonValue }
      const { count } = await db.sandboxTemplate.createMany({ data, skipDuplicates: true })
      return count === 1
    },
    async change({ businessAccountId, id, status, reason, dueAt }) {
      const data = { status, reason, dueAt }
      await db.sandboxTemplate.updateMany({ where: { businessAccountId, id }, data })
    },
    async remove({ businessAccountId, id }) {
      await db.sandboxTemplate.deleteMany({ where: { businessAccountId, id } })
    },
  }
}

/**
 * Moves a template in the sandbox to another status, and answers with it as the sandbox lists it; a template
 * that only the service knows is answered unchanged. Null for an unknown one.
 */
export async function move(
  { db }: Context,
  { projectId, businessAccountId }: { projectId: string; businessAccountId: string },
  { name, language, status }: { name: string; language: string; status: string },
): Promise<{ id: string; category: string } | null> {
  const place = { businessAccountId, name, language }
  const kept = await db.sandboxTemplate.findUnique({
    where: { businessAccountId_name_language: place },
  })
  if (!kept) return db.template.findFirst({ where: { projectId, name, language } })
  if (status === 'DELETED') {
    await db.sandboxTemplate.deleteMany({ where: place })
  } else {
    const reason = status === 'REJECTED' ? 'INVALID_FORMAT' : null
    await db.sandboxTemplate.updateMany({ where: place, data: { status, reason } })
  }
  return kept
}
