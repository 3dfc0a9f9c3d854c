import { LIMITS } from '../core/limits.ts'
import type { Instance } from './instance.ts'

/**
 * Instances that are idle, kept for further runs of their bots. Their total size is limited; beyond that, the
 * least recently used are dropped.
 */
export function createIdle<Idle extends Pick<Instance, 'botId' | 'bytes'>>() {
  /** In the order of use, the latest at the end. */
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
