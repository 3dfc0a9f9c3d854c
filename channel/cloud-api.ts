import { AxiosError } from 'axios'
import type { AxiosInstance } from 'axios'
import { mayBeDone } from '../core/channel-outcomes.ts'
import { isRecord, parseJson } from '../core/json-values.ts'
import { LIMITS } from '../core/limits.ts'
import type { ChannelAccount } from '../core/channel-account.ts'
import type { Channel, ChannelSend, SendOutcome } from '../core/ports.ts'
import { createClient } from '../egress/client.ts'
import { type Connect, createPools } from '../egress/pools.ts'
import { cloudFlows } from './cloud-flows.ts'
import { cloudMedia } from './cloud-media.ts'
import { cloudNumbers } from './cloud-numbers.ts'
import {
  cloudUrl,
  createCloudExchange,
  failureOf,
  type HearRefusal,
  provenUrl,
  withoutToken,
} from './cloud-request.ts'
import { cloudSamples } from './cloud-samples.ts'
import { cloudTemplates } from './cloud-templates.ts'
import { readChannelError } from './errors.ts'
import { cleanText } from './text.ts'

const answerBytesMax = 64 * 1024
const idLengthMax = 512

/**
 * The channel over the network. No method throws: each answers what is known. `timeoutMs` covers the whole
 * exchange, from the wait for a connection to the answer's last byte; an exchange that carries a file gets more
 * time by the file's size, `fileTimeoutMs` for the largest. `hear` is called with the errors in answers.
 */
export function createCloudApi({
  timeoutMs = 30_000,
  fileTimeoutMs = LIMITS.channelFileTimeoutMs,
  hear = () => undefined,
  connect,
}: {
  timeoutMs?: number
  fileTimeoutMs?: number
  hear?: HearRefusal
  connect?: Connect | undefined
} = {}): Channel {
  const pools = createPools({
    connect,
    connectTimeoutMs: Math.min(10_000, timeoutMs),
    connectionsMax: LIMITS.channelConnections,
    originsMax: 32,
  })
  const client = createClient(pools, {
    timeout: timeoutMs,
    maxContentLength: answerBytesMax,
    responseType: 'text',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
  })

  const exchange = createCloudExchange(client, hear)
  const timeoutFor = (sizeBytes: number) =>
    Math.ceil(timeoutMs + (fileTimeoutMs * sizeBytes) / LIMITS.channelFileBytes)
  return {
    close: pools.close,
    async send(account, request) {
      const outcome = await send(client, account, request)
      if (outcome.outcome !== 'accepted') hear(account, outcome.error)
      return outcome
    },
    ...cloudTemplates(exchange),
    ...cloudFlows(exchange),
    ...cloudNumbers(exchange),
    ...cloudMedia(client, exchange, timeoutFor),
    ...cloudSamples(exchange, timeoutFor),
  }
}

async function send(
  client: AxiosInstance,
  account: ChannelAccount,
  request: ChannelSend,
): Promise<SendOutcome> {
  try {
    // Not `post`, which merges its configuration twice: a twentieth of what a message costs this process.
    const { status, data } = await client.request<string>({
      method: 'post',
      url: provenUrl(cloudUrl(account, account.phoneNumberId, 'messages'), account),
      data: JSON.stringify(messageBody(request)),
      headers: { Authorization: `Bearer ${account.accessToken}` },
    })
    return readAnswer(status, withoutToken(data, account.accessToken))
  } catch (error) {
    return readFailure(error)
  }
}

/** The request body of a send. */
export function messageBody({ to, message, replyTo, attemptId }: ChannelSend) {
  // The channel allows no context in a reaction, which names its target itself.
  const quotes = replyTo !== undefined && message.type !== 'reaction'
  return {
    ...message,
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...('phone' in to ? { to: to.phone } : { recipient: to.userId }),
    ...(quotes ? { context: { message_id: replyTo } } : {}),
    biz_opaque_callback_data: attemptId,
  }
}

/** Only a message id is a success. Any other 2xx may be one, and stays open until a status callback tells. */
function readAnswer(status: number, text: string): SendOutcome {
  const body = parseJson(text)
  const isGood = status >= 200 && status < 300
  const wamid = isGood ? idOf(firstOf(body, 'messages')?.id) : null
  if (wamid !== null) {
    const contact = firstOf(body, 'contacts')
    const [waId, userId] = [idOf(contact?.wa_id), idOf(contact?.user_id)]
    return { outcome: 'accepted', wamid, waId, userId }
  }
  const error = readChannelError(status, body)
  return { outcome: mayBeDone(error) ? 'unknown' : 'refused', error }
}

/**
 * A failure before the request was written is definite, since no byte has reached the channel; so is an error
 * answer that broke off after its head. Any other failure leaves the outcome open.
 */
function readFailure(error: unknown): SendOutcome {
  const failure = failureOf(error)
  const wasMade = error instanceof AxiosError && Boolean(error.request ?? error.response)
  return { outcome: wasMade && mayBeDone(failure) ? 'unknown' : 'refused', error: failure }
}

function firstOf(body: unknown, member: string): Record<string, unknown> | undefined {
  const list = isRecord(body) ? body[member] : undefined
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  return isRecord(first) ? first : undefined
}

/** An id that cannot be stored whole would match no callback, so it counts as none. */
function idOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  return cleanText(value, idLengthMax) === value ? value : null
}
