import { LIMITS } from '../core/limits.ts'
import type { Instance } from './instance.ts'

/**
 * Instances that do nothing now, for the next runs of their bots. Together they hold so many bytes at the
 * most; beyond that they are forgotten, the longest unused first.
 */
export function createIdle<Idle extends Pick<Instance, 'botId' | 'bytes'>>() {
  /** Who was used last goes to the end. */
  const idle = new Set<Idle>()
  let bytes = 0

  function remove(instance: Idle): void {
    idle.delete(instance)
    bytes -= instance.bytes()
  }

  return {
    take(botId: string): Idle | null {
      for (const instance of idle) {
        if (instance.botId !== botId) continue
        remove(instance)
        return instance
      }
      return null
    },
    keep(instance: Idle): void {
      idle.add(instance)
      bytes += instance.bytes()
      for (const oldest of idle) {
        if (bytes <= LIMITS.botIdleBytes) return
        remove(oldest)
      }
    },
  }
}
