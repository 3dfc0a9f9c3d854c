import { types } from 'node:util'
import winston from 'winston'
import { harmlessJson } from './harmless-json.ts'

/** Keys, tokens, webhook secrets and the channel's access tokens, wherever they appear. */
const SECRETS = /\b(?:pk_(?:live|test)_|mcp_at_|whsec_|EAA)[A-Za-z0-9+/=_-]{8,}/g
const BEARER = /\bBearer\s+[\w.~+/=-]+/gi

/** Replaces every secret in a text by a mark. */
export function redact(text: string): string {
  return text.replace(SECRETS, '[redacted]').replace(BEARER, 'Bearer [redacted]')
}

/**
 * Logs JSON lines on standard output: `at`, `level`, `event` and further members. Each record is one line
 * without secrets or characters that control a terminal.
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
  // The code of PostgreSQL or the system: the messages for a full disk or a lost connection vary.
  const code = 'code' in value && typeof value.code === 'string' ? { code: value.code } : {}
  return { name, ...code, message, stack, ...(cause === undefined ? {} : { cause }) }
}
