import { randomUUID } from 'node:crypto'
import axios from 'axios'
import { createCloudApi, messageBody } from '../../channel/cloud-api.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import type { ChannelSend } from '../../core/ports.ts'
import { type Load, percentile, type Timing } from '../timing.ts'

// The upstream call alone, in a loop without any other work: through the service's own client, or through axios
// with its defaults.

type Run = Load & {
  client: 'own' | 'axios'
  account: ChannelAccount
  phones: string[]
  content: string
}

const channel = createCloudApi()

process.on('message', ({ id, run }: { id: number; run: Run }) => {
  call(run).then(
    (timing) => process.send?.({ id, timing }),
    (error: unknown) => process.send?.({ id, problem: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function sendOwn(account: ChannelAccount, message: ChannelSend): Promise<void> {
  const { outcome } = await channel.send(account, message)
  if (outcome !== 'accepted') throw new Error(`The channel's answer: ${outcome}`)
}

async function sendAxios(account: ChannelAccount, message: ChannelSend): Promise<void> {
  const { apiUrl, apiVersion, phoneNumberId, accessToken } = account
  const url = `${apiUrl}/${apiVersion}/${phoneNumberId}/messages`
  const headers = { Authorization: `Bearer ${accessToken}` }
  const { data } = await axios.post<{ messages: { id: string }[] }>(url, messageBody(message), {
    headers,
  })
  if (!data.messages[0]?.id) throw new Error('The channel answered without an id')
}

async function call({ client, account, phones, content, ...load }: Run): Promise<Timing> {
  const send = client === 'own' ? sendOwn : sendAxios
  const start = performance.now()
  const until = start + load.seconds * 1000
  const latenciesMs: number[] = []
  const loop = async () => {
    while (performance.now() < until) {
      const sentAt = performance.now()
      await send(account, {
        to: { phone: phones[latenciesMs.length % phones.length] ?? '' },
        message: { type: 'text', text: { body: content, preview_url: false } },
        attemptId: randomUUID(),
      })
      latenciesMs.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: load.connections }, loop))
  const elapsedS = (performance.now() - start) / 1000
  const sorted = Float64Array.from(latenciesMs).sort()
  return {
    count: sorted.length,
    elapsedS,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  }
}
