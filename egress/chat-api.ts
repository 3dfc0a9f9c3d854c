import { AxiosError } from 'axios'
import type { ChatModel } from '../core/ports.ts'
import type { Config } from '../core/config.ts'
import { LIMITS } from '../core/limits.ts'
import { createClient } from './client.ts'
import { type Connect, createPools } from './pools.ts'

type Settings = Pick<Config, 'agentApiUrl' | 'agentApiKey' | 'agentModel'>

const connectTimeoutMs = 10_000
const connectionsMax = 16

/**
 * The OpenAI-compatible model of the settings, at an address that the operator gave; null without one. The key
 * never appears in its answers.
 */
export function createChatApi(
  { agentApiUrl, agentApiKey, agentModel }: Settings,
  connect?: Connect,
): ChatModel | null {
  if (agentApiUrl === null) return null
  const pools = createPools({ connect, connectTimeoutMs, connectionsMax, originsMax: 1 })
  const client = createClient(pools, {
    maxContentLength: LIMITS.agentAnswerBytes,
    responseType: 'text',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      ...(agentApiKey === null ? {} : { Authorization: `Bearer ${agentApiKey}` }),
    },
  })
  const path = agentApiUrl.endsWith('/chat/completions') ? '' : '/chat/completions'
  return {
    close: pools.close,
    async complete(messages, deadline) {
      const timeout = Math.ceil(deadline - performance.now())
      if (timeout <= 0) return { ok: false, reason: 'the agent took too long' }
      const body = { ...(agentModel === null ? {} : { model: agentModel }), messages }
      try {
        const url = `${agentApiUrl}${path}`
        const { status, data } = await client.post<string>(url, JSON.stringify(body), { timeout })
        if (status < 200 || status > 299) {
          return { ok: false, reason: `the agent answered with the status ${status}` }
        }
        const text = textIn(data)
        return text === null
          ? { ok: false, reason: 'the agent gave no usable answer' }
          : { ok: true, text }
      } catch (error) {
        return { ok: false, reason: reasonOf(error) }
      }
    },
  }
}

/** The text of the first choice. */
function textIn(answer: string): string | null {
  try {
    const parsed = JSON.parse(answer) as {
      choices?: { message?: { content?: unknown } | null }[]
    } | null
    const content = parsed?.choices?.[0]?.message?.content
    return typeof content === 'string' && content !== '' ? content : null
  } catch {
    return null
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof AxiosError ? error.code : undefined
  if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') return 'the agent took too long'
  if (code === 'ERR_TOO_LARGE') return 'the agent answered with too much'
  return 'the agent could not be reached'
}
