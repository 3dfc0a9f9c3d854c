import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { normalisePhone, phoneMatchKey } from '../../core/phone.ts'
import { must, statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'
import { type CsvRow, readCsv } from './contact-csv.ts'
import { noteGrowth } from '../table-growth.ts'

const COLUMNS = ['number', 'name', 'tags', 'opted_in']
const BATCH = 1_000
const REJECTED_TOLD = 100_000

export type Rejected = { line: number; reason: string }
export type Imported = {
  imported: number
  updated: number
  /** At most 100,000, in the file's order. */
  rejected: Rejected[]
  /** How many more were rejected. */
  untold: number
}

type Entry = {
  line: number
  key: string
  phone: string
  name: string | null
  tags: string[]
  optedIn: boolean | null
}

/**
 * Imports contacts from CSV with the columns number, name, tags and opted_in, a thousand lines at a time, so
 * memory does not grow with the file. A bad line is reported with its reason and does not affect the others. An
 * existing number gets the name and opt-in of its line, and its tags in addition to its own. Throws
 * `bad_request` for an empty file or a header with other columns, before anything is written. `stop` ends the
 * import after the lines that are being written; the answer tells what was done until then.
 */
export async function importContacts(
  ctx: Context,
  projectId: string,
  csv: AsyncIterable<Uint8Array | string>,
  onProgress: (records: number) => void = () => {},
  stop?: AbortSignal,
): Promise<Imported> {
  const outcome = newOutcome()
  let columns: string[] | null = null
  let batch: Entry[] = []
  let rows = 0
  for await (const row of readCsv(csv, (cells) => isWhole(columns, cells))) {
    if (stop?.aborted) break
    if (columns === null) {
      columns = readHeader(row)
      continue
    }
    const entry = 'reason' in row ? row : readEntry(columns, row.cells, row.line)
    if ('reason' in entry) outcome.reject(entry)
    else batch.push(entry)
    if (batch.length === BATCH) {
      await write(ctx, projectId, batch, outcome)
      batch = []
    }
    if (++rows % BATCH === 0) onProgress(rows)
  }
  if (columns === null && !stop?.aborted)
    throw new ServiceError('bad_request', `The file is empty; ${HEADER_DUE}.`)
  if (batch.length > 0 && !stop?.aborted) await write(ctx, projectId, batch, outcome)
  await noteGrowth(ctx, 'contacts', outcome.counts.imported)
  return outcome.result()
}

const HEADER_DUE = `its first line must name the columns, of ${COLUMNS.join(', ')}`

type Outcome = ReturnType<typeof newOutcome>

function newOutcome() {
  const counts = { imported: 0, updated: 0, untold: 0 }
  const rejected: Rejected[] = []
  return {
    counts,
    reject({ line, reason }: Rejected) {
      if (rejected.length < REJECTED_TOLD) rejected.push({ line, reason })
      else counts.untold++
    },
    result: (): Imported => ({ ...counts, rejected: rejected.sort((a, b) => a.line - b.line) }),
  }
}

function readHeader(row: CsvRow): string[] {
  if ('reason' in row) throw new ServiceError('bad_request', `The file's header ${row.reason}.`)
  const names = row.cells.map((name) => name.toLowerCase())
  if (names.some((name) => /[\0\ufffd]/.test(name)))
    throw new ServiceError('bad_request', "The file's header is not UTF-8 text; save it as UTF-8.")
  const unknown = names.filter((name) => !COLUMNS.includes(name))
  if (unknown.length > 0) {
    const listed = unknown
      .map((name) => JSON.stringify(name.slice(0, 100)))
      .slice(0, 10)
      .join(', ')
    throw new ServiceError(
      'bad_request',
      `The file has the unknown column ${listed}; only ${COLUMNS.join(', ')} are taken.`,
    )
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new ServiceError('bad_request', `The file has the column ${twice} twice.`)
  if (names.includes('number')) return names
  throw new ServiceError('bad_request', `The file has no column number; ${HEADER_DUE}.`)
}

function isWhole(columns: string[] | null, cells: string[]): boolean {
  if (columns === null) return true
  return (
    cells.length === columns.length && numberOf(cells[columns.indexOf('number')] ?? '') !== null
  )
}

/** A spreadsheet's 15550001234.0 must not become a number with one more digit. */
function numberOf(cell: string): string | null {
  return /^\d+\.\d{1,2}$/.test(cell) ? null : normalisePhone(cell)
}

/** With the words that spreadsheets write for true and false in German, Spanish, Portuguese, French and Italian. */
const YES = 'true yes y 1 wahr ja verdadero sí si verdadeiro sim vrai oui vero sì'.split(' ')
const NO = 'false no n 0 falsch nein falso não faux non'.split(' ')
const OPTED_IN: ReadonlyMap<string, boolean | null> = new Map([
  ['', null],
  ...YES.map((word): [string, boolean] => [word, true]),
  ...NO.map((word): [string, boolean] => [word, false]),
])

const TOO_MANY_TAGS = `the contact would hold more than ${LIMITS.contactTags} tags`

function readEntry(columns: string[], cells: string[], line: number): Entry | Rejected {
  const fail = (reason: string): Rejected => ({ line, reason })
  const extra = cells.slice(columns.length).some((cell) => cell !== '')
  if (extra || cells.length < columns.length) {
    return fail(`has ${cells.length} cells where the header has ${columns.length}`)
  }
  if (cells.some((cell) => cell.includes('\0'))) return fail('holds a NUL character')
  if (cells.some((cell) => cell.includes('\ufffd'))) return fail('is not UTF-8 text')
  const cellOf = (name: string) => cells[columns.indexOf(name)] ?? ''
  const [number, name, optedIn] = [cellOf('number'), cellOf('name'), cellOf('opted_in')]
  const phone = numberOf(number)
  const tags = [
    ...new Set(
      cellOf('tags')
        .split(/[;,|]/)
        .map((tag) => tag.trim()),
    ),
  ].filter(Boolean)
  const choice = OPTED_IN.get(optedIn.toLowerCase().normalize())
  if (phone === null) {
    return fail(number === '' ? 'has no number' : `${quoted(number)} is no phone number`)
  }
  const { contactNameCharacters, contactTagCharacters } = LIMITS
  if ([...name].length > contactNameCharacters) {
    return fail(`the name is longer than ${contactNameCharacters} characters`)
  }
  if (tags.some((tag) => [...tag].length > contactTagCharacters)) {
    return fail(`a tag is longer than ${contactTagCharacters} characters`)
  }
  if (tags.length > LIMITS.contactTags) return fail(TOO_MANY_TAGS)
  if (choice === undefined) return fail(`opted_in is ${quoted(optedIn)}, not true or false`)
  return { line, key: phoneMatchKey(phone), phone, name: name || null, tags, optedIn: choice }
}

function quoted(cell: string): string {
  const characters = [...cell.slice(0, 100)]
  return JSON.stringify(characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : cell)
}

// A line without an opt-in leaves the contact's opt-in and its instant unchanged.
const upsert = statement(
  'import-contacts',
  `INSERT INTO contacts AS k (project_id, phone, match_key, name, tags, opted_in, opted_in_at,
     created_at, updated_at)
   SELECT $1, c.phone, c.key, c.name,
          ARRAY(SELECT tag COLLATE "C" FROM jsonb_array_elements_text(c.tags) tag ORDER BY 1),
          coalesce(c."optedIn", false), CASE WHEN c."optedIn" IS NOT NULL THEN $3::timestamptz END,
          $3::timestamptz, $3::timestamptz
     FROM jsonb_to_recordset($2::jsonb) AS c (phone text, key text, name text, tags jsonb,
       "optedIn" boolean)
    ORDER BY c.key
   ON CONFLICT (project_id, match_key) DO UPDATE
      SET name = coalesce(excluded.name, k.name), updated_at = excluded.updated_at,
          tags = ARRAY(SELECT DISTINCT tag COLLATE "C" FROM unnest(k.tags || excluded.tags) tag
                        ORDER BY 1),
          opted_in = CASE WHEN excluded.opted_in_at IS NULL THEN k.opted_in ELSE excluded.opted_in END,
          opted_in_at = coalesce(excluded.opted_in_at, k.opted_in_at)
    WHERE cardinality(ARRAY(SELECT DISTINCT unnest(k.tags || excluded.tags))) <= $4
   RETURNING match_key, xmax = 0`,
)

/** Writes one batch; of several lines with one number, each counts as if written after the one before. */
async function write(ctx: Context, projectId: string, batch: Entry[], outcome: Outcome) {
  const byKey = new Map<string, Entry[]>()
  for (const entry of batch) {
    const same = byKey.get(entry.key)
    if (same) same.push(entry)
    else byKey.set(entry.key, [entry])
  }
  const merged = [...byKey.values()].map(merge)
  const fitting = merged.filter(({ tags }) => tags.length <= LIMITS.contactTags)
  const written = await upsertAll(ctx, projectId, fitting)
  for (const [key, entries] of byKey) {
    const isNew = written.get(key)
    if (isNew === undefined) await writeEach(ctx, projectId, entries, outcome)
    else count(outcome, isNew, entries.length)
  }
}

/** One contact of the batch has too many tags; line by line, the others still succeed. */
async function writeEach(ctx: Context, projectId: string, entries: Entry[], outcome: Outcome) {
  for (const entry of entries) {
    const isNew = (await upsertAll(ctx, projectId, [entry])).get(entry.key)
    if (isNew === undefined) outcome.reject({ line: entry.line, reason: TOO_MANY_TAGS })
    else count(outcome, isNew, 1)
  }
}

function count({ counts }: Outcome, isNew: boolean, lines: number): void {
  if (isNew) counts.imported++
  counts.updated += isNew ? lines - 1 : lines
}

function merge(entries: Entry[]): Entry {
  return entries.reduce((all, { name, tags, optedIn }) => ({
    ...all,
    name: name ?? all.name,
    tags: [...new Set([...all.tags, ...tags])],
    optedIn: optedIn ?? all.optedIn,
  }))
}

async function upsertAll(ctx: Context, projectId: string, entries: Entry[]) {
  if (entries.length === 0) return new Map<string, boolean>()
  const values = [projectId, JSON.stringify(entries), ctx.now(), LIMITS.contactTags]
  // A callback that changes the same contacts locks them in another order.
  const rows = await pastConflicts(() => ctx.sql.rows(upsert, values))
  return new Map(rows.map(([key, isNew]) => [must(key), isNew === 't']))
}
