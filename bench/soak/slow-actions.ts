import { setTimeout as pause } from 'node:timers/promises'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import { png, pngChunk } from '../../tests/support/sample-files.ts'
import { dataOf } from './client.ts'
import { CONVERSATIONS, deploy, GROUP, type Ground, TEMPLATE } from './ground.ts'
import type { Action } from './pace.ts'

const PICTURE_BYTES = [100, 20_000] as const
/** How long a short-lived registration exists. */
const SUBSCRIBED_MS = [2_000, 8_000] as const

/** Actions that take several requests and are less frequent. */
export function slowActions(ground: Ground): Action[] {
  let versions = 1
  return [
    { name: 'media', share: 12, run: () => keepMedium(ground) },
    { name: 'subscription', share: 4, run: () => subscribeForAWhile(ground) },
    { name: 'broadcast', share: 1, run: () => broadcast(ground) },
    { name: 'deployment', share: 1, run: () => deploy(ground.client, ++versions) },
    { name: 'dry run', share: 1, run: () => tryOut(ground) },
  ]
}

/** Uploads a picture, downloads it, and deletes it. */
async function keepMedium({ client, random }: Ground): Promise<void> {
  const fill = Buffer.alloc(random.between(...PICTURE_BYTES), random.between(32, 126))
  const picture = png({}, [pngChunk('tEXt', fill)])
  const body = {
    kind: 'image',
    data: picture.toString('base64'),
    filename: 'dot.png',
    mime: 'image/png',
  }
  const made = await client.ask('upload', 'POST /v1/media', { expect: 201, body })
  const { slug } = dataOf<{ media: { slug: string } }>(made).media
  const line = `GET /v1/media/${slug}/content`
  const { bytes } = await client.ask('download', line, { expect: 200 })
  if (!bytes.equals(picture)) throw new Error('download: other bytes than were uploaded')
  await client.ask('delete a medium', `DELETE /v1/media/${slug}`, { expect: 200 })
}

/** Registers for the bot's events, looks at the deliveries, and unregisters while they are under way. */
async function subscribeForAWhile({ client, random, receiverUrl }: Ground): Promise<void> {
  const body = { url: `${receiverUrl}/short`, events: ['soak.answered'] }
  const made = await client.ask('subscribe', 'POST /v1/webhooks', { expect: 201, body })
  const { id } = dataOf<{ webhook: { id: string } }>(made).webhook
  await pause(random.between(...SUBSCRIBED_MS))
  await client.ask('list deliveries', `GET /v1/webhooks/${id}/deliveries`, { expect: 200 })
  await client.ask('unsubscribe', `DELETE /v1/webhooks/${id}`, { expect: 200 })
}

/** Creates a broadcast to a group like a caller, and approves it like an operator. */
async function broadcast({ bed, client, random }: Ground): Promise<void> {
  const value = `group-${random.between(0, CONVERSATIONS / GROUP - 1)}`
  const body = {
    name: 'Soak',
    template_name: TEMPLATE.template_name,
    template_language: TEMPLATE.language,
    audience: {
      filter: { match: 'all', conditions: [{ field: 'tags', op: 'contains', value }] },
    },
    template_variables: { '1': { field: 'name', fallback: 'there' } },
  }
  const made = await client.ask('create a broadcast', 'POST /v1/broadcasts', { expect: 201, body })
  const { id } = dataOf<{ broadcast: { id: string } }>(made).broadcast
  await broadcastApprovals.approve(bed.opened.ctx, id, { by: 'soak' })
}

/** Changes a file beside the bot, and checks that everything builds. */
async function tryOut({ client, random }: Ground): Promise<void> {
  const content = `export const hours = ${random.between(1, 24)}\n`
  await client.ask('write code', 'PUT /v1/files/hours.ts', { expect: 200, body: { content } })
  const asked = { expect: 201, body: { dry_run: true } }
  await client.ask('dry run', 'POST /v1/deployments', asked)
}
