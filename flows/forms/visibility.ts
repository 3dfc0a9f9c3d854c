import type { Raw } from '../rules/faults.ts'
import { type Condition, type Field, type Form, type Language } from './form.ts'
import { HINT_CHARACTERS, isPicker } from './form.ts'

/** What the channel's expressions could not quote, or what would end them. */
const UNQUOTABLE = /['`\\$]/

/**
 * The form with those conditions only that its screens can heed: of a choice that was offered before, on a screen
 * that shows something else as well. Where there is none, the field is shown to everybody, who may leave it out.
 */
export function withHeeded(form: Form): Form {
  const { fields } = form
  if (fields.every(({ when }) => when === undefined)) return form
  const sections = fields.map(({ section }) => section)
  const heeded = fields.map((field, at) => {
    const of = fields.findIndex(({ name }) => name === field.when?.name)
    const before = fields[of]
    const isAhead =
      of >= 0 && of < at && sections.indexOf(sections[of] ?? 0) <= sections.indexOf(field.section)
    return isAhead && before ? heedable(field, before) : undefined
  })
  const isShown = (field: Field, at: number) =>
    heeded[at] === undefined && field.kind !== 'consent' && !isPicker(field)
  const seen = new Set(fields.filter(isShown).map(({ section }) => section))
  return {
    ...form,
    fields: fields.map((field, at) => {
      const { when, ...always } = field
      const condition = seen.has(field.section) ? heeded[at] : undefined
      if (condition !== undefined) return { ...always, when: condition }
      return when === undefined ? field : forEverybody(field, fields, form.language)
    }),
  }
}

const ONLY: Record<Language, string> = { en: 'Only if', es: 'Solo si' }

/** A field that nobody needs to fill in, and what customers are told of who should. */
function forEverybody(field: Field, fields: Field[], language: Language): Field {
  const { when, ...always } = field
  const of = fields.find(({ name }) => name === when?.name)
  const among = of?.choices.filter((choice) => when?.among.includes(choice)) ?? []
  const hint = `${ONLY[language]}: ${among.join(' / ')}`
  const isTold = among.length > 0 && field.hint === undefined && hint.length <= HINT_CHARACTERS
  return { ...always, isRequired: false, ...(isTold && { hint }) }
}

/** The condition of a field, as far as it is about choices of the one before it. */
function heedable(field: Field, before: Field): Condition | undefined {
  if (before.kind !== 'one_of' || field.kind === 'consent' || isPicker(field)) return undefined
  const { name, among = [] } = field.when ?? {}
  const known = before.choices.filter((choice) => among.includes(choice))
  const isAny = known.length === before.choices.length
  if (name === undefined || known.length === 0 || isAny) return undefined
  return known.some((choice) => UNQUOTABLE.test(choice)) ? undefined : { name, among: known }
}

/** Whether an answer, to which a reference leads, is among some choices, as the channel's expressions say it. */
export function isAmong(reference: string, choices: readonly string[]): string {
  const [only, ...others] = choices.map((choice) => `${reference} == '${choice}'`)
  return others.length === 0 ? `${only}` : [only, ...others].map((one) => `(${one})`).join(' || ')
}

/** Components that are shown only if a condition holds. */
export function shownIf(condition: string | undefined, components: Raw[]): Raw[] {
  return condition === undefined
    ? components
    : components.map((one) => ({ ...one, visible: `\`${condition}\`` }))
}

const COMPARED = /\$\{(?:screen\.[A-Za-z_]+\.)?form\.([^}]+)\} == '([^']*)'/g

/** The condition under which a component is shown; undefined for one that everybody sees. */
export function conditionIn({ visible }: Raw): Condition | undefined {
  if (typeof visible !== 'string') return undefined
  const compared = [...visible.matchAll(COMPARED)]
  const name = compared[0]?.[1]
  return name === undefined
    ? undefined
    : { name, among: compared.map(([, , choice = '']) => choice) }
}
