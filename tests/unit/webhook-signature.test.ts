import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { signatureHeaders, signingKeys } from '../../capabilities/webhooks/webhook-signature.ts'

// Computed with OpenSSL: `printf '%s' "$text" | openssl dgst -sha256 -hmac "$secret"` and `-macopt hexkey:`.
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const ID = '0b6e1c1e-8b0e-4d57-9d4e-6f1d9a3a1c55'
const BODY = '{"id":"0b6e1c1e-8b0e-4d57-9d4e-6f1d9a3a1c55","data":"naïve 😀"}'
const AT = new Date('2026-01-01T00:00:00.999Z')

describe('the signatures of an attempt', () => {
  it('are those that OpenSSL computes', () => {
    expect(signatureHeaders(signingKeys(SECRET), { id: ID, body: BODY, at: AT })).toEqual({
      'X-Service-Signature':
        't=1767225600,v1=133dbf4a8e02526a2ee89a42820a6a367320d784134ffa35a918f060bfc75a98',
      'webhook-id': ID,
      'webhook-timestamp': '1767225600',
      'webhook-signature': 'v1,3CebpAP3tu9+452KB4jWhJlBam32u++iejU/Lu++BcM=',
    })
  })

  it('are new for every second, id, body and secret', () => {
    const variants = [
      { id: ID, body: BODY, at: AT },
      { id: ID, body: BODY, at: new Date(AT.getTime() + 1) },
      { id: ID, body: `${BODY} `, at: AT },
      { id: ID.replace('0b', '1b'), body: BODY, at: AT },
    ].map((told) => signatureHeaders(signingKeys(SECRET), told)['webhook-signature'])
    const other = signingKeys(SECRET.replace('AAEC', 'AAED'))
    variants.push(signatureHeaders(other, { id: ID, body: BODY, at: AT })['webhook-signature'])
    expect(new Set(variants).size).toBe(5)
  })

  it('are taken by the public library', () => {
    const headers = signatureHeaders(signingKeys(SECRET), { id: ID, body: BODY, at: new Date() })
    expect(new Webhook(SECRET).verify(BODY, headers)).toEqual(JSON.parse(BODY))
    const webhook = new Webhook(SECRET)
    expect(() => webhook.verify(`${BODY} `, headers)).toThrow()
  })

  it.each(['', 'whsec_', 'secret', 'wsec_AAEC'])('are not made with %j for a secret', (secret) => {
    expect(() => signingKeys(secret)).toThrow('wrong form')
  })
})
