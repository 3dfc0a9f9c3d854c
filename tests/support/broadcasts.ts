import type { Schema } from '../../core/contract.ts'
import { phoneMatchKey } from '../../core/phone.ts'
import type { TestProject, TestService } from './service.ts'
import { body, storeTemplate } from './templates.ts'

type Contact = {
  phone?: string | null
  userId?: string
  name?: string | null
  tags?: string[]
  attributes?: Record<string, string | number | boolean>
  optedIn?: boolean
  createdAt?: Date
  /** A conversation goes with it when one of these is given. */
  state?: string
  lastInboundAt?: Date | null
}
type Status = Schema<'BroadcastRecipientStatus'>

/** Keeps contacts for a project, numbered from +15551000010 where they say nothing else. */
export async function storeContacts(
  { ctx }: TestService,
  { id: projectId }: TestProject,
  contacts: Contact[],
): Promise<bigint[]> {
  const before = await ctx.db.contact.count({ where: { projectId } })
  const rows = contacts.map(({ state: _state, lastInboundAt: _at, ...contact }, index) => {
    const number = contact.phone === null ? null : numbered(before + index)
    const phone = contact.phone ?? number
    return { projectId, ...contact, phone, matchKey: phone === null ? null : phoneMatchKey(phone) }
  })
  const made = await ctx.db.contact.createManyAndReturn({ data: rows, select: { id: true } })
  const conversations = contacts.flatMap(({ state, lastInboundAt }, index) => {
    const contactId = made[index]?.id
    if (contactId === undefined || (state === undefined && lastInboundAt === undefined)) return []
    const given = {
      ...(state === undefined ? {} : { state }),
      lastInboundAt: lastInboundAt ?? null,
    }
    return [{ projectId, contactId, lastActivityAt: ctx.now(), ...given }]
  })
  await ctx.db.conversation.createMany({ data: conversations })
  return made.map(({ id }) => id)
}

export type Draft = Schema<'CreateBroadcastRequest'>

const everyone = { filter: { match: 'all' as const, conditions: [] } }

/** A complete request for a broadcast of the template `news` to everyone. */
export function draftOf(draft: Partial<Draft> = {}): Draft {
  const named = { name: 'Offer', template_name: 'news', template_language: 'en_US' }
  return { ...named, audience: everyone, ...draft }
}

/** A broadcast of the template `news`, which is made with it where the project has none. */
export async function createBroadcast(
  service: TestService,
  project: TestProject,
  draft: Partial<Draft> = {},
): Promise<Schema<'Broadcast'>> {
  const named = { projectId: project.id, name: 'news' }
  if ((await service.ctx.db.template.count({ where: named })) === 0) {
    await storeTemplate(service, project, { name: 'news', components: [body('News for you.')] })
  }
  return (await project.client.ok('createBroadcast', { body: draftOf(draft) })).broadcast
}

/**
 * Puts a broadcast where its sending has come to: the audience is frozen into recipients of these
 * statuses, one after the other, and counted. `held` and `dispatched` ones are queued.
 */
export async function putRecipients(
  { ctx }: TestService,
  { id, project_id: projectId }: Schema<'Broadcast'>,
  statuses: (Status | 'held' | 'dispatched')[],
): Promise<void> {
  const now = ctx.now()
  const rows = statuses.map((status, index) => ({
    broadcastId: id,
    projectId,
    seq: index + 1,
    contactId: BigInt(index + 1),
    phone: numbered(index),
    name: `Contact ${index + 1}`,
    status: status === 'held' || status === 'dispatched' ? 'queued' : status,
    held: status === 'held',
    dispatchedAt: status === 'queued' || status === 'held' ? null : now,
    queuedAt: status === 'held' ? null : now,
  }))
  const many = (status: string) => statuses.filter((one) => one === status).length
  const counts = {
    queued: many('queued') + many('dispatched'),
    held: many('held'),
    sent: many('sent'),
    delivered: many('delivered'),
    read: many('read'),
    failed: many('failed'),
    canceled: many('canceled'),
    total: statuses.length,
  }
  await ctx.db.broadcastRecipient.createMany({ data: rows })
  await ctx.db.broadcast.update({ where: { id }, data: { ...counts, startedAt: now } })
}

function numbered(index: number): string {
  return `+1555${100_001 + index}0`
}
