import { withLimits } from '../spellings/limits.ts'
import { readChoices, readScale } from '../words/lists.ts'
import { isOfKnown } from '../words/sentences.ts'
import { inOneGroup, isChoosing, lineOf, namesOf, type Outline, type Row, wishOf } from './rows.ts'

/** What the columns of a table are called that tell of each thing; a column is the first that its name fits. */
const COLUMNS = {
  type: /^(?:(?:data|input|field) )?(?:type|kind|format|tipo|formato)\b/i,
  required: /^(?:is )?(?:required|mandatory|needed|obligator|requerid)/i,
  optional: /^(?:is )?(?:optional|opcional)/i,
  choices:
    /^(?:(?:possible|allowed|answer) )?(?:options?|choices?|values?|answers?|enum|opciones|valores|respuestas)\b/i,
  label: /^(?:label|question|prompt|etiqueta|pregunta|texto)\b/i,
  hint: /^(?:hint|help(?:er)?(?: ?text)?|placeholder|tooltip|ayuda|texto de ayuda|pista)$/i,
  initial: /^(?:default|initial)(?: value)?$|^(?:valor )?(?:por defecto|predeterminado)$/i,
  most: /^(?:max(?:imum)?\.?(?: ?(?:length|chars|characters|size))?|(?:character )?limit|(?:longitud )?m[aá]xim[oa])$/i,
  least: /^(?:min(?:imum)?\.?(?: ?(?:length|chars|characters|size))?|(?:longitud )?m[ií]nim[oa])$/i,
  name: /^(?:(?:field|column) ?name|fields?|name|key|id|items?|inputs?|data|what|campos?|nombre|clave|datos?)\b/i,
}
type Column = keyof typeof COLUMNS

const CSV_CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g
/** A column that says anything of a thing. */
const REMARKS = /^(?:notes?|remarks?|rules?|validation|constraints?|notas?|observaciones|reglas?)$/i
const NUMBER = /^\d{1,4}$/
const NOTHING = /^(?:-+|–|—|n\/?a|none|any)?$/i

/** A prompt in which tables, Markdown's or those of a spreadsheet or a CSV file, are lists; null without one. */
export function withoutTables(prompt: string): Outline | null {
  const names = new Map<string, string>()
  const lines: string[] = []
  let isFound = false
  for (const part of partsOf(prompt.split('\n'))) {
    const separator = part.length > 1 ? separatorOf(part[0] ?? '') : null
    const rows = separator && rowsOf(part.map((line) => cellsOf(line, separator)))
    isFound ||= rows !== null
    lines.push(...(rows?.map(lineOf) ?? part))
    for (const [name, given] of namesOf(rows ?? [])) names.set(name, given)
  }
  return isFound ? { text: lines.join('\n'), names } : null
}

/** The lines, those together that may be of one table. */
function partsOf(lines: string[]): string[][] {
  const parts: string[][] = []
  for (const line of lines) {
    const last = parts.at(-1)
    const separator = separatorOf(last?.[0] ?? '')
    if (last !== undefined && separator !== null && line.includes(separator)) last.push(line)
    else parts.push([line])
  }
  return parts
}

/** What separates the cells below a line, if that may be the head of a table. */
function separatorOf(line: string): '|' | '\t' | ',' | null {
  if (line.trimStart().startsWith('|')) return '|'
  if (line.includes('\t')) return '\t'
  const titles = line.split(',').map((title) => title.trim())
  const known = titles.filter((title) => columnOf(title) !== null)
  return known.length > 1 && titles.every((title) => known.includes(title) || REMARKS.test(title))
    ? ','
    : null
}

function cellsOf(line: string, separator: string): string[] {
  const cells =
    separator === '|'
      ? line
          .trim()
          .replace(/^\||\|$/g, '')
          .split(/(?<!\\)\|/)
      : separator === ','
        ? [...line.matchAll(CSV_CELL)].map(([, quoted, bare = '']) => quoted ?? bare)
        : line.split(separator)
  return cells.map((cell) =>
    cell
      .replace(/\\\||<br ?\/?>/g, ', ')
      .replace(/\*\*|`/g, '')
      .trim(),
  )
}

/** The things that a table asks for; null when its columns do not tell. */
function rowsOf([head = [], ...body]: string[][]): Row[] | null {
  const things = body.filter((cells) => !cells.every((cell) => /^:?-*:?$/.test(cell)))
  const columns = head.map(columnOf)
  const at = columns.includes('label') ? columns.indexOf('label') : columns.indexOf('name')
  const hasOthers = columns.some((column) => column !== null && column !== 'name')
  if (!hasOthers && head.length > 1 && (things.length === 0 || isOfKnown(head.join(', ')))) {
    return head.filter((label) => label !== '').map((label) => rowFor({ label }))
  }
  if (at < 0 || things.length === 0) return null
  return things
    .map((cells) => rowAt(cells, columns, at))
    .filter(({ label }) => /\p{L}/u.test(label))
}

function columnOf(title: string): Column | null {
  const columns = Object.keys(COLUMNS) as Column[]
  return columns.find((column) => COLUMNS[column].test(title)) ?? null
}

function rowAt(cells: string[], columns: (Column | null)[], at: number): Row {
  const cell = (column: Column) => cells[columns.indexOf(column)] ?? ''
  const label = (cells[at] ?? '').replace(/\s*\*$/, '')
  const name = at === columns.indexOf('label') ? cell('name') : label
  const remarks = cells.filter((_, index) => (columns[index] ?? null) === null)
  const isChosen = isChoosing(cell('type'))
  const isList = (text: string) => isChosen && readChoices(text).length > 1
  const listed = [
    cell('choices'),
    ...remarks.filter((text) => isList(text) || readScale(text) !== null),
  ]
  const wishes = [wishOf(cell('required')), ...remarks.filter(isWord).map(wishOf)]
  const sizes = [
    NUMBER.test(cell('least')) ? `min ${cell('least')} characters` : '',
    NUMBER.test(cell('most')) ? `max ${cell('most')} characters` : '',
  ]
  const isStarred = label !== cells[at] ? true : null
  return rowFor({
    label,
    name: /^[a-z]\S*$/.test(name) ? name : null,
    type: NOTHING.test(cell('type')) ? '' : cell('type'),
    choices: inOneGroup(listed.find((text) => !NOTHING.test(text)) ?? ''),
    isRequired: not(wishOf(cell('optional'))) ?? wishes.find((wish) => wish !== null) ?? isStarred,
    limits: [...sizes.filter(Boolean), ...remarks.filter(isLimit)],
    hint: NOTHING.test(cell('hint')) ? '' : cell('hint'),
    initial: NOTHING.test(cell('initial')) ? '' : cell('initial'),
  })
}

/** Whether a remark is one of the words for what must be, or need not be, filled in. */
function isWord(remark: string): boolean {
  return /^\p{L}{3,}$/u.test(remark)
}

/** Whether a remark says how much the answer may be, or something to customers: "as on the passport". */
function isLimit(remark: string): boolean {
  const group = `(${inOneGroup(remark)})`
  return withLimits(group) !== group
}

function not(wish: boolean | null): boolean | null {
  return wish === null ? null : !wish
}

function rowFor(row: Partial<Row> & { label: string }): Row {
  return {
    name: null,
    type: '',
    isRequired: null,
    choices: '',
    limits: [],
    hint: '',
    initial: '',
    ...row,
  }
}
