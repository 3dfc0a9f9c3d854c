import type { ChannelFlow, ChannelFlowFault, FlowChannel } from '../core/channel-flows.ts'
import { isRecord } from '../core/json-values.ts'
import type { ChannelAccount } from '../core/channel-account.ts'
import { mayHaveToken } from './cloud-media.ts'
import { cloudUrl, nextPageOf, carryOut } from './cloud-request.ts'
import type { CloudExchange } from './cloud-request.ts'
import { noAnswer } from './errors.ts'
import { formAround } from './form-around.ts'
import { cleanRecord, readLine } from './text.ts'

const fields = 'id,name,status,categories,validation_errors'
const pageFlows = 100
const pageBytesMax = 4 * 1024 * 1024
/** The largest definition that the channel takes. */
const definitionBytesMax = 10 * 1024 * 1024
const wordLengthMax = 512
const urlLengthMax = 4_096
const faultsMax = 50
const categoriesMax = 20

/** The flows of an account, over the channel's API. */
export function cloudFlows(exchange: CloudExchange): FlowChannel {
  const post = (account: ChannelAccount, url: string, body: object) =>
    carryOut(exchange, account, { method: 'POST', url, body: JSON.stringify(body) })
  return {
    createFlow(account, { name, categories, definition }) {
      const url = cloudUrl(account, account.businessAccountId, 'flows')
      const body = JSON.stringify({ name, categories, flow_json: JSON.stringify(definition) })
      return exchange(account, { method: 'POST', url, body }, (answer) => {
        const id = idOf(answer.id)
        return id === null ? null : { id, faults: faultsOf(answer.validation_errors) }
      })
    },

    listFlows(account, after) {
      const list = cloudUrl(account, account.businessAccountId, 'flows')
      const page = { fields, limit: String(pageFlows), ...(after === null ? {} : { after }) }
      const url = `${list}?${new URLSearchParams(page).toString()}`
      const request = { method: 'GET', url, answerBytesMax: pageBytesMax } as const
      return exchange(account, request, ({ data, paging }) => {
        if (!Array.isArray(data)) return null
        return { flows: data.flatMap((raw) => readFlow(raw) ?? []), after: nextPageOf(paging) }
      })
    },

    findFlow(account, id) {
      const url = `${cloudUrl(account, id)}?${new URLSearchParams({ fields }).toString()}`
      return exchange(account, { method: 'GET', url }, readFlow)
    },

    readFlow: (account, id) => readDefinition(exchange, account, id),

    uploadFlow(account, id, definition) {
      const { body, headers } = formOf(JSON.stringify(definition))
      const url = cloudUrl(account, id, 'assets')
      return exchange(account, { method: 'POST', url, body, headers }, (answer) =>
        answer.success === true ? { faults: faultsOf(answer.validation_errors) } : null,
      )
    },

    renameFlow: (account, id, name) => post(account, cloudUrl(account, id), { name }),

    publishFlow: (account, id) => post(account, cloudUrl(account, id, 'publish'), {}),
  }
}

/** The channel answers with a URL of the file, as for media. */
async function readDefinition(exchange: CloudExchange, account: ChannelAccount, id: string) {
  const url = cloudUrl(account, id, 'assets')
  const listed = await exchange(account, { method: 'GET', url }, ({ data }) =>
    Array.isArray(data) ? { address: addressIn(data) } : null,
  )
  if (!listed.ok) return listed
  const { address } = listed.value
  if (address === null) return { ok: true, value: null } as const
  if (!mayHaveToken(address, account.apiUrl)) {
    const error = noAnswer('The channel named an address without encryption', null)
    return { ok: false, error } as const
  }
  const request = { method: 'GET', url: address, answerBytesMax: definitionBytesMax } as const
  return exchange(account, request, (definition) =>
    cleanRecord(definition, 0, { values: Infinity, characters: Infinity }),
  )
}

function addressIn(assets: unknown[]): string | null {
  const asset = assets.filter(isRecord).find((one) => one.asset_type === 'FLOW_JSON')
  const url = asset?.download_url
  return typeof url === 'string' && url.length <= urlLengthMax ? url : null
}

function formOf(definition: string) {
  const { head, tail, contentType } = formAround(
    { name: 'flow.json', asset_type: 'FLOW_JSON' },
    { filename: 'flow.json', mimeType: 'application/json' },
  )
  return { body: `${head}${definition}${tail}`, headers: { 'Content-Type': contentType } }
}

/** The flow; null when a required member is missing. */
function readFlow(raw: unknown): ChannelFlow | null {
  if (!isRecord(raw)) return null
  const [id, name, status] = [idOf(raw.id), wordOf(raw.name), wordOf(raw.status)]
  if (id === null || name === null || status === null) return null
  const given = Array.isArray(raw.categories) ? raw.categories.slice(0, categoriesMax) : []
  const categories = given.flatMap((category) => wordOf(category) ?? [])
  const faults = faultsOf(raw.validation_errors)
  return { id, name, status: status.toUpperCase(), categories, faults }
}

function faultsOf(raw: unknown): ChannelFlowFault[] {
  const list = Array.isArray(raw) ? raw.filter(isRecord).slice(0, faultsMax) : []
  return list.map(({ error, message, pointers }) => {
    const first: unknown = Array.isArray(pointers) ? pointers[0] : undefined
    return {
      error: wordOf(error) ?? 'UNKNOWN',
      pointer: pointerOf(isRecord(first) ? first.path : undefined),
      message: wordOf(message) ?? '',
    }
  })
}

/** Converts the channel's notation, `screens[0].layout`, to a JSON pointer. */
function pointerOf(path: unknown): string {
  const steps = (wordOf(path) ?? '').replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  return steps.flatMap((step) => (step === '' ? [] : [`/${step}`])).join('')
}

/** An id that cannot be stored whole could never be found again. */
function idOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\w.:-]{1,100}$/.test(text) ? text : null
}

function wordOf(value: unknown): string | null {
  return readLine(value, wordLengthMax)
}
