import { isRecord } from '../core/json-values.ts'
import type { Channel, ChannelTemplate } from '../core/ports.ts'
import { cloudUrl, nextPageOf, carryOut } from './cloud-request.ts'
import type { CloudExchange } from './cloud-request.ts'
import { cleanValue, readLine } from './text.ts'

type TemplateMethods = Pick<Channel, 'createTemplate' | 'listTemplates' | 'deleteTemplate'>

const fields = 'id,name,language,status,category,components,parameter_format,rejected_reason'
const pageTemplates = 100
/** A page of templates as large as the channel lets them be. */
const pageBytesMax = 8 * 1024 * 1024
const wordLengthMax = 512

/** The templates of an account, over the channel's API. */
export function cloudTemplates(exchange: CloudExchange): TemplateMethods {
  return {
    createTemplate(account, { name, language, category, parameterFormat, components }) {
      const url = cloudUrl(account, account.businessAccountId, 'message_templates')
      const parameter_format = parameterFormat.toLowerCase()
      const body = JSON.stringify({ name, language, category, parameter_format, components })
      return exchange(account, { method: 'POST', url, body }, (answer) => {
        const [id, status] = [idOf(answer.id), wordOf(answer.status)]
        if (id === null || status === null) return null
        const counted = wordOf(answer.category) ?? category
        return { id, status: status.toUpperCase(), category: counted.toUpperCase() }
      })
    },

    listTemplates(account, after) {
      const list = cloudUrl(account, account.businessAccountId, 'message_templates')
      const page = { fields, limit: String(pageTemplates), ...(after === null ? {} : { after }) }
      const url = `${list}?${new URLSearchParams(page).toString()}`
      const request = { method: 'GET', url, answerBytesMax: pageBytesMax } as const
      return exchange(account, request, ({ data, paging }) => {
        if (!Array.isArray(data)) return null
        return { templates: data.flatMap(readTemplate), after: nextPageOf(paging) }
      })
    },

    deleteTemplate(account, { id, name }) {
      const list = cloudUrl(account, account.businessAccountId, 'message_templates')
      const url = `${list}?${new URLSearchParams({ hsm_id: id, name }).toString()}`
      return carryOut(exchange, account, { method: 'DELETE', url })
    },
  }
}

/** The template, or an empty list when a required member is missing. */
function readTemplate(raw: unknown): ChannelTemplate[] {
  if (!isRecord(raw)) return []
  const [id, name, language] = [idOf(raw.id), wordOf(raw.name), wordOf(raw.language)]
  const [status, category] = [wordOf(raw.status), wordOf(raw.category)]
  if (id === null || name === null || language === null || status === null) return []
  const reason = wordOf(raw.rejected_reason)?.toUpperCase() ?? 'NONE'
  const isNamed = wordOf(raw.parameter_format)?.toUpperCase() === 'NAMED'
  return [
    {
      id,
      name,
      language: language.replaceAll('-', '_'),
      status: status.toUpperCase(),
      category: (category ?? 'MARKETING').toUpperCase(),
      parameterFormat: isNamed ? 'NAMED' : 'POSITIONAL',
      components: componentsOf(raw.components),
      rejectionReason: reason === 'NONE' ? null : reason,
    },
  ]
}

function componentsOf(raw: unknown): Record<string, unknown>[] {
  const clean = cleanValue(raw)
  return Array.isArray(clean) ? clean.filter(isRecord) : []
}

/** An id that cannot be stored whole could never be found again. */
function idOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\w.:-]{1,128}$/.test(text) ? text : null
}

function wordOf(value: unknown): string | null {
  return readLine(value, wordLengthMax)
}
