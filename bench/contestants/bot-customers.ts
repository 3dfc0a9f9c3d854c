import { setTimeout as pause } from 'node:timers/promises'
import {
  inboundCallback,
  postCallback,
  type SandboxAccount,
} from '../../channel/sandbox-callbacks.ts'
import type { Load } from '../timing.ts'
import { listen, textOf } from './contestant.ts'
import { answerRuns, repeat } from './runs.ts'

// Customers who write and wait for the bot's answer, and the channel that receives it: one process with one
// clock. The bot's answer repeats what the customer wrote.

type Run = Load & {
  account: SandboxAccount
  /** Projects whose bots receive this many messages at once during the measurement, again and again. */
  storm: { accounts: SandboxAccount[]; messages: number }
}

const ANSWER_LIMIT_MS = 15_000
const STORM_POSTS = 1
const answers = new Map<string, () => void>()
let written = 0

const channelUrl = listen((request, response) => {
  void textOf(request).then((body) => {
    // The service asks for the account's templates and flows from time to time.
    if (request.method === 'GET') return response.end('{"data":[]}')
    const { text } = JSON.parse(body) as { text?: { body: string } }
    answers.get(text?.body ?? '')?.()
    const sent = { messaging_product: 'whatsapp', messages: [{ id: `wamid.bench.${++written}` }] }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(sent))
  })
})
void channelUrl.then((url) => process.send?.({ url }))

answerRuns<Run>(async ({ account, storm, ...load }) => {
  const until = performance.now() + load.seconds * 1000
  const storms = storm.accounts.map((other) => rage(other, storm.messages, until))
  const timing = await repeat(load, (index) => converse(account, index % load.connections))
  await Promise.all(storms)
  return timing
})

/** One customer writes, and waits for the answer. */
async function converse(account: SandboxAccount, customer: number): Promise<void> {
  const content = `bench ${process.pid} ${++written}`
  const answered = new Promise<void>((resolve, reject) => {
    const late = () => reject(new Error('The bot did not answer'))
    const timer = setTimeout(late, ANSWER_LIMIT_MS)
    answers.set(content, () => {
      clearTimeout(timer)
      resolve()
    })
  })
  await write(account, customer, content)
  await answered
  answers.delete(content)
}

/**
 * This many customers of a project write at the same time; when all messages are accepted, they write again.
 */
async function rage(account: SandboxAccount, messages: number, until: number): Promise<void> {
  let customer = 0
  const post = async () => {
    while (performance.now() < until) {
      if (customer >= messages) await pause(50)
      else await write(account, customer++, 'storm')
    }
  }
  await Promise.all(Array.from({ length: STORM_POSTS }, post))
}

async function write(account: SandboxAccount, customer: number, content: string): Promise<void> {
  const from = { phone: `+1555${String(1_000_000 + customer)}`, name: 'Bench' }
  const message = { type: 'text', text: { body: content } }
  const { status } = await postCallback(
    account,
    inboundCallback({ account, from, message, at: new Date() }),
  )
  if (status !== 200) throw new Error(`A callback was answered with ${status}`)
}
