import { ServiceError } from '../../core/errors.ts'
import { isRecord } from '../../core/json-values.ts'
import { LIMITS } from '../../core/limits.ts'
import type { BotCall } from './bot-runs.ts'
import { writingOnce } from './bot-effects.ts'
import * as changes from '../tables/table-changes.ts'
import { list } from '../tables/table-rows.ts'

/** The rows of a table that match a query; throws what the API would answer. */
export async function rows({ ctx, check }: BotCall, given: unknown, asked: unknown) {
  const table = tableName(given)
  const { limit, ...query } = queryOf(asked)
  const path = { table }
  await check('listRows', { path, query: limit === undefined ? query : { ...query, limit } })
  const checked = { ...query, ...(limit === undefined ? {} : { limit: Number(limit) }) }
  const page = await list(ctx, table, checked, { columns: namesIn(asked), mayGoOn: false })
  if (page.json.length > LIMITS.botRowsCharacters) {
    const most = LIMITS.botRowsCharacters / 1024
    const problem = `The rows are larger than ${most} KiB; ask for fewer rows or columns.`
    throw new ServiceError('bad_request', problem)
  }
  return rowsIn(page.json)
}

/** Inserts rows and answers with them as stored; once for each call of a run. */
export async function insert(call: BotCall, given: unknown, inserted: unknown) {
  const table = tableName(given)
  await call.check('insertRows', { path: { table }, body: { rows: inserted } })
  const ctx = writingOnce(call.ctx, call.run, call.name)
  const rows = inserted as changes.Values[]
  const most = LIMITS.botInsertedCharacters
  return rowsIn((await changes.insert(ctx, table, 'public', rows, most)).json)
}

/** Sets columns in the rows that match the filters; once for each call of a run. */
export async function update(call: BotCall, given: unknown, change: unknown) {
  const table = tableName(given)
  const { values, ...target } = membersOf(change)
  const query = queryOf(target)
  await call.check('updateRows', { path: { table }, query, body: { values } })
  const ctx = writingOnce(call.ctx, call.run, call.name)
  const asked = { filters: '', ...query }
  const { matched, updated } = await changes.updateRows(ctx, table, asked, values as changes.Values)
  return { matched, updated }
}

/** Deletes the rows that match the filters; once for each call of a run. */
export async function remove(call: BotCall, given: unknown, target: unknown) {
  const table = tableName(given)
  const query = queryOf(target)
  await call.check('deleteRows', { path: { table }, query })
  const ctx = writingOnce(call.ctx, call.run, call.name)
  const asked = { filters: '', ...query }
  const { matched, deleted } = await changes.deleteRows(ctx, table, asked)
  return { matched, deleted }
}

function rowsIn(json: string): unknown[] {
  return (JSON.parse(json) as { rows: unknown[] }).rows
}

/** For a name that is no text, the check against the contract reports the fault. */
function tableName(given: unknown): string {
  if (typeof given === 'string') return given
  throw new ServiceError('invalid_id', 'The name of the table is malformed.')
}

/** A bot's query object in the form that a request's query string has. */
function queryOf(given: unknown): Record<string, string> {
  const { schema, max_rows, dry_run, cursor, ...members } = membersOf(given)
  for (const [name, value] of Object.entries({ schema, max_rows, dry_run, cursor })) {
    if (value !== undefined) throw misfit(name, 'is not for bots')
  }
  const said = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said.map(([name, value]) => [name, wordOf(name, value)]))
}

function wordOf(name: string, value: unknown): string {
  if (name === 'filters') return JSON.stringify(value)
  if (name === 'columns' && Array.isArray(value)) return value.join()
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw misfit(name, 'is neither a text nor a number')
}

/** The columns if they are a list; undefined otherwise, as in a request. */
function namesIn(asked: unknown): string[] | undefined {
  const { columns } = membersOf(asked)
  return Array.isArray(columns) && columns.length > 0 ? columns.map(String) : undefined
}

function membersOf(given: unknown): Record<string, unknown> {
  if (isRecord(given)) return given
  throw misfit('', 'must be an object')
}

function misfit(path: string, message: string): ServiceError {
  const what = path === '' ? 'What is asked for' : `The member ${path}`
  return new ServiceError('bad_request', `${what} ${message}.`, {
    details: { errors: [{ path, message }] },
  })
}
