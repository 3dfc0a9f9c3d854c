import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSignedBy, readCallback } from '../../channel/callback.ts'
import type { SandboxAccount } from '../../channel/sandbox.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import type { ChannelSend, StatusUpdate } from '../../core/ports.ts'

export const phoneNumberId = '106540352242922'
export const accessToken = 'EAAGtestToken0123456789'
const appSecret = 'app-secret'

/** A server of the tests' own making, closed with its connections. */
export async function listen(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** One callback with the changes of several, in their order. */
export function joined(...payloads: unknown[]) {
  type Payload = { entry: { changes: unknown[] }[] }
  const entries = payloads.flatMap((payload) => (payload as Payload).entry)
  const changes = entries.flatMap((entry) => entry.changes)
  return { object: 'whatsapp_business_account', entry: [{ id: '1', changes }] }
}

export type Listening = Awaited<ReturnType<typeof listen>>

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Where the sandbox's callbacks go: it keeps the statuses, and answers as told, then with 200. */
export async function listenForCallbacks(answers: number[] = []) {
  const statuses: StatusUpdate[] = []
  const faults: string[] = []
  const bodies: Buffer[] = []
  const server = await listen(async (request, response) => {
    const body = await bodyOf(request)
    const header = request.headers['x-hub-signature-256']
    if (!isSignedBy(body, String(header), appSecret)) faults.push('wrong signature')
    const updates = readCallback(JSON.parse(body.toString()), phoneNumberId, new Date())
    faults.push(...updates.rejected.map(({ reason }) => reason))
    const status = answers.shift() ?? 200
    bodies.push(body)
    if (status === 200) statuses.push(...updates.statuses)
    response.writeHead(status).end()
  })
  return { ...server, statuses, faults, bodies }
}

export function sandboxAccount(callbackUrl: string): SandboxAccount {
  return {
    phoneNumberId,
    businessAccountId: '102290129340398',
    appId: '670843887433847',
    displayPhoneNumber: '+15550783881',
    accessToken,
    appSecret,
    callbackUrl,
  }
}

export function channelAccount(apiUrl: string, more: Partial<ChannelAccount> = {}): ChannelAccount {
  return {
    projectId: 'p',
    apiUrl,
    apiVersion: 'v25.0',
    phoneNumberId,
    businessAccountId: '102290129340398',
    appId: '670843887433847',
    accessToken,
    appSecretProof: null,
    ...more,
  }
}

export function textTo(phone: string, attemptId = 'att_1'): ChannelSend {
  return { to: { phone }, message: { type: 'text', text: { body: 'Hello' } }, attemptId }
}
