/** One record of a CSV file with the line on which it begins, or the reason why that line is malformed. */
export type CsvRow = { line: number; cells: string[] } | { line: number; reason: string }

type Line = { line: number; text: string; isTooLong: boolean }

const LINE_LENGTH_MAX = 65_536
/** How many lines a quoted cell may span. */
const SPAN_MAX = 20

/**
 * Reads UTF-8 text record by record; blank lines are skipped. Cells are separated by commas, or by semicolons or tabs
 * where the first line has these and no commas, as spreadsheets write it in many countries. A quoted cell may span
 * several lines. A quote that is never closed spoils its own line alone: the lines after it are read on their own, as
 * is any line that `isWhole` accepts as a record by itself.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array | string>,
  isWhole: (cells: string[]) => boolean,
): AsyncGenerator<CsvRow> {
  const lines = readLines(chunks)
  const ahead: Line[] = []
  const peek = async (index: number): Promise<Line | undefined> => {
    while (ahead.length <= index) {
      const next = await lines.next()
      if (next.done) return undefined
      ahead.push(next.value)
    }
    return ahead[index]
  }
  let separator: Separator | undefined
  for (let first = await peek(0); first; first = await peek(0)) {
    if (first.text.trim() !== '') separator ??= separatorIn(first.text)
    const cellsOf = SPLITTERS[separator ?? ',']
    const { row, count } = await readRow(first, peek, { isWhole, cellsOf })
    ahead.splice(0, count)
    if ('reason' in row || row.cells.some((cell) => cell !== '')) yield row
  }
}

type Peek = (index: number) => Promise<Line | undefined>

type Reading = { isWhole: (cells: string[]) => boolean; cellsOf: CellsOf }

async function readRow(first: Line, peek: Peek, { isWhole, cellsOf }: Reading) {
  const { line } = first
  const fail = (reason: string) => ({ row: { line, reason }, count: 1 })
  if (first.isTooLong) return fail(`is longer than ${LINE_LENGTH_MAX} characters`)
  let text = first.text
  let cells = cellsOf(text)
  for (let count = 1; cells === 'open' && count < SPAN_MAX; count++) {
    const next = await peek(count)
    if (!next || next.isTooLong || text.length + next.text.length > LINE_LENGTH_MAX) break
    const alone = cellsOf(next.text)
    if (Array.isArray(alone) && isWhole(alone)) break
    text += `\n${next.text}`
    cells = cellsOf(text)
    if (Array.isArray(cells) && isWhole(cells)) return { row: { line, cells }, count: count + 1 }
  }
  const own = cellsOf(first.text)
  if (own === 'open') return fail('opens a quote and does not close it')
  if (own === 'broken') return fail('holds text after a closing quote')
  return { row: { line, cells: own }, count: 1 }
}

/** The trimmed cells of one record; `open` when its last quote is not closed. */
type CellsOf = (text: string) => string[] | 'open' | 'broken'
type Separator = ',' | ';' | '\t'

function separatorIn(header: string): Separator {
  const names = header.replaceAll(/"[^"]*"/g, '')
  return ([',', ';', '\t'] as const).find((one) => names.includes(one)) ?? ','
}

const SPLITTERS: Record<Separator, CellsOf> = {
  ',': createSplitter(',', '[ \\t]*'),
  ';': createSplitter(';', '[ \\t]*'),
  '\t': createSplitter('\t', ' *'),
}

function createSplitter(separator: Separator, blanks: string): CellsOf {
  const quotedCell = new RegExp(`${blanks}"([^"]*(?:""[^"]*)*)"${blanks}(?=${separator}|$)`, 'y')
  const openCell = new RegExp(`${blanks}"[^"]*(?:""[^"]*)*$`, 'y')
  const bareCell = new RegExp(`(?!${blanks}")[^${separator}\\n]*(?=${separator}|$)`, 'y')
  return (text) => {
    const cells: string[] = []
    for (let at = 0; at <= text.length; at++) {
      const quoted = matchAt(quotedCell, text, at)
      const found = quoted ?? matchAt(bareCell, text, at)
      if (!found) return matchAt(openCell, text, at) ? 'open' : 'broken'
      cells.push((quoted?.[1]?.replaceAll('""', '"') ?? found[0]).trim())
      at += found[0].length
    }
    return cells
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Lines with their numbers, for any line ending; a line that is too long is cut. */
async function* readLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line> {
  const decoder = new TextDecoder()
  let current: Line = { line: 1, text: '', isTooLong: false }
  let endedInReturn = false
  const add = (part: string) => {
    if (current.text.length + part.length > LINE_LENGTH_MAX) current.isTooLong = true
    else current.text += part
  }
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text === '') continue
    const parts = (endedInReturn && text.startsWith('\n') ? text.slice(1) : text).split(
      /\r\n|\r|\n/,
    )
    endedInReturn = text.endsWith('\r')
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        yield current
        current = { line: current.line + 1, text: '', isTooLong: false }
      }
      add(part)
    }
  }
  add(decoder.decode())
  yield current
}
