import { updateByRules } from '../../flows/built-in.ts'
import type { Field, Form } from '../../flows/forms/form.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'

/** A field in a line: `Label: kind?(choices)[least..most]{hint}=initial when name is choice`. */
function told(field: Field): string {
  const { label, kind, isRequired, choices, least, most, hint, initial, when } = field
  const isBound = least !== undefined || most !== undefined
  return [
    `${label}: ${kind}${isRequired ? '' : '?'}`,
    choices.length > 0 ? `(${choices.join('|')})` : '',
    isBound ? `[${least ?? ''}..${most ?? ''}]` : '',
    hint === undefined ? '' : `{${hint}}`,
    initial === undefined ? '' : `=${initial}`,
    when === undefined ? '' : ` when ${when.name} is ${when.among.join('|')}`,
  ].join('')
}

/** The fields that stand on screens, from the first: `name, email | date`. */
function screensOf({ fields }: Form): string {
  const sections = [...new Set(fields.map(({ section }) => section))]
  return sections
    .map((at) => fields.filter(({ section }) => section === at).map(({ name }) => name))
    .map((names) => names.join(', '))
    .join(' | ')
}

/**
 * What an instruction changes in a form, as lines: fields that are new, with their places, or other than before, `-name`
 * of those that are gone, the order and the screens where these differ, and what stands around the fields; `refused` where it is.
 */
export function changesBy(definition: unknown, instruction: string): string[] {
  const before = recoverForm(definition)
  const updated = updateByRules(definition, instruction)
  const after = recoverForm(updated)
  if (!before || !after) return ['refused']
  const former = new Map(before.fields.map((field) => [field.name, field]))
  const names = new Set(after.fields.map(({ name }) => name))
  const isOther = (field: Field) => {
    const old = former.get(field.name)
    return old === undefined || told(old) !== told(field)
  }
  // Where a new field stands, unless behind all that were there.
  const placeOf = (field: Field) => {
    const at = after.fields.indexOf(field)
    const isLast = after.fields.slice(at).every(({ name }) => !former.has(name))
    if (former.has(field.name) || isLast) return ''
    return at === 0 ? ' first' : ` after ${after.fields[at - 1]?.name}`
  }
  const changes = [
    ...after.fields.filter(isOther).map((field) => told(field) + placeOf(field)),
    ...before.fields.filter(({ name }) => !names.has(name)).map(({ name }) => `-${name}`),
  ]
  const orderOf = ({ fields }: Form, others: Form) =>
    fields
      .map(({ name }) => name)
      .filter((name) => others.fields.some((other) => other.name === name))
      .join(', ')
  const isMoved = orderOf(before, after) !== orderOf(after, before)
  const isDivided = screensOf(before).includes(' | ') || screensOf(after).includes(' | ')
  const around = (['title', 'note', 'button'] as const)
    .filter((key) => before[key] !== after[key])
    .map((key) => `${key}: ${after[key] ?? ''}`)
  return [
    ...changes,
    ...(isMoved && !isDivided ? [`order: ${orderOf(after, before)}`] : []),
    ...(isDivided && screensOf(before) !== screensOf(after)
      ? [`screens: ${screensOf(after)}`]
      : []),
    ...around,
    ...(before.isReviewed === after.isReviewed ? [] : [`reviewed: ${after.isReviewed}`]),
  ]
}
