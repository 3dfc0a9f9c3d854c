import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** What a signing secret begins with, as Standard Webhooks has it. */
export const SECRET_PREFIX = 'whsec_'

/** The keys of both signatures, made once from a registration's secret. */
export type SigningKeys = {
  /** The whole secret, as it was printed. */
  own: KeyObject
  /** The bytes that the secret's base64 part stands for, as Standard Webhooks has it. */
  standard: KeyObject
}

/** Makes the keys of a `whsec_…` secret; throws when it is none. */
export function signingKeys(secret: string): SigningKeys {
  const bytes = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  if (!secret.startsWith(SECRET_PREFIX) || bytes.length === 0) {
    throw new Error('The signing secret of a webhook has the wrong form')
  }
  return { own: createSecretKey(secret, 'utf8'), standard: createSecretKey(bytes) }
}

/**
 * The headers that prove where an attempt comes from. The signatures cover the very bytes of the body
 * and the second in which the attempt is made; the id stays the same in every attempt.
 */
export function signatureHeaders(
  { own, standard }: SigningKeys,
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  const t = Math.floor(at.getTime() / 1000)
  const v1 = createHmac('sha256', own).update(`${t}.${body}`).digest('hex')
  const standardV1 = createHmac('sha256', standard).update(`${id}.${t}.${body}`).digest('base64')
  return {
    'X-Service-Signature': `t=${t},v1=${v1}`,
    'webhook-id': id,
    'webhook-timestamp': String(t),
    'webhook-signature': `v1,${standardV1}`,
  }
}
