import { randomUUID } from 'node:crypto'
import type { TestProject, TestService } from './service.ts'

/** A bot that does nothing, as it is built. */
const IDLE = {
  bundle: 'var bot = { onMessage() {} }',
  sourceMap: '{"version":3,"sources":[],"names":[],"mappings":""}',
}

/** Makes a project's first deployment production without building it; answers with its id. */
export async function storeDeployment(
  { ctx }: TestService,
  { id: projectId, client }: TestProject,
): Promise<string> {
  await client.ok('listFiles')
  const id = randomUUID()
  const data = { id, projectId, version: 1, snapshot: 0, changes: [], createdAt: ctx.now() }
  await ctx.db.deployment.create({ data: { ...data, ...IDLE } })
  await ctx.db.bot.update({ where: { projectId }, data: { productionId: id, lastVersion: 1 } })
  return id
}
