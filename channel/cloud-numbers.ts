import type { ChannelNumber, ChannelToken, NumberChannel } from '../core/channel-numbers.ts'
import { isRecord } from '../core/json-values.ts'
import { carryOut, cloudUrl, nextPageOf, withoutToken } from './cloud-request.ts'
import type { CloudExchange } from './cloud-request.ts'
import { readInstant } from './identifiers.ts'
import { readLine } from './text.ts'

const fields = 'id,display_phone_number,verified_name,status,quality_rating'
const pageNumbers = '100'
const wordLengthMax = 200

/** The numbers of a business account and the apps subscribed to it, over the channel's API. */
export function cloudNumbers(exchange: CloudExchange): NumberChannel {
  return {
    listNumbers(account, after) {
      const list = cloudUrl(account, account.businessAccountId, 'phone_numbers')
      const page = { fields, limit: pageNumbers, ...(after === null ? {} : { after }) }
      const url = `${list}?${new URLSearchParams(page).toString()}`
      return exchange(account, { method: 'GET', url }, ({ data, paging }) => {
        if (!Array.isArray(data)) return null
        return { numbers: data.flatMap(readNumber), after: nextPageOf(paging) }
      })
    },

    listSubscribedApps(account) {
      const url = cloudUrl(account, account.businessAccountId, 'subscribed_apps')
      return exchange(account, { method: 'GET', url }, ({ data }) =>
        Array.isArray(data) ? data.flatMap(readApp) : null,
      )
    },

    subscribeApp(account) {
      // The app is the one that the token was made for.
      const url = cloudUrl(account, account.businessAccountId, 'subscribed_apps')
      return carryOut(exchange, account, { method: 'POST', url, body: '{}' })
    },

    async inspectToken(app, token) {
      const query = new URLSearchParams({ input_token: token })
      const url = `${cloudUrl(app, 'debug_token')}?${query.toString()}`
      const answer = await exchange(app, { method: 'GET', url }, ({ data }) => readToken(data))
      if (answer.ok) return answer
      const [title, details] = [answer.error.title, answer.error.details ?? '']
      const error = { ...answer.error, title: withoutToken(title, token) }
      return { ok: false, error: { ...error, details: withoutToken(details, token) || null } }
    },
  }
}

/** The number, or an empty list when it has no id. */
function readNumber(raw: unknown): ChannelNumber[] {
  if (!isRecord(raw)) return []
  const id = wordOf(raw.id)
  if (id === null) return []
  const [phone, name] = [wordOf(raw.display_phone_number), wordOf(raw.verified_name)]
  return [{ id, phone, name, status: wordOf(raw.status), quality: wordOf(raw.quality_rating) }]
}

function readToken(raw: unknown): ChannelToken | null {
  if (!isRecord(raw) || typeof raw.is_valid !== 'boolean') return null
  const { is_valid: isValid, scopes } = raw
  const permissions = Array.isArray(scopes) ? scopes.flatMap((scope) => wordOf(scope) ?? []) : null
  return { appId: wordOf(raw.app_id), isValid, expiresAt: readInstant(raw.expires_at), permissions }
}

function readApp(raw: unknown): string[] {
  const app = isRecord(raw) ? raw.whatsapp_business_api_data : null
  const id = isRecord(app) ? wordOf(app.id) : null
  return id === null ? [] : [id]
}

/** Ids come as text or as numbers. */
function wordOf(value: unknown): string | null {
  return readLine(typeof value === 'number' ? String(value) : value, wordLengthMax)
}
