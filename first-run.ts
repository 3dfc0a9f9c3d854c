import * as channelAccounts from './capabilities/channel-accounts/channel-accounts.ts'
import * as keys from './capabilities/projects/keys.ts'
import * as projects from './capabilities/projects/projects.ts'
import { inboundCallback, postCallback } from './channel/sandbox-callbacks.ts'
import type { Context } from './core/context.ts'

const CUSTOMER = { phone: '+15550001234', name: 'Ana' }

/**
 * On an empty database, creates a demo project with a key, and an inbound message through the sandbox, so that
 * the first request works. Answers the key's secret; null when there was nothing to do or another process has
 * done it.
 */
export async function firstRun(ctx: Context, url: string): Promise<string | null> {
  const hasProjects = async () => (await ctx.db.project.count()) > 0
  if (await hasProjects()) return null
  const { secret, row: key } = keys.mint(ctx, { name: 'First key', scopes: ['all'], isTest: true })
  const id = 'demo'
  try {
    await projects.create(ctx, { id, name: 'Demo', key })
  } catch (error) {
    // Another process has created it at this moment, and shows its key.
    if (await hasProjects()) return null
    throw error
  }
  const account = await channelAccounts.mustFind(ctx, id)
  const sandbox = { ...account, callbackUrl: channelAccounts.callbackUrlAt(url, id) }
  const message = { type: 'text', text: { body: 'Hello, are you open today?' } }
  const callback = inboundCallback({ account: sandbox, from: CUSTOMER, message, at: ctx.now() })
  // The key is shown in any case: it cannot be read again later.
  await postCallback(sandbox, callback).catch(
    (error: unknown) => void ctx.log.warn('first_run.no_customer', { error }),
  )
  return secret
}

/** The text on the terminal when the service is up. */
export function welcome(url: string, secret: string | null, startedInMs: number): string {
  const ready = `Ready at ${url} after ${(startedInMs / 1000).toFixed(1)} s. Docs: ${url}/docs`
  if (secret === null) return `\n${ready}\n`
  return `
${ready}

A demo project was made, and its customer ${CUSTOMER.name} has just written in. Answer her:

  curl -s ${url}/v1/messages \\
    -H 'Authorization: Bearer ${secret}' \\
    -H 'Content-Type: application/json' \\
    -d '{"type":"text","phone":"${CUSTOMER.phone}","content":"Yes, until six."}'

The key is shown this once. Three things to try next:

  1. Watch the message become delivered and read, with the id that the answer gave:
     curl -s ${url}/v1/messages/WAMID -H 'Authorization: Bearer ${secret}'
  2. Let ${CUSTOMER.name} write again:
     npm run -s operator -- sandbox inbound --project demo --from ${CUSTOMER.phone} --name ${CUSTOMER.name} --text 'Thanks!'
  3. List your conversations:
     curl -s ${url}/v1/conversations -H 'Authorization: Bearer ${secret}'
`
}
