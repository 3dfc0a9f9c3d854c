import type { ChangeContext, Context, ProjectContext } from '../../core/context.ts'
import type { Data, OperationRequest, Schema } from '../../core/contract.ts'
import { ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { normalisePhone, phoneMatchKey } from '../../core/phone.ts'
import { isoFromSql, json, must, type Row, statement } from '../../core/sql.ts'
import { pastConflicts } from '../conflicts.ts'
import { followed } from '../joined-contacts.ts'
import { readPage, readSparsePage } from '../list-pages.ts'
import { tagIndexed } from '../tag-search.ts'

/** The columns that `presentContact` reads, in its order; `k` is the table's alias. */
export const CONTACT_COLUMNS = `k.id, k.phone, k.user_id, coalesce(k.name, k.profile_name), to_json(k.tags),
  k.attributes, k.opted_in, k.created_at, k.updated_at`

const findOne = statement(
  'find-contact',
  `SELECT ${CONTACT_COLUMNS} FROM contacts k WHERE k.project_id = $1 AND k.id = $2`,
)

// As a list and part of the order, this condition leaves PostgreSQL only the project's own index. Otherwise it
// may scan the index over all contacts, through newer ones of other projects.
const OF_PROJECT = 'k.project_id = ANY (ARRAY[$1])'

const LISTED = `FROM contacts k WHERE ${OF_PROJECT}`
const shownContacts = (ids: string) =>
  `SELECT ${CONTACT_COLUMNS} FROM contacts k WHERE k.id = ANY (ARRAY(${ids})) ORDER BY k.id DESC`

type ListQuery = OperationRequest<'listContacts'>['query']

/** Contacts, the newest first; throws `invalid_cursor` and, for a bad phone, `bad_request`. */
export async function list(ctx: ProjectContext, query: ListQuery): Promise<Data<'listContacts'>> {
  const { tag } = query
  const phone = contactFilter(query.phone)
  const asked = {
    name: ['listContacts', ctx.project.id, phone, tag ?? null],
    values: [ctx.project.id],
    filters: [['k.match_key = $?', phone && phoneMatchKey(phone)]],
    keys: [['k.id', 0]],
    orderedWithin: 'k.project_id',
  } as const
  const rows = `SELECT ${CONTACT_COLUMNS} ${LISTED}`
  const condition = { met: 'k.tags @> ARRAY[$?::text]', found: tagIndexed('$?'), value: tag }
  const page =
    tag === undefined
      ? await readPage(ctx, query, { ...asked, rows, planned: 'once' })
      : await readSparsePage(ctx, query, {
          ...asked,
          from: LISTED,
          condition,
          shown: shownContacts,
        })
  return { contacts: page.rows.map(presentContact), nextCursor: page.nextCursor }
}

const findNewest = statement(
  'list-newest-contacts',
  `SELECT ${CONTACT_COLUMNS} FROM contacts k WHERE ${OF_PROJECT}
    ORDER BY k.project_id, k.id DESC LIMIT $2`,
)

/** A project's contacts for its operator, the newest first, and whether there are more. */
export async function listNewest(
  ctx: Context,
  projectId: string,
  limit: number,
): Promise<{ contacts: Schema<'Contact'>[]; hasMore: boolean }> {
  const rows = await ctx.sql.rows(findNewest, [projectId, limit + 1])
  return { contacts: rows.slice(0, limit).map(presentContact), hasMore: rows.length > limit }
}

/** One contact; throws `not_found`. */
export async function get(ctx: ProjectContext, id: number): Promise<Schema<'Contact'>> {
  const row = await followed(ctx, 'contact', id, async (current) => {
    const [found] = await ctx.sql.rows(findOne, [ctx.project.id, current])
    return found ?? null
  })
  if (!row) throw unknownContact(id)
  return presentContact(row)
}

// One statement, so that concurrent changes of different keys lose nothing. The lock is FOR NO KEY UPDATE,
// which lets in a transaction that is creating the contact's conversation and will lock the contact next. Tags
// are sorted by code point, which is the same on every PostgreSQL.
const merge = statement(
  'merge-contact',
  `WITH before AS (
     SELECT id, tags, attributes FROM contacts WHERE project_id = $1 AND id = $2
        FOR NO KEY UPDATE
   ), after AS (
     SELECT id,
       ARRAY(SELECT DISTINCT tag COLLATE "C" FROM unnest(tags || $4::text[]) tag
              WHERE tag <> ALL ($5::text[]) ORDER BY 1) AS tags,
       (attributes || $6::jsonb) - $7::text[] AS attributes
     FROM before
   ), change AS (
     UPDATE contacts k
        SET name = coalesce($3, k.name), tags = after.tags, attributes = after.attributes,
            updated_at = $8
       FROM after
      WHERE k.id = after.id AND cardinality(after.tags) <= $9
        AND (SELECT count(*) FROM jsonb_object_keys(after.attributes)) <= $10
     RETURNING ${CONTACT_COLUMNS}
   )
   SELECT cardinality(after.tags), (SELECT count(*) FROM jsonb_object_keys(after.attributes)), change.*
     FROM after LEFT JOIN change ON true`,
)

/**
 * Changes name, tags and attributes together: tags are added and removed (removal wins), attributes
 * merged, null deletes a key. Throws `not_found`, and `invalid_request` when the contact would hold too
 * many tags or attributes.
 */
export function update(
  ctx: ProjectContext,
  id: number,
  change: Schema<'UpdateContactRequest'>,
): Promise<Schema<'Contact'>> {
  return pastConflicts(() => updateWithin(ctx, id, change))
}

/** The same within a transaction, which the caller repeats after a conflict. */
export async function updateWithin(
  ctx: ChangeContext,
  id: number,
  change: Schema<'UpdateContactRequest'>,
): Promise<Schema<'Contact'>> {
  const { name = null, tags = {}, attributes = {} } = change
  const entries = Object.entries(attributes)
  const values = [
    name,
    tags.add ?? [],
    tags.remove ?? [],
    JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== null))),
    entries.filter(([, value]) => value === null).map(([key]) => key),
    ctx.now(),
    LIMITS.contactTags,
    LIMITS.contactAttributes,
  ]
  const row = await followed(ctx, 'contact', id, async (current) => {
    const [found] = await ctx.sql.rows(merge, [ctx.project.id, current, ...values])
    return found ?? null
  })
  if (!row) throw unknownContact(id)
  const [tagCount, attributeCount, ...changed] = row
  if (changed[0] === null) throw tooMuchHeld(Number(tagCount), Number(attributeCount))
  return presentContact(changed)
}

/**
 * The normalised number that a list is filtered by; null without one, `bad_request` for text that is no number.
 */
export function contactFilter(phone: string | undefined): string | null {
  if (phone === undefined) return null
  const normalised = normalisePhone(phone)
  if (normalised) return normalised
  throw new ServiceError('bad_request', 'The query parameter phone is no phone number.', {
    details: {
      errors: [{ path: 'phone', message: 'must be a phone number with its country code' }],
    },
  })
}

function tooMuchHeld(tagCount: number, attributeCount: number): ServiceError {
  const held = [
    { path: 'tags', count: tagCount, limit: LIMITS.contactTags },
    { path: 'attributes', count: attributeCount, limit: LIMITS.contactAttributes },
  ].filter(({ count, limit }) => count > limit)
  const errors = held.map(({ path, count, limit }) => {
    return { path, message: `would be ${count} that the contact holds, of ${limit} at the most` }
  })
  const [{ path, count, limit } = { path: '', count: 0, limit: 0 }] = held
  return new ServiceError(
    'invalid_request',
    `A contact holds at most ${limit} ${path}; it would have ${count}.`,
    { details: { errors } },
  )
}

function unknownContact(id: number): ServiceError {
  return new ServiceError('not_found', `There is no contact ${id}.`)
}

/** One row of `CONTACT_COLUMNS` as the contract's contact. */
export function presentContact(row: Row): Schema<'Contact'> {
  const [id, phone, userId, name, tags, attributes, optedIn, createdAt, updatedAt] = row
  return {
    id: Number(id),
    phone: phone ?? null,
    user_id: userId ?? null,
    name: name ?? null,
    tags: json<string[]>(tags) ?? [],
    attributes: json<Schema<'Contact'>['attributes']>(attributes) ?? {},
    opted_in: optedIn === 't',
    created_at: isoFromSql(must(createdAt)),
    updated_at: isoFromSql(must(updatedAt)),
  }
}
