import { once } from 'node:events'
import { connect, failed, handle } from './bot.js'
import { createReceiver } from './receiver.js'

const { API_KEY, API_URL = 'http://localhost:3000', PORT = '4000' } = process.env
const { PUBLIC_URL = `http://localhost:${PORT}` } = process.env
if (!API_KEY) throw new Error('Set API_KEY to a key of your project.')

const api = connect(API_URL, API_KEY)
let secret = ''
const server = createReceiver(
  () => secret,
  (event) => handle(api, event),
)
server.listen(Number(PORT))
await once(server, 'listening')

// The secret is told once, here: a bot that keeps its webhook has to keep the secret, too.
const { data, error } = await api.POST('/v1/webhooks', {
  body: { url: `${PUBLIC_URL}/events`, events: ['message.received'] },
})
if (error) throw failed('register', error)
const { webhook } = data.data
secret = data.data.secret
console.log(`Listening for customers as ${webhook.id}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())

async function stop(): Promise<void> {
  await api.DELETE('/v1/webhooks/{id}', { params: { path: { id: webhook.id } } })
  server.close()
}
