import { setTimeout as pause } from 'node:timers/promises'
import { inboundCallback } from '../../channel/sandbox-callbacks.ts'
import { callBack } from './fault-callbacks.ts'
import type { FaultyAccount } from './fault-channel.ts'
import type { Sender } from './fault-clients.ts'
import type { Fleet } from './fleet.ts'
import { seededRandom } from './random.ts'

const LANES = 3
const CUSTOMERS = 5
const EVERY_MS = [40, 250] as const
const TWICE_PERCENT = 15

/** Customers who write in; the channel tells of each message until it is heard, of some of them twice. */
export function createCustomers(options: {
  fleet: Fleet
  accounts: FaultyAccount[]
  seed: number
}) {
  const { fleet, accounts, seed } = options
  const written: string[] = []
  const random = seededRandom(seed)

  async function write(account: FaultyAccount, phone: string, text: string): Promise<void> {
    const payload = inboundCallback({
      account,
      from: { phone, name: 'Ana' },
      at: new Date(),
      message: { type: 'text', text: { body: text } },
      wamid: `wamid.chaos.${seed}.${text}`,
    })
    const times = random.between(1, 100) <= TWICE_PERCENT ? [1, 2] : [1]
    await Promise.all(times.map(() => callBack({ fleet, random, account, payload })))
    // Only the first account's project has a bot.
    if (account === accounts[0]) written.push(text)
  }
  return {
    /** Opens the window to everyone whom a sender sends to. */
    async greet({ projectId, phones }: Sender): Promise<void> {
      const account = accounts.find((one) => one.projectId === projectId)
      if (!account) throw new Error(`There is no account of ${projectId}`)
      for (const phone of phones) await write(account, phone, `hello-${projectId}-${phone}`)
    },
    /** Writes to the bot until told to stop; answers with all that was ever written to it. */
    async writeUntil(mustGoOn: () => boolean): Promise<string[]> {
      const lane = async (number: number) => {
        const own = seededRandom(seed + number)
        for (let n = 0; mustGoOn(); n++) {
          await pause(own.between(...EVERY_MS))
          const phone = `+1555500${1_000 + CUSTOMERS * number + own.between(0, CUSTOMERS - 1)}`
          if (accounts[0]) await write(accounts[0], phone, `${number}-${n}`)
        }
      }
      await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
      return written
    },
  }
}
