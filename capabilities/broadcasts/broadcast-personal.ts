import type { Context, ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { isServiceError, type ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { json, must, statement } from '../../core/sql.ts'
import { find as findContent, type SharedContent } from './broadcast-content.ts'
import type { PersonalContact, Sending } from './broadcast-leases.ts'
import { composeTemplate } from '../messages/template-sends.ts'

/** A recipient's message: the request to the channel, and what is stored of it. */
export type Personal = ReturnType<typeof composeTemplate>

type Request = Schema<'SendTemplateMessage'>
type Variables = Schema<'Broadcast'>['template_variables']

/** What all messages of a broadcast have in common, as of now. */
export type Common = SharedContent & { request: Request; variables: Variables }

const find = statement(
  'find-broadcast-content',
  `SELECT template_name, template_language, template_variables, header FROM broadcasts WHERE id = $1`,
)

/** Reads the content of a broadcast; throws what `broadcastContent.find` throws when it cannot be sent now. */
export async function readCommon(ctx: Context, sending: Sending): Promise<Common> {
  const [row] = await ctx.sql.rows(find, [sending.id])
  if (!row) throw new Error(`There is no broadcast ${sending.id}`)
  const [name, language, variables, stored] = row
  const header = json<NonNullable<Request['header']>>(stored)
  const request = {
    type: 'template' as const,
    template_name: must(name),
    language: must(language),
    ...(header ? { header } : {}),
  }
  const shared = await findContent(actingFor(ctx, sending), request)
  return { ...shared, request, variables: json<Variables>(variables) ?? {} }
}

/** Composes a recipient's message, or answers why that is impossible. */
export function personalise(
  { request, variables, template, media }: Common,
  contact: PersonalContact,
): Personal | ServiceError {
  const values = Object.entries(variables).map(([place, source]): [string, string] => [
    place,
    valueOf(source, contact),
  ])
  try {
    const filled = { ...request, variables: Object.fromEntries(values) }
    return composeTemplate(filled, template, media)
  } catch (error) {
    if (isServiceError(error)) return error
    throw error
  }
}

const ATTRIBUTE = 'attributes.'

/** The text for a placeholder: a literal, or the contact's value, or else the fallback. */
export function valueOf(source: Variables[string], contact: PersonalContact): string {
  if (typeof source === 'string') return source
  return oneLine(fieldOf(contact, source.field)) || source.fallback
}

function fieldOf({ name, phone, attributes }: PersonalContact, field: string): unknown {
  if (field === 'name') return name
  if (field === 'phone') return phone
  const key = field.slice(ATTRIBUTE.length)
  return Object.hasOwn(attributes, key) ? attributes[key] : null
}

/**
 * A value written by a customer or a program, in the form that the channel takes: without line breaks and runs
 * of spaces.
 */
function oneLine(value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return ''
  const text = String(value).replace(/\s+/g, ' ').trim()
  return [...text].slice(0, LIMITS.templateValueCharacters).join('')
}

/** The project without a request: an approved broadcast needs no credential. */
function actingFor(ctx: Context, { id, projectId }: Sending): ProjectContext {
  const grant = { id: projectId, name: projectId, status: 'active' as const, scopes: [] }
  return {
    ...ctx,
    project: { ...grant, dailySendQuota: null },
    credential: { id: `broadcast ${id}`, kind: 'key', grants: [], defaultProjectId: null },
    requestId: `broadcast ${id}`,
    idempotency: null,
    budgets: [],
  }
}
