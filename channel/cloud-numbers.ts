import type { ChannelNumber, NumberChannel } from '../core/channel-numbers.ts'
import { isRecord } from '../core/json-values.ts'
import { carryOut, cloudUrl, nextPageOf } from './cloud-request.ts'
import type { CloudExchange } from './cloud-request.ts'
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

function readApp(raw: unknown): string[] {
  const app = isRecord(raw) ? raw.whatsapp_business_api_data : null
  const id = isRecord(app) ? wordOf(app.id) : null
  return id === null ? [] : [id]
}

/** Ids come as text or as numbers. */
function wordOf(value: unknown): string | null {
  return readLine(typeof value === 'number' ? String(value) : value, wordLengthMax)
}
