import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { newWamid, type SandboxAccount, statusCallback } from '../../channel/sandbox-callbacks.ts'
import { remember } from '../../core/under-way.ts'
import { callBack } from './fault-callbacks.ts'
import type { Fleet } from './fleet.ts'
import { type Random, seededRandom } from './random.ts'

/** What the channel does with a send, and how often among a hundred. */
const WAYS = {
  /** Answers at once, and calls back. */
  plain: 53,
  slow: 7,
  /** A definite 5xx: it has not taken the message. */
  refused: 8,
  /** Takes the message, and breaks off or never answers. */
  reset: 6,
  mute: 2,
  /** Calls back twice each, late, before its answer, or in any order. */
  twice: 6,
  late: 6,
  early: 6,
  mixed: 6,
} as const
type Way = keyof typeof WAYS

const STEPS = ['sent', 'delivered', 'read'] as const
const SLOW_MS = [200, 1_500] as const
const LATE_MS = [500, 2_500] as const
const STEP_MS = [0, 40] as const
const EARLY_MS = 1_000

/** A message that the channel took. */
export type Taken = {
  projectId: string
  content: string
  attemptId: string
  wamid: string
  takenAt: number
  /** When a callback on it was first answered with 200. */
  toldAt: number | null
}

/** A project's account with the channel; all accounts are on one stand-in. */
export type FaultyAccount = SandboxAccount & { projectId: string }

/** A channel that answers in all the ways in which one can fail, the same ones for the same seed. */
export async function startFaultyChannel(accounts: FaultyAccount[], seed: number) {
  const scene: Scene = {
    accounts,
    random: seededRandom(seed),
    ways: {},
    taken: [],
    telling: new Set(),
    closing: new AbortController(),
    fleet: null,
  }
  const server = createServer((request, response) => {
    // Whoever sent it was killed: what was taken stays taken.
    take(scene, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { ways, taken, telling, closing } = scene
  return {
    url: `http://127.0.0.1:${port}`,
    ways,
    taken,
    callTo: (servers: Fleet) => void (scene.fleet = servers),
    async idle() {
      while (telling.size > 0) await Promise.all(telling)
    },
    async close() {
      closing.abort()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

type Scene = {
  accounts: FaultyAccount[]
  random: Random
  ways: Partial<Record<Way, number>>
  taken: Taken[]
  /** Callbacks that are under way. */
  telling: Set<Promise<void>>
  closing: AbortController
  fleet: Fleet | null
}

async function take(
  scene: Scene,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { accounts, random, ways, taken, telling } = scene
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const [, id] = /^\/v[\d.]+\/(\d+)\/messages$/.exec(request.url ?? '') ?? []
  const account = accounts.find(({ phoneNumberId }) => phoneNumberId === id)
  if (!account) return void response.writeHead(404).end('{}')
  const body = JSON.parse(Buffer.concat(chunks).toString()) as SendBody
  const way = wayOf(random)
  ways[way] = (ways[way] ?? 0) + 1
  if (way === 'refused') return refuse(response, random)
  const one: Taken = {
    projectId: account.projectId,
    content: body.text.body,
    wamid: newWamid(body.to),
    attemptId: body.biz_opaque_callback_data,
    takenAt: performance.now(),
    toldAt: null,
  }
  taken.push(one)
  const told = tellAll(scene, { account, one, to: body.to }, way).catch(() => {})
  remember(telling, told)
  if (way === 'slow') await pause(random.between(...SLOW_MS))
  if (way === 'early') await Promise.race([told, pause(EARLY_MS)])
  if (way === 'reset') return void request.socket.resetAndDestroy()
  if (way !== 'mute') accept(response, body.to, one.wamid)
}

/** A message, whose it is and to whom it goes. */
type Sent = { account: FaultyAccount; one: Taken; to: string }

async function tellAll(scene: Scene, sent: Sent, way: Way): Promise<void> {
  const { random } = scene
  if (way === 'late') await pause(random.between(...LATE_MS))
  for (const step of way === 'mixed' ? random.shuffled(STEPS) : STEPS) {
    await pause(random.between(...STEP_MS))
    const times = way === 'twice' ? [1, 2] : [1]
    await Promise.all(times.map(() => tell(scene, sent, step)))
  }
}

async function tell(
  { fleet, random, closing }: Scene,
  { account, one, to }: Sent,
  step: (typeof STEPS)[number],
): Promise<void> {
  const payload = statusCallback({
    account,
    wamid: one.wamid,
    attemptId: one.attemptId,
    status: step,
    to: { phone: to },
    at: new Date(),
  })
  if (!fleet) throw new Error('The channel has nobody to call')
  await callBack({ fleet, random, account, payload, signal: closing.signal })
  one.toldAt ??= performance.now()
}

export type FaultyChannel = Awaited<ReturnType<typeof startFaultyChannel>>

type SendBody = { to: string; text: { body: string }; biz_opaque_callback_data: string }

function wayOf(random: Random): Way {
  let left = random.between(
    1,
    Object.values(WAYS).reduce((sum, share) => sum + share, 0),
  )
  for (const [way, share] of Object.entries(WAYS)) {
    left -= share
    if (left <= 0) return way as Way
  }
  return 'plain'
}

function refuse(response: ServerResponse, random: Random): void {
  const error = { message: '(#131000) Something went wrong', type: 'OAuthException', code: 131000 }
  response.writeHead(random.pick([500, 503]), { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error }))
}

function accept(response: ServerResponse, to: string, wamid: string): void {
  const contacts = [{ input: to, wa_id: to.replace(/\D/g, '') }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ messaging_product: 'whatsapp', contacts, messages: [{ id: wamid }] }),
  )
}

/** The accounts of projects, with secrets that can be told from everything else. */
export function newAccount(projectId: string, phoneNumberId: string): FaultyAccount {
  return {
    projectId,
    phoneNumberId,
    businessAccountId: `1${phoneNumberId}`,
    appId: '1',
    displayPhoneNumber: '15550783881',
    callbackUrl: '',
    accessToken: `EAA${randomBytes(24).toString('hex')}`,
    appSecret: randomBytes(16).toString('hex'),
  }
}
