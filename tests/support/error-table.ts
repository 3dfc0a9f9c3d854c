import { components } from './document.ts'

const ROW = /^\| `(\w+)` \| (\d+) \| [^|]+ \| ([^|]+) \|$/gm

/** The rows of the contract's table of error codes: what callers are told of each. */
export const ERROR_TABLE = [...(components.schemas.ErrorCode?.description ?? '').matchAll(ROW)].map(
  ([, code = '', status, details = '']) => ({ code, status: Number(status), details }),
)

/** What `details` may hold: their members, and those of each fault in `errors`, as `listed` has them. */
type Shape = { members: string; ofFault: string }

const NONE = '-'
const OF_FAULT = listed(['path', 'message'])
const SHAPES = new Map(ERROR_TABLE.map(({ code, details }) => [code, shapesOf(details)]))

/** Reads what a cell promises: "`errors` each with `text`; or `limit` (at most 9) where it is known; or -". */
function shapesOf(cell: string): Shape[] {
  const parts = cell.replaceAll(/\([^)]*\)/g, '').split('; or ')
  return parts.map((part) => {
    const [members = '', ofFault = OF_FAULT] = part.split(' each with ').map(namesIn)
    return { members, ofFault }
  })
}

function namesIn(text: string): string {
  return listed(text.match(/^-|(?<=`)\w+(?=`)/g) ?? [])
}

function listed(names: string[]): string {
  return names.sort().join(', ')
}

export type Told = { code: string; details?: { errors?: object[] } }

/** Throws when the `details` of a failure lack a member that the table promises, or have another one. */
export function checkDetails({ code, details }: Told): void {
  const members = details ? listed(Object.keys(details)) : NONE
  const faults = details?.errors?.map((fault) => listed(Object.keys(fault)))
  const fits = SHAPES.get(code)?.some(
    (shape) =>
      shape.members === members &&
      faults?.length !== 0 &&
      (faults ?? []).every((fault) => fault === shape.ofFault),
  )
  if (fits) return
  const found = faults ? `${members} (${[...new Set(faults)].join('; ')})` : members
  throw new Error(`The table of error codes does not promise the details of ${code}: ${found}`)
}
