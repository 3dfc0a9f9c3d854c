import { Pool } from 'undici'
import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import type { Context } from '../../core/context.ts'
import type { Egress } from '../../core/egress.ts'

/** The database with the events, and the key that decrypts the secrets. */
export type Place = { databaseUrl: string; encryptionKey: string }

const CONNECTIONS_PER_HOST = 64

/** A context for this process that posts directly through undici's pools. */
export async function openBenchContext(place: Place): Promise<Context> {
  const config = loadConfig({
    DATABASE_URL: place.databaseUrl,
    ENCRYPTION_KEY: place.encryptionKey,
    LOG_LEVEL: 'error',
  })
  const { ctx } = await openContext(config, place.databaseUrl, { egress: createBareEgress() })
  return ctx
}

/** The fastest way to post in Node; the cost of the service's own checks is measured elsewhere. */
export function createBareEgress(): Egress {
  const pools = new Map<string, Pool>()
  return {
    mayReach: async () => true,
    download: async () => ({ ok: false, fault: 'refused', message: 'Nothing is downloaded.' }),
    async post(url, { headers, body }) {
      const startedAt = performance.now()
      const { origin, pathname } = new URL(url)
      const pool = pools.get(origin) ?? new Pool(origin, { connections: CONNECTIONS_PER_HOST })
      pools.set(origin, pool)
      const answer = await pool.request({ path: pathname, method: 'POST', headers, body })
      await answer.body.dump()
      const durationMs = performance.now() - startedAt
      return { statusCode: answer.statusCode, error: null, durationMs }
    },
    close: async () => {},
  }
}
