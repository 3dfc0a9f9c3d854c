import type { Context, ProjectContext } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import { isServiceError, type ServiceError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { json, must, statement } from '../../core/sql.ts'
import { find as findContent, type SharedContent } from './broadcast-content.ts'
import type { Leased, PersonalContact, Sending } from './broadcast-leases.ts'
import { composeTemplate } from '../messages/template-sends.ts'

/** A recipient's message: what the channel is sent, and what is kept of it. */
export type Personal = ReturnType<typeof composeTemplate>

type Request = Schema<'SendTemplateMessage'>
type Variables = Schema<'Broadcast'>['template_variables']

/** What all messages of a broadcast have in common, as it is at this moment. */
export type Common = SharedContent & { request: Request; variables: Variables }

const find = statement(
  'find-broadcast-content',
  `SELECT template_name, template_language, template_variables, header FROM broadcasts WHERE id = $1`,
)

/** Looks up what a broadcast says; throws what `findContent` does when it cannot be sent now. */
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

/** Writes a recipient's message, or answers why his cannot be written. */
export function personalise(
  { request, variables, template, media }: Common,
  { contact }: Leased,
): Personal | ServiceError {
  const values = Object.entries(variables).map(([place, source]) => [
    place,
    valueOf(source, contact),
  ])
  try {
    const filled = { ...request, variables: Object.fromEntries(values) as Record<string, string> }
    return composeTemplate(filled, template, media)
  } catch (error) {
    if (isServiceError(error)) return error
    throw error
  }
}

const ATTRIBUTE = 'attributes.'

/** The text for one placeholder: a literal, or what is known of the contact, else the fallback. */
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

/** What a customer or a program has written, as the channel takes it: without breaks and long gaps. */
function oneLine(value: unknown): string {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return ''
  const text = String(value).replace(/\s+/g, ' ').trim()
  return [...text].slice(0, LIMITS.templateValueCharacters).join('')
}

/** The project on nobody's request: what is approved needs no credential any more. */
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
