import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { deployHandlers, logOf, runBots, untilRun } from '../support/bots.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { applySql } from '../support/tables.ts'

/** The most that one insert takes, by the contract. */
const ROWS = 100

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
      `const rows = Array.from({ length: ${ROWS} }, (_, id) => ({ id, note: 'x'.repeat(5000) }))
       ctx.log.info((await ctx.table('notes').insert(rows)).length)`,
      project,
    )
    expect(lines).toEqual([String(ROWS)])
  })

  it('is answered with no more than twice as much, and nothing is inserted', async () => {
    const project = await service.project()
    await applySql(
      service,
      project,
      `CREATE TABLE nested (id int PRIMARY KEY,
         more json DEFAULT ('[' || repeat('{},', 400000) || '{}]')::json)`,
    )
    const lines = await logged(
      `await ctx.table('nested').insert([{ id: 1 }]).catch((e) => ctx.log.info(e.code, e.message))
       ctx.log.info((await ctx.table('nested').insert([{ id: 2, more: null }])).length)
       ctx.log.info(await ctx.table('nested').rows({ columns: ['id'] }))`,
      project,
    )
    expect(lines).toEqual([
      'bad_request The rows as stored are larger than 1024 KiB; insert fewer at a time.',
      '1',
      '[{"id":2}]',
    ])
  })

  it('may be rows in an order that nothing could page by, for which nothing is kept', async () => {
    const project = await service.project()
    await applySql(
      service,
      project,
      `CREATE TABLE essays (id int PRIMARY KEY, essay text);
       INSERT INTO essays SELECT g, g || repeat('x', CASE WHEN g < 4 THEN 70000 ELSE 1000 END)
         FROM generate_series(1, 6) g`,
    )
    const lines = await logged(
      `for (const direction of ['asc', 'desc']) {
         const query = { columns: ['id'], order_by: 'essay', direction, limit: 2 }
         ctx.log.info((await ctx.table('essays').rows(query)).map(({ id }) => id).join())
       }`,
      project,
    )
    expect(lines).toEqual(['1,2', '6,5'])
    expect(await service.ctx.db.rowCursor.count({ where: { projectId: project.id } })).toBe(0)
  })

  it('is enough for the largest event', async () => {
    const lines = await logged(
      `ctx.log.info(await ctx.emit('big', 'x'.repeat(${LIMITS.customEventBytes - 2})))`,
    )
    expect(lines).toEqual(['true'])
  })
})

const introduceMany = statement(
  'test-introduce-states',
  `INSERT INTO conversation_states SELECT $1, 'state ' || n FROM generate_series(1, $2::int) n`,
)

describe('the states that a bot introduces', () => {
  const knownTo = async ({ client }: Awaited<ReturnType<TestService['project']>>) => {
    const { conversations } = await client.ok('listConversations')
    const path = { id: Number(conversations[0]?.id) }
    const body = { state: 'unheard of' }
    const { details } = await client.refused('updateConversation', 'INVALID_STATE', { path, body })
    return details.known_states as string[]
  }

  it('are known from then on, each once, and those of the platform are none of them', async () => {
    const project = await service.project()
    const lines = await logged(
      `for (const state of ['vip', 'handover', 'vip', 'done']) await ctx.setState(state)`,
      project,
    )
    expect(lines).toEqual([])
    expect(await knownTo(project)).toEqual([
      ...['unstructured', 'handover', 'awaiting_form', 'done', 'vip'],
    ])
  })

  it('are so many at the most; those that there are can still be set', async () => {
    const project = await service.project()
    const { statesOfProject } = LIMITS
    await service.ctx.sql.rows(introduceMany, [project.id, statesOfProject - 1])
    const lines = await logged(
      `for (const state of ['last', 'more', 'state 1', 'last', 'handover']) {
         await ctx.setState(state).then(() => ctx.log.info(state), (error) => ctx.log.info(error.code, error.message))
       }`,
      project,
    )
    expect(lines).toEqual([
      'last',
      `bad_request A project has at most ${statesOfProject} states of its own, and has them all.`,
      ...['state 1', 'last', 'handover'],
    ])
    expect(await knownTo(project)).toHaveLength(4 + statesOfProject)
  })

  it('are listed up to so many, also where there are more', async () => {
    const project = await service.project()
    await service.customer(project)
    await service.ctx.sql.rows(introduceMany, [project.id, 2 * LIMITS.statesOfProject])
    expect(await knownTo(project)).toHaveLength(4 + LIMITS.statesOfProject)
  })
})
