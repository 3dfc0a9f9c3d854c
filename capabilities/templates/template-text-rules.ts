import type { Schema } from '../../core/contract.ts'
import type { RequestFault } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import {
  distinctVariables,
  namedFaults,
  type ParameterFormat,
  positionalFaults,
  variableFaults,
  variablesIn,
} from './template-variable-rules.ts'

type Header = Schema<'TemplateHeaderComponent'>
type Body = Schema<'TemplateBodyComponent'>
type Footer = Schema<'TemplateFooterComponent'>

const AT_EDGE = /^\s*\{\{[^{}]*\}\}|\{\{[^{}]*\}\}\s*$/
const ADJACENT = /\}\}\s*\{\{/
/** Markdown: text between two asterisks, underscores or tildes at the edges of words. */
const MARKDOWN = /(?<!\w)([*_~])(?=\S)[^*_~\n]*[^\s*_~]\1(?!\w)|```/

/** Longer texts are reported as too long, and not checked for anything else. */
const LOOKED_AT_CHARACTERS = 10_000

/** Whether a text is too long to be checked for anything else. */
export function isEndless(text: string): boolean {
  return text.length > LOOKED_AT_CHARACTERS
}

/** Faults of a header, which is a text, a medium or a location. */
export function headerFaults(
  path: string,
  header: Header,
  format: ParameterFormat,
): RequestFault[] {
  if (header.format === undefined) return [{ path: `${path}.format`, message: 'is required' }]
  if (header.format === 'TEXT') return textHeaderFaults(path, header, format)
  const { text, example = {} } = header
  const faults =
    text === undefined ? [] : [{ path: `${path}.text`, message: 'goes with TEXT only' }]
  if (header.format === 'LOCATION') {
    const isShown = header.example !== undefined
    const message = 'must be left out: the place is given with each send'
    return isShown ? [...faults, { path: `${path}.example`, message }] : faults
  }
  const at = `${path}.example.header_handle`
  const { header_handle: handles = [], ...others } = example
  const [handle = ''] = handles
  if (handles.length !== 1 || handle === '') {
    const message = 'must hold one handle from POST /v1/templates/header-sample'
    faults.push({ path: at, message })
  }
  return [...faults, ...unknownMembers(`${path}.example`, others)]
}

function textHeaderFaults(path: string, header: Header, format: ParameterFormat): RequestFault[] {
  const at = `${path}.text`
  const { text = '', example = {} } = header
  if (text.trim() === '') return [{ path: at, message: 'is required' }]
  const tooLong = lengthFaults(at, text, LIMITS.templateHeaderCharacters)
  if (isEndless(text)) return tooLong
  const faults = [...tooLong, ...variableFaults(at, text, format)]
  if (/[\r\n]/.test(text)) faults.push({ path: at, message: 'must be one line' })
  if (MARKDOWN.test(text)) faults.push({ path: at, message: 'must not be formatted' })
  const variables = distinctVariables(text, format)
  if (variablesIn(text).length > 1) {
    faults.push({ path: at, message: 'must hold at most one variable' })
  }
  const { header_text: positional, header_text_named_params: named, ...others } = example
  const inOrder = format === 'POSITIONAL'
  return [
    ...faults,
    ...(inOrder
      ? positionalFaults(`${path}.example.header_text`, variables, positional)
      : namedFaults(`${path}.example.header_text_named_params`, variables, named)),
    ...unknownMembers(`${path}.example`, {
      ...others,
      ...(inOrder ? { header_text_named_params: named } : { header_text: positional }),
    }),
  ]
}

/** Faults of a body whose text is the project's own. */
export function bodyFaults(path: string, body: Body, format: ParameterFormat): RequestFault[] {
  const at = `${path}.text`
  const { text = '', example = {}, add_security_recommendation: recommends } = body
  const faults: RequestFault[] = []
  if (recommends !== undefined) {
    const message = 'goes with AUTHENTICATION only'
    faults.push({ path: `${path}.add_security_recommendation`, message })
  }
  if (text.trim() === '') return [...faults, { path: at, message: 'is required' }]
  faults.push(...lengthFaults(at, text, LIMITS.templateBodyCharacters))
  if (isEndless(text)) return faults
  faults.push(...variableFaults(at, text, format))
  if (AT_EDGE.test(text)) {
    faults.push({ path: at, message: 'must neither start nor end with a variable' })
  }
  if (ADJACENT.test(text)) {
    faults.push({ path: at, message: 'must have words or punctuation between two variables' })
  }
  const variables = distinctVariables(text, format)
  const { body_text: rows, body_text_named_params: named, ...others } = example
  const inOrder = format === 'POSITIONAL'
  return [
    ...faults,
    ...(inOrder
      ? rowFaults(`${path}.example.body_text`, variables, rows)
      : namedFaults(`${path}.example.body_text_named_params`, variables, named)),
    ...unknownMembers(`${path}.example`, {
      ...others,
      ...(inOrder ? { body_text_named_params: named } : { body_text: rows }),
    }),
  ]
}

/** The channel takes a body's positional examples as one row of a table. */
function rowFaults(path: string, variables: string[], rows: string[][] | undefined) {
  const [row, ...more] = rows ?? []
  if (more.length > 0) return [{ path, message: 'must hold one list of examples' }]
  return positionalFaults(row ? `${path}.0` : path, variables, row)
}

/** Faults of a footer whose text is the project's own. */
export function footerFaults(path: string, footer: Footer): RequestFault[] {
  const at = `${path}.text`
  const { text = '', code_expiration_minutes: minutes } = footer
  const faults: RequestFault[] = []
  if (minutes !== undefined) {
    const message = 'goes with AUTHENTICATION only'
    faults.push({ path: `${path}.code_expiration_minutes`, message })
  }
  if (text.trim() === '') return [...faults, { path: at, message: 'is required' }]
  faults.push(...lengthFaults(at, text, LIMITS.templateFooterCharacters))
  if (/\{\{/.test(text)) faults.push({ path: at, message: 'must hold no variable' })
  return faults
}

/** A fault when a text has more characters than allowed, counted as code points. */
export function lengthFaults(path: string, text: string, charactersMax: number): RequestFault[] {
  return text.length > 2 * charactersMax || [...text].length > charactersMax
    ? [{ path, message: `must have at most ${charactersMax} characters` }]
    : []
}

/** A fault for every member given here; the caller has removed the allowed ones. */
export function unknownMembers(path: string, others: object): RequestFault[] {
  return Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .slice(0, LIMITS.faultsTold)
    .map(([name]) => ({ path: `${path}.${name}`, message: 'is not known here' }))
}
