import { createCloudApi } from '../../channel/cloud-api.ts'
import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import type { Channel } from '../../core/ports.ts'
import { startService } from '../../service.ts'

// A server that dies, as by a power cut, in its first send: before the channel hears of it, or after
// the channel's answer has come. It says where it listens, and waits.
const [moment] = process.argv.slice(2)

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

function crashing(channel: Channel): Channel {
  return {
    ...channel,
    async send(account, request) {
      if (moment === 'before_request') return die()
      await channel.send(account, request)
      return die()
    },
  }
}

const config = loadConfig(process.env)
const opened = await openContext(config, config.databaseUrl ?? '', {
  channel: crashing(createCloudApi()),
})
const { url } = await startService(opened)
console.log(JSON.stringify({ url }))
