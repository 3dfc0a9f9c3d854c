import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createCloudApi } from '../../channel/cloud-api.ts'
import type { ChannelAccount } from '../../core/channel-account.ts'
import { phoneMatchKey } from '../../core/phone.ts'
import { createPool } from '../../database/pool.ts'
import { contestant, fail, listen, textOf } from './contestant.ts'
import { filler, type Template } from './recorded-values.ts'

export type BareSend = {
  databaseUrl: string
  account: ChannelAccount
  /** The service's two statements; null for a server that only calls the channel. */
  statements: { begin: Template; record: Template } | null
}

const POOL_SIZE = 10

/** A plain node:http server with the service's statements and channel client, and nothing else. */
contestant<BareSend>(async ({ databaseUrl, account, statements }) => {
  const pool = createPool(databaseUrl, POOL_SIZE, fail)
  const channel = createCloudApi()
  const beginValues = filler(statements?.begin.values ?? [])
  const recordValues = filler(statements?.record.values ?? [])

  async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(await textOf(request)) as { phone: string; content: string }
    const { phone, content } = asked
    const attempt = {
      matchKey: phoneMatchKey(phone),
      attemptId: randomUUID(),
      wamid: '',
      key: String(request.headers['idempotency-key']),
    }
    if (statements) {
      const values = beginValues({ ...attempt, now: new Date() })
      const query = { ...statements.begin.statement, values, rowMode: 'array' as const }
      const { rows } = await pool.query<[boolean]>(query)
      if (rows[0]?.[0] !== true) throw new Error('The send was not begun')
    }
    const outcome = await channel.send(account, {
      to: { phone },
      message: { type: 'text', text: { body: content, preview_url: false } },
      attemptId: attempt.attemptId,
    })
    if (outcome.outcome !== 'accepted') throw new Error(outcome.error.title)
    const { wamid } = outcome
    if (statements) {
      const values = recordValues({ ...attempt, wamid, now: new Date() })
      await pool.query({ ...statements.record.statement, values })
    }
    const body = JSON.stringify({ success: true, data: { id: wamid, status: 'sent' } })
    response
      .writeHead(201, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
      })
      .end(body)
  }
  return listen((request, response) => void send(request, response).catch(fail))
})
