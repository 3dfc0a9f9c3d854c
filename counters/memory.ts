import type { RequestCounter, UploadBudget } from '../core/stores.ts'
import { type UploadLimits, WINDOW_S } from './minute.ts'

type Minute = {
  number: number
  requests: Map<string, number>
  uploads: Map<string, { bytes: number; uploads: number }>
}

/** Counts within this process, by the given clock. */
export function createMemoryCounters(
  now: () => Date,
  limits: UploadLimits,
): { requestCounter: RequestCounter; uploadBudget: UploadBudget } {
  let latest: Minute = { number: -1, requests: new Map(), uploads: new Map() }

  function current(): { minute: Minute; resetS: number } {
    const seconds = now().getTime() / 1000
    const number = Math.floor(seconds / WINDOW_S)
    if (number !== latest.number) latest = { number, requests: new Map(), uploads: new Map() }
    return { minute: latest, resetS: Math.ceil((number + 1) * WINDOW_S - seconds) }
  }

  return {
    requestCounter: {
      async count(credentialId) {
        const { minute, resetS } = current()
        const used = (minute.requests.get(credentialId) ?? 0) + 1
        minute.requests.set(credentialId, used)
        return { used, resetS }
      },
    },
    uploadBudget: {
      async reserve(credentialId, bytes, uploads = 1) {
        const { minute, resetS } = current()
        const used = minute.uploads.get(credentialId) ?? { bytes: 0, uploads: 0 }
        minute.uploads.set(credentialId, used)
        const grantedBytes =
          used.uploads + uploads <= limits.uploads ? Math.min(bytes, limits.bytes - used.bytes) : 0
        used.bytes += grantedBytes
        if (grantedBytes > 0) used.uploads += uploads
        let unsettledBytes = grantedBytes
        return {
          grantedBytes,
          remainingBytes: limits.bytes - used.bytes,
          remainingUploads: limits.uploads - used.uploads,
          resetS,
          async settle(usedBytes) {
            // A later minute has a new record; giving back to the old one has no effect.
            used.bytes -= Math.max(0, unsettledBytes - usedBytes)
            unsettledBytes = 0
          },
        }
      },
    },
  }
}
