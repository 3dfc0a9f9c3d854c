import { cleanLine, cleanText } from './text.ts'

const idLengthMax = 512
const shortLengthMax = 512

/** A message id; null for any other value, and for one too long to be stored whole. */
export function readId(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > idLengthMax) return null
  return readText(value)
}

/** A short text, or a number as text (ids come as either); null for anything else and for "". */
export function readText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null
  return typeof value === 'string' ? cleanText(value, shortLengthMax) || null : null
}

/**
 * A SHA-256 in lower-case hex; null for any other value. The channel writes digests in base64 in some places
 * and in hex in others.
 */
export function readSha256(value: unknown): string | null {
  const text = readText(value) ?? ''
  const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')
  return bytes.length === 32 ? bytes.toString('hex') : null
}

/** A value for a sentence: a short text or number as it is, anything else by its type. */
export function nameOf(value: unknown): string {
  return cleanLine(readText(value) ?? typeof value, 50)
}

/** A customer's WhatsApp id: the digits of a number. */
export function readWaId(value: unknown): string | null {
  return /^\+?(\d{5,20})$/.exec(readText(value) ?? '')?.[1] ?? null
}

/** 2100-01-01: a larger value is in another unit than seconds. */
const instantMaxS = 4_102_444_800

/** Reads Unix seconds, as text or number; a value of 13 digits is milliseconds, cut to whole seconds. */
export function readInstant(value: unknown): Date | null {
  const told = typeof value === 'string' && /^\d{1,13}$/.test(value) ? Number(value) : value
  if (typeof told !== 'number' || !Number.isSafeInteger(told)) return null
  const seconds = told < 1e12 ? told : Math.floor(told / 1000)
  return seconds > 0 && seconds < instantMaxS ? new Date(seconds * 1000) : null
}
