import { inWords, lineOf, namesOf, type Outline, type Row } from './rows.ts'
import { SECTION } from './sections.ts'
import { isOfKnown } from './sentences.ts'

type Value = Record<string, unknown>

const LABELS = ['label', 'title', 'question', 'text', 'etiqueta', 'pregunta']
const NAMES = ['name', 'key', 'id', 'field', 'nombre', 'campo']
const TYPES = ['format', 'type', 'kind', 'input', 'tipo']
const CHOICES = ['enum', 'options', 'choices', 'values', 'opciones']
const SCREENS = ['screens', 'steps', 'pages', 'sections', 'pantallas', 'pasos']
const FIELDS = ['fields', 'questions', 'inputs', 'properties', 'campos', 'preguntas']
/** Examples of values: "2026-11-21", "+44 20 7946 0958". */
const DAY = /^\d{4}-\d\d-\d\d/
const NUMBERED = /^\+?[\d ().-]{6,}$/
/** As many answers as a scale may have. */
const SCALE_MAX = 20

/**
 * A prompt in which a form written as JSON is a list: an array of names or of objects with the name, type and choices
 * of each field, such arrays under `fields` or `screens`, the names of fields with their types or examples, or a JSON
 * Schema. Null without one.
 */
export function withoutJson(prompt: string): Outline | null {
  const start = prompt.search(/[[{]/)
  const end = Math.max(prompt.lastIndexOf(']'), prompt.lastIndexOf('}')) + 1
  const value = start < 0 ? null : parsed(prompt.slice(start, end))
  const screens = value === null ? [] : screensOf(value)
  const rows = screens.flat()
  if (rows.length === 0 && !isObject(value)) return null
  const isForm = isObject(value) && firstOf(value, [...FIELDS, ...SCREENS]) !== undefined
  const title = isForm ? textOf(value, ['title', 'título']) : ''
  const lines = screens.flatMap((screen) => [
    ...(screens.length > 1 ? [SECTION] : []),
    ...screen.map(lineOf),
  ])
  const fence = /```\w*/g
  const [before, after] = [prompt.slice(0, start), prompt.slice(end)].map((part) =>
    part.replace(fence, ''),
  )
  const text = [title === '' ? '' : `Title: "${title}"`, before, ...lines, after].join('\n')
  return { text, names: namesOf(rows) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of each screen; none where there are no fields. */
function screensOf(value: unknown): Row[][] {
  const screens = isObject(value) ? firstOf(value, SCREENS) : undefined
  if (!Array.isArray(screens)) return [rowsOf(value)]
  return screens.map((screen) => (isObject(screen) ? rowsOf(firstOf(screen, FIELDS)) : []))
}

function rowsOf(value: unknown): Row[] {
  if (Array.isArray(value)) return isOfNames(value) ? value.flatMap((one) => rowFrom(one, '')) : []
  if (!isObject(value)) return []
  const fields = firstOf(value, FIELDS)
  if (Array.isArray(fields)) return rowsOf(fields)
  const properties = isObject(fields) ? fields : value
  const required = value['required']
  return Object.entries(properties).flatMap(([name, of]) => {
    const rows = rowFrom(of, name)
    const isListed = Array.isArray(required) ? required.includes(name) : null
    return rows.map((row) => ({ ...row, isRequired: isListed ?? row.isRequired }))
  })
}

/** Whether texts in a list are names of fields, and not choices. */
function isOfNames(list: unknown[]): boolean {
  const texts = list.filter((one) => typeof one === 'string')
  return texts.length === 0 || isOfKnown(texts.map(inWords).join(', '))
}

/** The field that a value describes: its name, its type, what one may choose between, or all of that. */
function rowFrom(value: unknown, key: string): Row[] {
  const bare: Row = { label: key, name: key, type: '', isRequired: null, choices: '' }
  if (key === '' && typeof value === 'string') {
    return [{ ...bare, label: value, name: /^[a-z]\S*$/.test(value) ? value : null }]
  }
  if (Array.isArray(value)) return key === '' ? [] : [{ ...bare, choices: listOf(value) }]
  if (!isObject(value)) return key === '' ? [] : [{ ...bare, type: typeOf(value) }]
  if (isObject(value['properties'])) return rowsOf(value)
  const name = key === '' ? textOf(value, NAMES) : key
  const label = textOf(value, LABELS) || name
  if (!/\p{L}/u.test(label)) return []
  const items = isObject(value['items']) ? value['items'] : value
  const choices = listOf(firstOf(items, CHOICES) ?? firstOf(value, CHOICES)) || scaleOf(value)
  return [
    { label, name: name || null, type: textOf(value, TYPES), isRequired: wishOf(value), choices },
  ]
}

/** What a field is told to be by its type in words, or by an example of a value. */
function typeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? '' : typeof value
  if (DAY.test(value)) return 'date'
  return NUMBERED.test(value) ? '' : value
}

function firstOf(value: Value, keys: string[]): unknown {
  return keys.map((key) => value[key]).find((found) => found !== undefined)
}

/** The first text under one of the keys; of several, as of the types ["string", "null"], the first. */
function textOf(value: Value, keys: string[]): string {
  const found = keys.flatMap((key) => value[key]).find((one) => typeof one === 'string')
  return typeof found === 'string' ? found.trim() : ''
}

function wishOf(value: Value): boolean | null {
  const { required, optional } = value
  if (typeof required === 'boolean') return required
  return typeof optional === 'boolean' ? !optional : null
}

/** Choices, given by themselves or as objects, as a list of quotations. */
function listOf(value: unknown): string {
  if (!Array.isArray(value)) return ''
  const given = value.filter((one) => one !== null)
  const texts = given.map((one) =>
    isObject(one) ? textOf(one, [...LABELS, 'value', ...NAMES]) : String(one),
  )
  const bare = texts.map((text) => text.replace(/["()[\]]/g, '').trim()).filter(Boolean)
  return bare.map((text) => `"${text}"`).join(', ')
}

/** "1-5", for a number with so few answers that one may choose between them. */
function scaleOf({ minimum, maximum, min, max }: Value): string {
  const [low, high] = [minimum ?? min, maximum ?? max]
  if (typeof low !== 'number' || typeof high !== 'number') return ''
  return low >= 0 && high > low && high - low < SCALE_MAX && high < 100 ? `${low}-${high}` : ''
}
