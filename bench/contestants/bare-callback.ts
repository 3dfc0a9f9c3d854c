import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { statement } from '../../core/sql.ts'
import { createPool } from '../../database/pool.ts'
import { bytesOf, contestant, fail, listen } from './contestant.ts'

export type BareCallback = { databaseUrl: string; projectId: string; appSecret: string }

type Status = { id: string; status: string; timestamp: string }
type Callback = { entry: [{ changes: [{ value: { statuses: [Status] } }] }] }

const POOL_SIZE = 10

const advance = statement(
  'bare-advance',
  `UPDATE messages
      SET status = $3,
          delivered_at = CASE WHEN $3 = 'delivered' THEN to_timestamp($4) ELSE delivered_at END,
          read_at = CASE WHEN $3 = 'read' THEN to_timestamp($4) ELSE read_at END
    WHERE project_id = $1 AND wamid = $2 AND direction = 'outbound'
      AND array_position(ARRAY['sent', 'delivered', 'read'], status)
        < array_position(ARRAY['sent', 'delivered', 'read'], $3)`,
)
const BODY = JSON.stringify({ success: true, data: { received: true } })
const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(BODY),
}

/** A plain node:http server that checks the signature and executes one UPDATE per callback. */
contestant<BareCallback>(async ({ databaseUrl, projectId, appSecret }) => {
  const pool = createPool(databaseUrl, POOL_SIZE, fail)

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request)
    const given = Buffer.from(String(request.headers['x-hub-signature-256']).slice(7), 'hex')
    const expected = createHmac('sha256', appSecret).update(body).digest()
    if (!timingSafeEqual(given, expected)) throw new Error('The signature does not fit')
    const { entry } = JSON.parse(body.toString()) as Callback
    const { id, status, timestamp } = entry[0].changes[0].value.statuses[0]
    await pool.query({ ...advance, values: [projectId, id, status, Number(timestamp)] })
    response.writeHead(200, HEADERS).end(BODY)
  }
  return listen((request, response) => void take(request, response).catch(fail))
})
