import { ownerOf } from '../words/owners.ts'
import { isOfKnown } from '../words/sentences.ts'
import { inWords, type Row, wishOf, withOwners } from './rows.ts'

type Value = Record<string, unknown>

const LABELS = ['label', 'title', 'question', 'q', 'text', 'etiqueta', 'pregunta']
const NAMES = ['name', 'key', 'id', 'field', 'nombre', 'campo']
const TYPES = ['format', 'type', 'kind', 'input', 'tipo']
const CHOICES = ['enum', 'options', 'choices', 'answers', 'values', 'opciones', 'respuestas']
const SCREENS = ['screens', 'steps', 'pages', 'sections', 'pantallas', 'pasos']
const FIELDS = ['fields', 'questions', 'inputs', 'properties', 'campos', 'preguntas']
const TELLING = ['required', 'optional', 'default', 'min', 'max', 'minlength', 'maxlength']
const HINTS = [
  'hint',
  'help',
  'helptext',
  'help_text',
  'helper',
  'helpertext',
  'helper_text',
  'placeholder',
  'ayuda',
]
/** Examples of values: "2026-11-21", "+44 20 7946 0958". */
const DAY = /^\d{4}-\d\d-\d\d/
const NUMBERED = /^\+?[\d ().-]{6,}$/
/** As many answers as a scale may have. */
const SCALE_MAX = 20

/** Whether a value has members by their names. */
export function isObject(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The fields of each screen that a value describes: a list of names, or of objects with the name, type and choices of
 * each field, such lists under `fields` or `screens`, the names of fields with their types or examples, or a JSON Schema.
 */
export function screensOf(wrapped: unknown): Row[][] {
  const value = withoutWrapping(wrapped)
  const screens = isObject(value) ? firstOf(value, SCREENS) : undefined
  if (!Array.isArray(screens) || !screens.some(isObject)) return withOwners([rowsOf(value)])
  const listed = screens.filter(isObject).map((screen) => {
    const title = ownerOf(textOf(screen, [...LABELS, ...NAMES]))
    return ofOwner(title, rowsOf(firstOf(screen, FIELDS)))
  })
  return withOwners(listed)
}

/** The title that a value gives to its form; '' without one. */
export function titleOf(wrapped: unknown): string {
  const value = withoutWrapping(wrapped)
  return isForm(value) ? textOf(value, ['title', 'título']) : ''
}

function isForm(value: unknown): value is Value {
  return isObject(value) && firstOf(value, [...FIELDS, ...SCREENS]) !== undefined
}

/** What stands under the only name: "form: …". */
function withoutWrapping(value: unknown): unknown {
  const [inner, other] = isObject(value) ? Object.values(value) : []
  if (isForm(value) || other !== undefined) return value
  return isForm(inner) || (Array.isArray(inner) && inner.some(isObject)) ? inner : value
}

function rowsOf(value: unknown): Row[] {
  if (Array.isArray(value)) return isOfNames(value) ? value.flatMap((one) => rowFrom(one, '')) : []
  if (!isObject(value)) return []
  const fields = firstOf(value, FIELDS)
  if (Array.isArray(fields)) return rowsOf(fields)
  const properties = isObject(fields) ? fields : value
  const required = firstOf(value, ['required'])
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
  const none = { type: '', isRequired: null, choices: '', limits: [], hint: '', initial: '' }
  const bare: Row = { label: key, name: key, ...none }
  if (key === '' && typeof value === 'string') {
    return [{ ...bare, label: value, name: /^[a-z]\S*$/.test(value) ? value : null }]
  }
  if (Array.isArray(value)) return key === '' ? [] : [{ ...bare, choices: listOf(value) }]
  if (!isObject(value)) return key === '' ? [] : [{ ...bare, type: typeOf(value) }]
  if (key !== '' && isOfExamples(value)) return ofOwner(key, rowsOf(value))
  if (isObject(firstOf(value, ['properties']))) return ofOwner(key, rowsOf(value))
  const name = key === '' ? textOf(value, NAMES) : key
  const label = textOf(value, LABELS) || name
  if (!/\p{L}/u.test(label)) return []
  const of = firstOf(value, ['items'])
  const items = isObject(of) ? of : value
  const choices = listOf(firstOf(items, CHOICES) ?? firstOf(value, CHOICES)) || scaleOf(value)
  return [
    {
      label,
      name: name || null,
      type: textOf(value, TYPES),
      isRequired: isRequired(value),
      choices,
      limits: limitsOf(value, choices !== ''),
      hint: textOf(value, HINTS),
      initial: initialOf(value),
    },
  ]
}

/** Whether an object is not the description of a field, but has fields itself, with an example or a type of each. */
function isOfExamples(value: Value): boolean {
  const keys = Object.keys(value).map((key) => key.toLowerCase())
  const isTold = [TYPES, LABELS, CHOICES, HINTS, TELLING].some((told) =>
    told.some((key) => keys.includes(key)),
  )
  return keys.length > 1 && !isTold
}

/** The same rows, which are those of someone or something: "sender" has a name and a phone. */
function ofOwner(key: string, rows: Row[]): Row[] {
  return key === '' ? rows : rows.map((row) => ({ ...row, owner: row.owner ?? key }))
}

/** What a field is told to be by its type in words, or by an example of a value. */
function typeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? '' : typeof value
  if (DAY.test(value)) return 'date'
  return NUMBERED.test(value) ? '' : value
}

/** The member under the first of the keys that there is, however it is capitalised. */
function firstOf(value: Value, keys: string[]): unknown {
  const members = new Map(Object.entries(value).map(([key, of]) => [key.toLowerCase(), of]))
  return keys.map((key) => members.get(key)).find((found) => found !== undefined)
}

/** The first text under one of the keys; of several, as of the types ["string", "null"], the first. */
function textOf(value: Value, keys: string[]): string {
  const found = keys.flatMap((key) => firstOf(value, [key])).find((one) => typeof one === 'string')
  return typeof found === 'string' ? found.trim() : ''
}

function isRequired(value: Value): boolean | null {
  const wish = (key: string) => {
    const said = firstOf(value, [key])
    return typeof said === 'boolean' || typeof said === 'string' ? wishOf(String(said)) : null
  }
  const isOptional = wish('optional')
  return wish('required') ?? (isOptional === null ? null : !isOptional)
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

function initialOf(value: Value): string {
  const initial = firstOf(value, [
    'default',
    'defaultvalue',
    'default_value',
    'initial',
    'initialvalue',
  ])
  if (typeof initial === 'boolean') return initial ? 'Yes' : 'No'
  return typeof initial === 'string' || typeof initial === 'number' ? String(initial).trim() : ''
}

/** How much the answer may be; a range of choices is none. */
function limitsOf(value: Value, isChosen: boolean): string[] {
  const bound = (keys: string[]) => {
    const found = firstOf(value, keys)
    return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : null
  }
  const said = (words: string, amount: number | null, of: string) =>
    amount === null ? [] : [`${words} ${amount}${of}`]
  const [low, high] = [bound(['minimum', 'min']), bound(['maximum', 'max'])]
  const range = low !== null && high !== null && high > low ? [`${low}-${high}`] : null
  return [
    ...said('min', bound(['minlength', 'min_length', 'minchars']), ' characters'),
    ...said('max', bound(['maxlength', 'max_length', 'maxchars']), ' characters'),
    ...said('choose at least', bound(['minitems', 'min_items']), ''),
    ...said('choose at most', bound(['maxitems', 'max_items']), ''),
    ...(isChosen ? [] : (range ?? [...said('min', low, ''), ...said('max', high, '')])),
  ]
}

/** "1-5", for a number with so few answers that one may choose between them. */
function scaleOf({ minimum, maximum, min, max }: Value): string {
  const [low, high] = [minimum ?? min, maximum ?? max]
  if (typeof low !== 'number' || typeof high !== 'number') return ''
  return low >= 0 && high > low && high - low < SCALE_MAX && high < 100 ? `${low}-${high}` : ''
}
