import { types } from 'node:util'
import winston from 'winston'
import { harmlessJson } from './harmless-json.ts'

/** Keys, tokens, webhook secrets and the channel's own tokens, wherever they turn up. */
const SECRETS = /\b(?:pk_(?:live|test)_|mcp_at_|whsec_|EAA)[A-Za-z0-9+/=_-]{8,}/g
const BEARER = /\bBearer\s+[\w.~+/=-]+/gi

/** Replaces every secret in a text with a mark. */
export function redact(text: string): string {
  return text.replace(SECRETS, '[redacted]').replace(BEARER, 'Bearer [redacted]')
}

/**
 * Logs JSON lines on standard output: `at`, `level`, `event` and what belongs to it. One record is one
 * line that steers no terminal, and no secret passes.
 */
export function createLogger(level: string, stream?: NodeJS.WritableStream): winston.Logger {
  return winston.createLogger({
    level,
    format: winston.format.printf(({ level, message, ...rest }) =>
      redact(harmlessJson({ at: new Date(), level, event: message, ...rest }, errorAsText)),
    ),
    transports: stream
      ? [new winston.transports.Stream({ stream })]
      : [new winston.transports.Console()],
  })
}

function errorAsText(_key: string, value: unknown): unknown {
  if (!types.isNativeError(value)) return value
  const { name, message, stack, cause } = value
  // PostgreSQL's state, or the system's: a full disk and a lost connection have words of their own each time.
  const code = 'code' in value && typeof value.code === 'string' ? { code: value.code } : {}
  return { name, ...code, message, stack, ...(cause === undefined ? {} : { cause }) }
}
