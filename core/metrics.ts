import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

/** What the service counts, for Prometheus; names and labels carry no personal data. */
export type Metrics = {
  registry: Registry
  requests: Counter<'operation' | 'status' | 'code'>
  requestSeconds: Histogram<'operation'>
  limiterFailures: Counter
  sends: Counter<'outcome'>
  callbackUpdates: Counter<'kind'>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Counter({
      name: 'http_requests_total',
      help: 'Answered requests by operation, status and error code.',
      labelNames: ['operation', 'status', 'code'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer.',
      labelNames: ['operation'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    limiterFailures: new Counter({
      name: 'rate_limit_fail_open_total',
      help: 'Requests that passed uncounted because the counter store failed.',
      registers,
    }),
    sends: new Counter({
      name: 'channel_sends_total',
      help: 'Sends by what the channel answered: accepted, refused or unknown.',
      labelNames: ['outcome'],
      registers,
    }),
    callbackUpdates: new Counter({
      name: 'channel_callback_updates_total',
      help: 'What callbacks brought: messages, statuses, others, rejected.',
      labelNames: ['kind'],
      registers,
    }),
  }
}
