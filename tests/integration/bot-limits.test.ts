import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { deployHandlers, logOf, runBots, untilRun } from '../support/bots.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'

let service: TestService
let bots: Awaited<ReturnType<typeof runBots>>
beforeAll(async () => {
  service = await startTestService()
  bots = await runBots(service.ctx)
})
afterAll(async () => {
  await bots.stop()
  await service.stop()
})

/** What a bot logs whose handler does this once for a message. */
async function logged(body: string, project?: Awaited<ReturnType<TestService['project']>>) {
  const owner = project ?? (await service.project())
  await deployHandlers(service, owner, { onMessage: `async (ctx) => { ${body} }` })
  await service.customer(owner)
  await untilRun(service, owner)
  return (await logOf(service, owner)).map(({ text }) => text)
}

describe('what a run tells', () => {
  it('is refused in one call that says too much, and the next call goes on', async () => {
    const lines = await logged(`
      const attempt = (work) => work.then(() => ctx.log.info('done'), (e) => ctx.log.info(e.message))
      await attempt(ctx.setAttributes({ a: 'x'.repeat(${LIMITS.botCallCharacters}) }))
      await attempt(ctx.setAttributes({ a: 'x' }))`)
    expect(lines).toEqual(['A call says at most 512 KiB.', 'done'])
  })

  it('is bounded over all of its calls, whatever they ask for', async () => {
    const lines = await logged(`
      const values = { a: 'x'.repeat(300000) }
      let told = 0
      try { for (;;) await ctx.setAttributes(values).catch((e) => { if (e.code) told++; else throw e }) }
      catch (error) { ctx.log.info(told + ' ' + error.message) }
      await ctx.setState('done')
      ctx.log.info('went on')`)
    expect(lines).toEqual(['6 A run says at most 2 MiB in all its calls.', 'went on'])
  })

  it('is enough for as many rows as an insert takes, each as wide as five pages of text', async () => {
    const project = await service.project()
    await applySql(service, project, 'CREATE TABLE notes (id int PRIMARY KEY, note text)')
    const lines = await logged(
      `const rows = Array.from({ length: ${LIMITS.rowsInserted} }, (_, id) => ({ id, note: 'x'.repeat(5000) }))
       ctx.log.info((await ctx.table('notes').insert(rows)).length)`,
      project,
    )
    expect(lines).toEqual([String(LIMITS.rowsInserted)])
  })

  it('is enough for the largest event', async () => {
    const lines = await logged(
      `ctx.log.info(await ctx.emit('big', 'x'.repeat(${LIMITS.customEventBytes - 2})))`,
    )
    expect(lines).toEqual(['true'])
  })
})
