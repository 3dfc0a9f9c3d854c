import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { setOwnState } from '../../capabilities/conversations/conversations.ts'
import type { ProjectGrant } from '../../core/context.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { betweenTwo, inTheWay, untilWaiting } from '../support/locks.ts'
import { seededRandom } from '../support/random.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

const PLATFORM_STATES = ['unstructured', 'handover', 'awaiting_form', 'done']

let service: TestService
let project: TestProject
let id: number

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  id = (await service.customer(project)).id
})
afterAll(() => service.stop())

const refused = (code: ErrorCode, body: unknown, path = { id }, by = project) =>
  by.client.refused('updateConversation', code, { path, body })

const introduce = statement(
  'test-introduce-state',
  'INSERT INTO conversation_states (project_id, state) VALUES ($1, $2)',
)
const stateOf = async () => {
  const { conversation } = await project.client.ok('getConversation', { path: { id } })
  expect(conversation.status).toBe(conversation.state)
  return conversation.state
}
const move = async (body: { state: string; status?: unknown }) =>
  (await project.client.ok('updateConversation', { path: { id }, body })).conversation

describe('PATCH /v1/conversations/{id}', () => {
  it('moves to each state of the platform, and tells the one before', async () => {
    let previous_state = await stateOf()
    for (const state of PLATFORM_STATES) {
      expect(await move({ state })).toEqual({ id, state, previous_state })
      expect(await stateOf()).toBe(state)
      previous_state = state
    }
    expect(await move({ state: previous_state })).toMatchObject({ previous_state })
  })

  it('refuses a state that the project never used, names those it knows, and changes nothing', async () => {
    const before = await stateOf()
    const { status, message, details } = await refused('INVALID_STATE', { state: 'escalated' })
    expect(status).toBe(400)
    expect(details).toEqual({ known_states: PLATFORM_STATES })
    for (const state of PLATFORM_STATES) expect(message).toContain(state)
    expect(await stateOf()).toBe(before)
    await refused('invalid_request', { state: 'a'.repeat(10_240) })
    for (const state of ['DONE', ' done', 'done ', 'constructor', '__proto__']) {
      await refused('INVALID_STATE', { state })
    }
  })

  it('takes a state that the project’s bot code introduced, in that project alone', async () => {
    await service.ctx.sql.rows(introduce, [project.id, 'vip-care'])
    expect(await move({ state: 'vip-care' })).toMatchObject({ state: 'vip-care' })
    const query = { state: 'vip-care' }
    const { conversations } = await project.client.ok('listConversations', { query })
    expect(conversations).toMatchObject([{ id, state: 'vip-care', status: 'vip-care' }])
    const { details } = await refused('INVALID_STATE', { state: 'other' })
    expect(details).toEqual({ known_states: [...PLATFORM_STATES, 'vip-care'] })

    const other = await service.project()
    const foreign = await service.customer(other)
    const told = await refused('INVALID_STATE', { state: 'vip-care' }, { id: foreign.id }, other)
    expect(told.details).toEqual({ known_states: PLATFORM_STATES })
  })

  it('ignores status in the body', async () => {
    for (const status of ['handover', 7, null, ['x']]) {
      expect(await move({ state: 'done', status })).toMatchObject({ state: 'done' })
      expect(await stateOf()).toBe('done')
    }
    await refused('invalid_request', { status: 'handover' })
  })

  it.each([
    ...[{}, { state: '' }, { state: 7 }, { state: null }, { state: 'a'.repeat(101) }],
    ...[{ state: 'done', foo: 1 }, [], '"done"', 'null', { state: 'a\u0000' }],
  ])('refuses the body %j as invalid_request', async (body) => {
    await refused('invalid_request', body)
  })

  it('answers 404 for a conversation of another project, whatever the state', async () => {
    const foreign = await service.customer(await service.project())
    for (const state of ['done', 'escalated']) {
      await refused('not_found', { state }, { id: foreign.id })
      await refused('not_found', { state }, { id: 999_999 })
    }
  })

  it('tells the state that it replaced, which another move had set while it waited', async () => {
    await move({ state: 'done' })
    let moving: ReturnType<typeof move> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query("UPDATE conversations SET state = 'handover' WHERE id = $1", [id])
      moving = move({ state: 'awaiting_form' })
      await untilWaiting(service.ctx)
    })
    expect(await moving).toEqual({ id, state: 'awaiting_form', previous_state: 'handover' })
  })

  it('is moved though others wait for each other there, and PostgreSQL ends the move for them', async () => {
    const { conversation } = await project.client.ok('getConversation', { path: { id } })
    const rows = {
      first: { table: 'conversations', id },
      second: { table: 'contacts', id: conversation.contact.id },
    } as const
    expect(await betweenTwo(service, rows, () => move({ state: 'done' }))).toMatchObject({
      state: 'done',
    })
  })

  it('makes 200 moves at the same moment one chain, each from where the one before led', async () => {
    const random = seededRandom(5)
    const start = await stateOf()
    const moves = await Promise.all(
      Array.from({ length: 200 }, () => move({ state: random.pick(PLATFORM_STATES) })),
    )
    const end = await stateOf()
    // A chain leaves every state as often as it enters it, but for the first and the last.
    for (const state of PLATFORM_STATES) {
      const entered = moves.filter((one) => one.state === state).length + Number(state === start)
      const left =
        moves.filter((one) => one.previous_state === state).length + Number(state === end)
      expect({ state, left }).toEqual({ state, left: entered })
    }
  })
})

describe('a state that a project’s bot introduces', () => {
  const introduceOwn = (state: string) => {
    const grant: ProjectGrant = {
      id: project.id,
      name: 'Project',
      status: 'active',
      scopes: [],
      dailySendQuota: null,
    }
    return setOwnState({ ...service.ctx, project: grant }, id, state)
  }

  it('is taken also where another run introduces it at the same moment', async () => {
    let moving: ReturnType<typeof setOwnState> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      await query(introduce.text, [project.id, 'both'])
      moving = introduceOwn('both')
      await untilWaiting(service.ctx)
    })
    expect(await moving).toMatchObject({ id, state: 'both' })
  })

  it('is taken however many another project has', async () => {
    const other = await service.project()
    const states = Array.from({ length: LIMITS.statesOfProject }, (_, n) => `state ${n}`)
    for (const state of states) await service.ctx.sql.rows(introduce, [other.id, state])
    expect(await introduceOwn('mine')).toMatchObject({ id, state: 'mine' })
  })
})
