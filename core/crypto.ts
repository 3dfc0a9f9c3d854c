import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  randomBytes,
  randomInt,
} from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_PREFIXES = ['pk_live_', 'pk_test_', 'mcp_at_'] as const
const RANDOM_CHARACTERS = 34
const CHECK_CHARACTERS = 6
const SECRET = new RegExp(
  `^(?:${SECRET_PREFIXES.join('|')})[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECK_CHARACTERS}}$`,
)
const TAG_BYTES = 16

export type SecretPrefix = (typeof SECRET_PREFIXES)[number]

/**
 * Makes a key or token: the prefix and 40 base62 characters, the last six a checksum of the rest, so
 * that a mistyped or leaked one is recognised without a look-up.
 */
export function mintSecret(prefix: SecretPrefix): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(62)]).join('')
  return prefix + random + checksum(prefix + random)
}

/** Whether a text has the shape and the checksum of a key or token of this service. */
export function isWellFormedSecret(secret: string): boolean {
  if (!SECRET.test(secret)) return false
  return checksum(secret.slice(0, -CHECK_CHARACTERS)) === secret.slice(-CHECK_CHARACTERS)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECK_CHARACTERS; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The form in which a secret is stored and looked up; it has 200 random bits, so a plain digest is enough. */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', secret, 'buffer'))
}

/** Encrypts secrets that the service must be able to read again, with AES-256-GCM. */
export type Vault = {
  seal(plain: string, place: string): string
  open(sealed: string, place: string): string
  /** Identifies the key without revealing it, to notice a process that runs with another one. */
  fingerprint: string
}

/**
 * A vault for one 32-byte key. `place` says where the secret belongs (table, column, row): a ciphertext that
 * was moved elsewhere cannot be decrypted. `open` throws when key, place or text do not fit.
 */
export function createVault(key: Buffer): Vault {
  return {
    seal(plain, place) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return [
        'v1',
        ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64')),
      ].join('.')
    },
    open(sealed, place) {
      const [version, iv, text, tag] = sealed.split('.')
      if (version !== 'v1' || !iv || text === undefined || !tag) {
        throw new Error(`${place} holds no sealed text`)
      }
      // Without an explicit length, Node 20 accepts a tag that was cut to four bytes.
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(place))
        .setAuthTag(Buffer.from(tag, 'base64'))
      return (
        decipher.update(Buffer.from(text, 'base64'), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    fingerprint: createHmac('sha256', key).update('fingerprint').digest('hex').slice(0, 32),
  }
}
