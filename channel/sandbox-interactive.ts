import { isRecord } from '../core/json-values.ts'
import { checkText, checkUnique, first, invalid, missing, wrong } from './sandbox-faults.ts'
import type { Fault } from './sandbox-faults.ts'

type Raw = Record<string, unknown>

/** Checks the object of an interactive message: buttons, a list, a link, a flow. */
export function checkInteractive(interactive: Raw): Fault {
  const { type, header, footer } = interactive
  const body = isRecord(interactive.body) ? interactive.body : {}
  const action = isRecord(interactive.action) ? interactive.action : undefined
  if (!action) return missing('interactive.action')
  const common =
    checkText(body.text, 'interactive.body.text', type === 'list' ? 4096 : 1024) ??
    (isRecord(header) && header.type === 'text'
      ? checkText(header.text, 'interactive.header.text', 60)
      : null) ??
    (isRecord(footer) ? checkText(footer.text, 'interactive.footer.text', 60) : null)
  if (common) return common
  if (type === 'button') return checkButtons(action)
  if (type === 'list') return checkList(action)
  if (type === 'cta_url') return checkLinkButton(action)
  if (type === 'flow') return checkFlow(action)
  if (type === 'location_request_message') return null
  return invalid('interactive.type', 'is not one of the interactive types')
}

function checkButtons({ buttons }: Raw): Fault {
  const name = 'interactive.action.buttons'
  if (!Array.isArray(buttons)) return missing(name)
  if (buttons.length < 1 || buttons.length > 3) return wrong(name, 'must have 1 to 3 entries')
  const fault = first(buttons, (button: unknown, index) => {
    const reply = isRecord(button) && isRecord(button.reply) ? button.reply : {}
    return (
      checkReplyId(reply.id, `${name}[${index}].reply.id`) ??
      checkText(reply.title, `${name}[${index}].reply.title`, 20)
    )
  })
  const replies = buttons.map((button) => (isRecord(button) ? button.reply : undefined))
  return fault ?? checkUnique(replies, 'id', name) ?? checkUnique(replies, 'title', name)
}

function checkReplyId(id: unknown, name: string): Fault {
  const fault = checkText(id, name, 256)
  if (fault || typeof id !== 'string' || id === id.trim()) return fault
  return wrong(name, 'must not begin or end with a space')
}

function checkList({ button, sections }: Raw): Fault {
  const name = 'interactive.action.sections'
  const fault = checkText(button, 'interactive.action.button', 20)
  if (fault) return fault
  if (!Array.isArray(sections)) return missing(name)
  if (sections.length < 1 || sections.length > 10) return wrong(name, 'must have 1 to 10 entries')
  const known = sections.map((section): Raw => (isRecord(section) ? section : {}))
  const untitled = known.some(({ title }) => typeof title !== 'string' || title === '')
  if (known.length > 1 && untitled) return missing(`${name}.title`)
  const rows = known.flatMap((section): unknown[] =>
    Array.isArray(section.rows) ? section.rows : [],
  )
  if (rows.length < 1 || rows.length > 10) return wrong(`${name}.rows`, 'must be 1 to 10 in all')
  return (
    first(known, ({ title }) =>
      title === undefined || title === '' ? null : checkText(title, `${name}.title`, 24),
    ) ??
    first(rows, (row) => checkRow(isRecord(row) ? row : {}, `${name}.rows`)) ??
    checkUnique(rows, 'id', `${name}.rows`)
  )
}

function checkRow(row: Raw, name: string): Fault {
  return (
    checkText(row.id, `${name}.id`, 200) ??
    checkText(row.title, `${name}.title`, 24) ??
    (row.description === undefined || row.description === ''
      ? null
      : checkText(row.description, `${name}.description`, 72))
  )
}

function checkLinkButton(action: Raw): Fault {
  const name = 'interactive.action.parameters'
  const parameters = isRecord(action.parameters) ? action.parameters : {}
  if (action.name !== 'cta_url') return wrong('interactive.action.name', 'must be "cta_url"')
  const fault = checkText(parameters.display_text, `${name}.display_text`, 20)
  if (fault) return fault
  return /^https?:\/\/\S+$/i.test(String(parameters.url))
    ? null
    : wrong(`${name}.url`, 'is not an http or https address')
}

function checkFlow(action: Raw): Fault {
  const name = 'interactive.action.parameters'
  const parameters = isRecord(action.parameters) ? action.parameters : {}
  if (action.name !== 'flow') return wrong('interactive.action.name', 'must be "flow"')
  if (parameters.flow_message_version !== '3') {
    return wrong(`${name}.flow_message_version`, 'must be "3"')
  }
  if ((parameters.flow_id === undefined) === (parameters.flow_name === undefined)) {
    return invalid(name, 'must have exactly one of flow_id and flow_name')
  }
  return checkText(parameters.flow_cta, `${name}.flow_cta`, 30)
}
