import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createCloudApi } from '../../channel/cloud-api.ts'
import type { ChannelAccount } from '../../core/ports.ts'
import { phoneMatchKey } from '../../core/phone.ts'
import type { Statement } from '../../core/sql.ts'
import { createPool, createSql } from '../../database/pool.ts'
import { contestant, listen } from './contestant.ts'

export type BareSend = {
  databaseUrl: string
  projectId: string
  account: ChannelAccount
  /** The service's two statements; null for a server that only calls the channel. */
  statements: { begin: Statement; record: Statement } | null
}

const WINDOW_MS = 24 * 60 * 60 * 1000
const POOL_SIZE = 10

/** Node's own server with the service's statements and upstream client, and nothing else. */
contestant<BareSend>(async ({ databaseUrl, projectId, account, statements }) => {
  const sql = createSql(createPool(databaseUrl, POOL_SIZE, fail))
  const channel = createCloudApi()

  async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(await textOf(request)) as { phone: string; content: string }
    const { phone, content } = asked
    const attemptId = randomUUID()
    const now = new Date()
    if (statements) {
      const draft = { origin: 'api', type: 'text', content, reply_to: null, client_ref: null }
      await sql.rows(statements.begin, [
        projectId,
        phoneMatchKey(phone),
        attemptId,
        JSON.stringify(draft),
        now,
        new Date(now.getTime() - WINDOW_MS),
      ])
    }
    const outcome = await channel.send(account, {
      to: { phone },
      message: { type: 'text', text: { body: content, preview_url: false } },
      attemptId,
    })
    if (outcome.outcome !== 'accepted') throw new Error(outcome.error.title)
    const { wamid } = outcome
    if (statements) await sql.rows(statements.record, [projectId, [attemptId], [wamid], new Date()])
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

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => resolve(Buffer.concat(chunks).toString()))
    request.once('error', reject)
  })
}

/** A reference that fails measures nothing. */
function fail(error: unknown): never {
  process.stderr.write(`${String(error)}\n`)
  process.exit(1)
}
