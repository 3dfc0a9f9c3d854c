import type { Field } from '../forms/form.ts'
import { withoutTables } from './grids.ts'
import { withBullets, withoutBoxes } from './layouts.ts'
import { withoutLiterals } from './literals.ts'
import type { Outline } from './rows.ts'

/** A prompt in sentences and lines, with what it holds as data, as a table or as a paper form written out as a list. */
export function outlined(prompt: string): Outline {
  const outline = withoutLiterals(prompt) ?? withoutTables(prompt)
  return outline ?? { text: withBullets(withoutBoxes(prompt)), names: new Map() }
}

/** The fields with the names that a prompt gives to their answers, unless two would have the same name. */
export function withNames(fields: Field[], names: Outline['names']): Field[] {
  const renamed = fields.map((field) => ({ ...field, name: names.get(field.name) ?? field.name }))
  return new Set(renamed.map(({ name }) => name)).size === fields.length ? renamed : fields
}
