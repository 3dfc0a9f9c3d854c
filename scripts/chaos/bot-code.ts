import { randomUUID } from 'node:crypto'
import { begunAt } from '../../capabilities/bots/code-rows.ts'
import { record } from '../../capabilities/bots/deployment-rows.ts'
import type { BotHandler } from '../../core/bots.ts'
import type { Context } from '../../core/context.ts'

const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: '' })

/** Puts a bundle into production, past the build. */
export async function deployCode(
  ctx: Context,
  projectId: string,
  bundle: string,
  handlers: BotHandler[] = ['onMessage'],
): Promise<void> {
  const owner = { ...ctx, project: { id: projectId } }
  await begunAt(owner)
  await record(owner, {
    id: randomUUID(),
    snapshot: '1',
    message: null,
    tree: new Map(),
    handlers,
    bundle,
    sourceMap: NO_MAP,
  })
}
