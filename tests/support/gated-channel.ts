import { createCloudApi } from '../../channel/cloud-api.ts'
import type { Channel } from '../../core/ports.ts'

/** The channel as it is, but for a gate before it that a test can shut: sends wait there. */
export function createGatedChannel() {
  const api = createCloudApi()
  let passing = Promise.resolve()
  let arrive: (() => void) | null = null
  const channel: Channel = {
    ...api,
    async send(account, request) {
      arrive?.()
      await passing
      return api.send(account, request)
    },
  }
  return {
    channel,
    /** Shuts the gate; `arrival` resolves when a send stands before it, `open` lets all of them go. */
    shut() {
      let open = () => {}
      passing = new Promise((resolve) => (open = resolve))
      const arrival = new Promise<void>((resolve) => (arrive = resolve))
      return { arrival, open: () => open() }
    },
    /** Lets later sends pass, while those that stand before the gate stay there. */
    lift: () => void (passing = Promise.resolve()),
  }
}
