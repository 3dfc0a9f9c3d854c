import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startDispatcher } from '../../capabilities/webhooks/delivery-dispatcher.ts'
import { emit } from '../../capabilities/webhooks/events.ts'
import type { Context } from '../../core/context.ts'
import { type Sql, statement } from '../../core/sql.ts'
import type { Load } from '../timing.ts'
import { answerRuns, timingOf } from './runs.ts'
import { openBenchContext, type Place } from './webhook-context.ts'

// From an event's commit to the first byte of its first attempt, all in one process and by one clock.

type Run = Load & { place: Place; projectId: string; perSecond: number; pollMs: number | null }

const arrivals = new Map<number, number>()
const sink = createServer((request, response) => {
  const arrivedAt = performance.now()
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.once('end', () => {
    arrivals.set((JSON.parse(body) as { data: number }).data, arrivedAt)
    response.writeHead(204).end()
  })
})
const listening = new Promise<string>((resolve) => {
  sink.listen(0, '127.0.0.1', () => {
    resolve(`http://127.0.0.1:${(sink.address() as AddressInfo).port}/`)
  })
})
const turn = statement('bench-turn', 'UPDATE webhooks SET url = $2 WHERE project_id = $1')
const LEFT_LIMIT_MS = 5_000
let lastNumber = 0
let opened: Promise<Context> | undefined

answerRuns<Run>(async ({ place, projectId, perSecond, pollMs, seconds }) => {
  const ctx = await (opened ??= openBenchContext(place))
  await ctx.sql.rows(turn, [projectId, await listening])
  const dispatcher = startDispatcher(ctx)
  // A poller gets no notifications.
  const silent: Sql = { ...ctx.sql, announce: () => {} }
  const timer = pollMs === null ? undefined : setInterval(dispatcher.wake, pollMs)
  const stopHearing = ctx.sql.onAnnounced('deliveries', dispatcher.wake)
  const committed = new Map<number, number>()
  const start = performance.now()
  for (let sent = 0; sent < seconds * perSecond; sent++) {
    const dueAt = start + (sent * 1000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())))
    const number = ++lastNumber
    const event = { name: 'bench.happened', data: String(number), at: ctx.now(), subject: null }
    void emit(pollMs === null ? ctx.sql : silent, projectId, [event]).then(() =>
      committed.set(number, performance.now()),
    )
  }
  const deadline = performance.now() + LEFT_LIMIT_MS
  while ([...committed.keys()].some((number) => !arrivals.has(number))) {
    if (performance.now() > deadline) throw new Error('Some events did not arrive')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  clearInterval(timer)
  stopHearing()
  await dispatcher.stop()
  // An event counts as committed when the emitter is told so; the first byte may be earlier.
  const latenciesMs = [...committed].map(([number, at]) =>
    Math.max(0, (arrivals.get(number) ?? Infinity) - at),
  )
  return timingOf(latenciesMs, (performance.now() - start) / 1000)
})
