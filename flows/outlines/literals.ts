import { parse } from 'yaml'
import { SECTION } from '../spellings/sections.ts'
import { lineOf, namesOf, type Outline } from './rows.ts'
import { isObject, screensOf, titleOf } from './structures.ts'

/** A value that a prompt holds, and where. */
type Literal = { value: unknown; start: number; end: number }

/**
 * A prompt in which a form written as data is a list: JSON, YAML, or a type of TypeScript, as `screensOf` reads them.
 * Null without any.
 */
export function withoutLiterals(prompt: string): Outline | null {
  const literal = jsonIn(prompt) ?? yamlIn(prompt) ?? typeIn(prompt) ?? javascriptIn(prompt)
  if (literal === null) return null
  const { value, start, end } = literal
  const screens = screensOf(value)
  const rows = screens.flat()
  if (rows.length === 0 && !isObject(value)) return null
  const [before, after] = [prompt.slice(0, start), prompt.slice(end)].map((part) =>
    part.replace(/```\w*/g, ''),
  )
  const title = titleOf(value)
  const lines = screens.flatMap((screen) => [
    ...(screens.length > 1 ? [SECTION] : []),
    ...screen.map(lineOf),
  ])
  const text = [title === '' ? '' : `Title: "${title}"`, before, ...lines, after].join('\n')
  return { text, names: namesOf(rows) }
}

function parsed(text: string, by: (text: string) => unknown): unknown {
  try {
    return by(text)
  } catch {
    return null
  }
}

function jsonIn(prompt: string): Literal | null {
  return bracketedIn(prompt, JSON.parse)
}

/** The notation of JavaScript, in which names need no quotation marks. */
const JAVASCRIPT = /^[[{]\s*\{?\s*['"]?\w+['"]?:/

function javascriptIn(prompt: string): Literal | null {
  const read = (text: string): unknown =>
    JAVASCRIPT.test(text) && isShallow(text) ? parse(text, YAML) : null
  return bracketedIn(prompt, read)
}

function bracketedIn(prompt: string, read: (text: string) => unknown): Literal | null {
  const start = prompt.search(/[[{]/)
  const end = Math.max(prompt.lastIndexOf(']'), prompt.lastIndexOf('}')) + 1
  const value = start < 0 || end < start ? null : parsed(prompt.slice(start, end), read)
  return value === null ? null : { value, start, end }
}

/** No aliases: a few lines of them stand for more than a machine can hold. */
const YAML = { logLevel: 'silent', prettyErrors: false, maxAliasCount: 0 } as const
const DEPTH_MAX = 8

/** Whether brackets are closed, and nested no deeper than in a form: YAML takes minutes for some that are. */
function isShallow(text: string): boolean {
  let depth = 0
  for (const letter of text) {
    if ('[{'.includes(letter)) depth += 1
    if (']}'.includes(letter)) depth -= 1
    if (depth < 0 || depth > DEPTH_MAX) return false
  }
  return depth === 0
}

const KEY = '[\\p{L}_][\\p{L}\\w-]{0,39}'
/** Where fields begin, each with lines further in that tell of it. */
const YAML_START = new RegExp(
  `^[ \\t]*(?:- )?${KEY}:(?=[^\\n]*\\n(?:- |[ \\t]+(?:- )?)${KEY}:)`,
  'mu',
)
const YAML_TELLING =
  /^[ \t]+(?:- )?(?:type|label|title|question|required|optional|options|choices|enum|format|(?:max|min)_?length|placeholder|hint|tipo|etiqueta|pregunta|opciones): *\S/im
const YAML_LINE = new RegExp(`^ {0,16}(?:- )?(?:${KEY}:(?: +|$))?`, 'u')
const YAML_VALUE = /^(?:\[[^[\]{}]*\]|[\p{L}\d"'(¿+$€£][^[\]{}]*)?$/u
/** Begins another thing on the same line. */
const FURTHER = /(?:^|\s)[-?:](?:\s|$)|:\s/

/** Whether a line is as forms have them: for those that nest more on one line, YAML takes minutes. */
function isYamlLine(line: string): boolean {
  const value = line.replace(YAML_LINE, '').trim()
  return YAML_VALUE.test(value) && !FURTHER.test(value)
}

/** A line behind an empty one, or behind a fence, that belongs to something else. */
const YAML_END = new RegExp(`\\n(?:\`\`\`|[ \\t]*\\n(?![ \\t]*(?:- |${KEY}:)))`, 'u')

function yamlIn(prompt: string): Literal | null {
  const start = YAML_TELLING.test(prompt) ? prompt.search(YAML_START) : -1
  if (start < 0) return null
  const length = prompt.slice(start).search(YAML_END)
  const end = length < 0 ? prompt.length : start + length
  const text = prompt.slice(start, end)
  if (!text.split('\n').every(isYamlLine)) return null
  const value = parsed(text, (yaml) => parse(yaml, YAML))
  return screensOf(value).flat().length === 0 ? null : { value, start, end }
}

const TYPE = /(?:\bexport\s+)?\b(?:interface\s+\w+|type\s+\w+\s*=)\s*\{([^{}]*)\}/
const MEMBER = /^\s*(?:readonly\s+)?(\w+)(\?)?\s*:\s*(\S.*)$/
const COMMENT = /\/\/[^\n]*/g

function typeIn(prompt: string): Literal | null {
  const found = TYPE.exec(prompt)
  if (found === null) return null
  const [whole, body = ''] = found
  const members = body.replace(COMMENT, '').split(/[;,\n]/)
  const fields = members.flatMap((member) => {
    const [, name = '', mark, type = ''] = MEMBER.exec(member) ?? []
    return name === '' ? [] : [[name, { ...kindOf(type.trim()), required: mark === undefined }]]
  })
  return {
    value: Object.fromEntries(fields) as unknown,
    start: found.index,
    end: found.index + whole.length,
  }
}

/** `'S' | 'M'` is a choice, `('S' | 'M')[]` one of several, and `string[]` a text. */
function kindOf(type: string) {
  const choices = [...type.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, other]) => one ?? other)
  const isSeveral = /\[\]$|^(?:Array|Set)</.test(type)
  return choices.length > 1
    ? { enum: choices, type: isSeveral ? 'array' : 'enum' }
    : { type: type.replace('[]', '').toLowerCase() }
}
