import { expect } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import { type Sender, startSender } from '../../capabilities/broadcasts/broadcast-sender.ts'
import * as broadcastStarts from '../../capabilities/broadcasts/broadcast-starts.ts'
import { statusCallback } from '../../channel/sandbox-callbacks.ts'
import type { Context } from '../../core/context.ts'
import type { Schema } from '../../core/contract.ts'
import type { Channel } from '../../core/ports.ts'
import { statement } from '../../core/sql.ts'
import { startTestService, type TestProject, type TestService } from './service.ts'
import { body, storeTemplate } from './templates.ts'
import { until } from './until.ts'

type Service = Pick<TestService, 'ctx'>
type Plan = Partial<Parameters<TestProject['client']['ok']>[1] & object> & {
  contacts?: number
  category?: string
  create?: Partial<Schema<'CreateBroadcastRequest'>>
  approve?: Omit<Parameters<typeof broadcastApprovals.approve>[2], 'by'>
}

const insertContacts = statement(
  'test-insert-contacts',
  `INSERT INTO contacts (project_id, phone, wa_id, match_key, name, tags, opted_in, opted_in_at)
   SELECT $1, '+' || n, n::text, n::text, 'Customer ' || (n - $2::bigint), '{}', true, $4
     FROM generate_series($2::bigint + 1, $2::bigint + $3::bigint) n RETURNING id`,
)

/** Their last digits are far from those by which the sandbox plays something special. */
let phones = 15_557_005_000

/**
 * A service over a channel of the test's own, whose numbers have no pace to keep, and whose clock may be moved by
 * as much as a month.
 */
export function startSendingService(channel: Channel): Promise<TestService> {
  return startTestService({
    env: { BROADCAST_MESSAGES_PER_SECOND: '100000' },
    replaced: { channel },
    behindMs: 30 * 24 * 3_600_000,
  })
}

/** Makes contacts who take marketing, without a conversation yet; answers with their ids. */
export async function makeContacts({ ctx }: Service, projectId: string, count: number) {
  const rows = await ctx.sql.rows(insertContacts, [projectId, phones, count, ctx.now()])
  phones += count
  return rows.map(([id]) => Number(id))
}

/** A broadcast of `Hello {{1}}` to all contacts of the project, who are made too. */
export async function makeBroadcast(
  service: TestService,
  project: TestProject,
  { contacts = 3, category = 'MARKETING', create = {} }: Plan = {},
) {
  const contactIds = await makeContacts(service, project.id, contacts)
  const templateId = await storeTemplate(service, project, {
    name: 'offer',
    category,
    components: [body('Hello {{1}}')],
  })
  return { id: await createBroadcast(project, create), contactIds, templateId }
}

async function createBroadcast({ client }: TestProject, create: Plan['create']): Promise<string> {
  const { broadcast } = await client.ok('createBroadcast', {
    body: {
      name: 'Spring',
      template_name: 'offer',
      template_language: 'en_US',
      audience: { filter: { match: 'all', conditions: [] } },
      template_variables: { '1': { field: 'name', fallback: 'there' } },
      ...create,
    },
  })
  return broadcast.id
}

/** The same, approved and started. */
export async function startBroadcast(service: TestService, project: TestProject, plan: Plan = {}) {
  const made = await makeBroadcast(service, project, plan)
  await broadcastApprovals.approve(service.ctx, made.id, { by: 'Olga', ...plan.approve })
  await broadcastStarts.startDue(service.ctx)
  return made
}

/** A second broadcast to the same contacts, approved and started; answers with its id. */
export async function startAnother({ ctx }: Service, project: TestProject): Promise<string> {
  const id = await createBroadcast(project, { name: 'Again' })
  await broadcastApprovals.approve(ctx, id, { by: 'Olga' })
  await broadcastStarts.startDue(ctx)
  return id
}

/** Sends the template of the broadcasts to one customer, as a program does. */
export async function writeTo({ client }: TestProject, phone: string): Promise<void> {
  await client.ok('sendMessage', {
    body: {
      type: 'template',
      phone,
      template_name: 'offer',
      language: 'en_US',
      variables: ['Ana'],
    },
  })
}

/** A sender that looks only when it is asked to; `work` ends with it. */
export async function withSender<T>(
  ctx: Context,
  work: (sender: Sender) => Promise<T>,
  options: Parameters<typeof startSender>[1] = {},
): Promise<T> {
  const sender = startSender(ctx, { pollMs: null, ...options })
  try {
    return await work(sender)
  } finally {
    await sender.stop()
  }
}

/** Sends all that can be sent now. */
export function sendAll(ctx: Context): Promise<void> {
  return withSender(ctx, (sender) => sender.run())
}

const recounted = statement(
  'test-recount',
  `SELECT CASE WHEN held THEN 'held' ELSE status END, count(*) FROM broadcast_recipients
    WHERE broadcast_id = $1 GROUP BY 1`,
)

/** The broadcast; its counts must be those of its recipients, and their sum the total. */
export async function broadcastOf({ ctx }: Service, project: TestProject, id: string) {
  const { broadcast } = await project.client.ok('getBroadcast', { path: { id } })
  const rows = await ctx.sql.rows(recounted, [id])
  const real = Object.fromEntries(rows.map(([bucket, count]) => [bucket ?? '', Number(count)]))
  const none = { queued: 0, sent: 0, delivered: 0, read: 0, failed: 0, canceled: 0, held: 0 }
  const total = Object.values(real).reduce((sum, count) => sum + count, 0)
  expect(broadcast.counts ?? { total: 0, ...none }).toEqual({ total, ...none, ...real })
  return broadcast
}

/** Has a project send over another number, as the service has noticed when this resolves. */
export async function moveTo(service: TestService, { id }: TestProject, phoneNumberId: string) {
  await service.ctx.db.channelAccount.update({ where: { projectId: id }, data: { phoneNumberId } })
  const isMoved = async () => (await service.account(id)).phoneNumberId === phoneNumberId
  await until(isMoved, 'the other number')
}

/** The recipients, in their order. */
export async function recipientsOf(project: TestProject, id: string) {
  const query = { limit: 100 }
  const { recipients } = await project.client.ok('listBroadcastRecipients', { path: { id }, query })
  return recipients
}

type Told = { wamid: string; status: 'sent' | 'delivered' | 'read' | 'failed'; attemptId?: string }

/** Lets the channel report on a message of a broadcast; answers with the service's status. */
export async function report(
  service: TestService,
  project: TestProject,
  { wamid, status, attemptId = '' }: Told,
  errorCode = 131049,
) {
  const account = await service.account(project.id)
  return service.callback(
    project.id,
    statusCallback({
      account,
      wamid,
      attemptId,
      status,
      at: service.ctx.now(),
      errorCode,
      to: { phone: '+15557000001' },
    }),
  )
}
