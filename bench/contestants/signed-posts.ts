import { bodyOf, type Told } from '../../capabilities/webhooks/delivery-attempts.ts'
import { signatureHeaders, signingKeys } from '../../capabilities/webhooks/webhook-signature.ts'
import { createBareEgress } from './webhook-context.ts'

/** The addresses that are used in turn, and their common secret. */
export type Receivers = { urls: string[]; secret: string }

/** An event for one of the receivers. */
export type Delivery = { index: number; told: Told }

const TIMEOUT_MS = 10_000
const egress = createBareEgress()

/** Posts deliveries signed like the service's; throws when the receiver refuses one. */
export function createPoster({ urls, secret }: Receivers): (delivery: Delivery) => Promise<void> {
  const keys = signingKeys(secret)
  return async ({ index, told }) => {
    const at = new Date()
    const body = bodyOf(`wh_${index % urls.length}`, told)
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      'X-Service-Event': told.name,
      ...signatureHeaders(keys, { id: told.id, body, at }),
    }
    const url = urls[index % urls.length] ?? ''
    const { statusCode } = await egress.post(url, { headers, body, timeoutMs: TIMEOUT_MS })
    if (statusCode !== 204) throw new Error(`The sink answered ${statusCode}`)
  }
}
