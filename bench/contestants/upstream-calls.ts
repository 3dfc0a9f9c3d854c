import { randomUUID } from 'node:crypto'
import { createCloudApi } from '../../channel/cloud-api.ts'
import type { ChannelAccount } from '../../core/ports.ts'
import { type Load, percentile, type Timing } from '../timing.ts'

// The upstream call alone: the service's own client in a loop, with nothing before or after it.

type Run = Load & { account: ChannelAccount; phones: string[]; content: string }

const channel = createCloudApi()

process.on('message', ({ id, run }: { id: number; run: Run }) => {
  call(run).then(
    (timing) => process.send?.({ id, timing }),
    (error: unknown) => process.send?.({ id, problem: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function call({ account, phones, content, connections, seconds }: Run): Promise<Timing> {
  const start = performance.now()
  const until = start + seconds * 1000
  const latenciesMs: number[] = []
  const loop = async () => {
    while (performance.now() < until) {
      const sentAt = performance.now()
      const { outcome } = await channel.send(account, {
        to: { phone: phones[latenciesMs.length % phones.length] ?? '' },
        message: { type: 'text', text: { body: content, preview_url: false } },
        attemptId: randomUUID(),
      })
      if (outcome !== 'accepted') throw new Error(`The channel's answer: ${outcome}`)
      latenciesMs.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  const elapsedS = (performance.now() - start) / 1000
  const sorted = Float64Array.from(latenciesMs).sort()
  return {
    count: sorted.length,
    elapsedS,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  }
}
