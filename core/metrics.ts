import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What the service counts, for Prometheus; names and labels carry no personal data. */
export type Metrics = {
  registry: Registry
  requests: Counter<'operation' | 'status' | 'code'>
  requestSeconds: Histogram<'operation'>
  limiterFailures: Counter
  tableLogins: Counter
  sends: Counter<'outcome'>
  callbackUpdates: Counter<'kind'>
  deliveryAttempts: Counter<'result'>
  deliveryLagSeconds: Histogram
  deliveriesDue: Gauge
  webhooksDisabled: Counter
  webhookLeasesLost: Counter
  botRuns: Counter<'result'>
  botLagSeconds: Histogram
  botRunsWaiting: Gauge
  botLeasesLost: Counter
  broadcastRecipients: Counter<'outcome'>
  broadcastSilences: Counter
  broadcastRecipientsWaiting: Gauge
  jobs: Counter<'name' | 'result'>
}

/** Of a process's pool: those at work, those that are idle, and who waits for one. */
type Connections = { busy: number; idle: number; waiting: number }

/** `connections` is asked each time that somebody reads the metrics. */
export function createMetrics(
  connections: () => Connections = () => ({ busy: 0, idle: 0, waiting: 0 }),
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  watchConnections(registers, connections)
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
    tableLogins: new Counter({
      name: 'table_logins_total',
      help: "Connections that were opened for projects' tables.",
      registers,
    }),
    sends: fromZero(
      new Counter({
        name: 'channel_sends_total',
        help: 'Sends by what the channel answered: accepted, refused or unknown.',
        labelNames: ['outcome'],
        registers,
      }),
      ['accepted', 'refused', 'unknown'],
    ),
    callbackUpdates: new Counter({
      name: 'channel_callback_updates_total',
      help: 'What callbacks brought: messages, statuses, preferences, templates, flows, others, rejected.',
      labelNames: ['kind'],
      registers,
    }),
    jobs: new Counter({
      name: 'jobs_total',
      help: 'Runs of jobs by name and result: done or failed.',
      labelNames: ['name', 'result'],
      registers,
    }),
    ...deliveryMetrics(registers),
    ...broadcastMetrics(registers),
    ...botMetrics(registers),
  }
}

/** Shows the series of a counter with one label before anything is counted: of one that only then appears, nobody sees that it rose. */
function fromZero<L extends string>(counter: Counter<L>, values: string[]): Counter<L> {
  for (const value of values) counter.labels(value).inc(0)
  return counter
}

function watchConnections(registers: Registry[], connections: () => Connections): void {
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool by state: busy, idle, or waiting for one (these are requests and jobs).',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count)
    },
  })
}

function deliveryMetrics(registers: Registry[]) {
  return {
    deliveryAttempts: fromZero(
      new Counter({
        name: 'webhook_delivery_attempts_total',
        help: 'Attempts of webhook deliveries by result: delivered, failed or dropped (the last failed).',
        labelNames: ['result'],
        registers,
      }),
      ['delivered', 'failed', 'dropped'],
    ),
    deliveryLagSeconds: new Histogram({
      name: 'webhook_delivery_lag_seconds',
      help: 'Time from an event to the first attempt to deliver it.',
      buckets: [0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 3_600],
      registers,
    }),
    deliveriesDue: new Gauge({
      name: 'webhook_deliveries_due',
      help: 'Webhook deliveries that could be attempted now, as last counted.',
      registers,
    }),
    webhooksDisabled: new Counter({
      name: 'webhooks_disabled_total',
      help: 'Webhook registrations turned off after failed events in a row.',
      registers,
    }),
    webhookLeasesLost: new Counter({
      name: 'webhook_leases_lost_total',
      help: 'Leases on registrations that ran out before they were given back, as after a crash.',
      registers,
    }),
  }
}

function broadcastMetrics(registers: Registry[]) {
  return {
    broadcastRecipients: fromZero(
      new Counter({
        name: 'broadcast_recipients_total',
        help: 'Steps of recipients: accepted, refused, put_off, unknown, unsendable or not_dispatched.',
        labelNames: ['outcome'],
        registers,
      }),
      ['accepted', 'refused', 'put_off', 'unknown', 'unsendable', 'not_dispatched'],
    ),
    broadcastSilences: new Counter({
      name: 'broadcast_silences_total',
      help: 'How often the channel made a number stop sending broadcasts for a while.',
      registers,
    }),
    broadcastRecipientsWaiting: new Gauge({
      name: 'broadcast_recipients_waiting',
      help: 'Recipients of broadcasts that wait or are under way, but for held ones, as last counted.',
      registers,
    }),
  }
}

function botMetrics(registers: Registry[]) {
  return {
    botRuns: fromZero(
      new Counter({
        name: 'bot_runs_total',
        help: 'Runs of bots by how they ended: done, failed, spent (computed too long), late or given_up.',
        labelNames: ['result'],
        registers,
      }),
      ['done', 'failed', 'spent', 'late', 'given_up'],
    ),
    botLagSeconds: new Histogram({
      name: 'bot_lag_seconds',
      help: 'Time from a message to the beginning of the run that it makes.',
      buckets: [0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300],
      registers,
    }),
    botRunsWaiting: new Gauge({
      name: 'bot_runs_waiting',
      help: 'Runs of bots that wait or are under way, as last counted.',
      registers,
    }),
    botLeasesLost: new Counter({
      name: 'bot_leases_lost_total',
      help: 'Leases on runs of bots that ran out before the run was over, as after a crash.',
      registers,
    }),
  }
}
