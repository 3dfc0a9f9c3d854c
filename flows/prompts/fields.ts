import { capitalised, CHOICES_MAX, CONSENTS_MAX, type Field, FIELDS_MAX } from '../forms/form.ts'
import { type Language, plain, SEVERAL_MAX } from '../forms/form.ts'
import { owned, ownersNeeded } from '../words/owners.ts'
import type { Chosen } from './conditions.ts'
import { type Described, named } from './described.ts'
import type { Reading } from './reading.ts'

/** The described things without what a form is for, "to request room service", where it asks for anything else. */
export function withoutPurposes(described: Described[]): Described[] {
  const others = described.filter(({ isPurpose }) => !isPurpose)
  return others.some(({ isKnown }) => isKnown) ? others : described
}

/**
 * The fields of the described things. When some fields are called required and none optional, all others are optional.
 */
export function fieldsOf(
  { described, all }: Pick<Reading, 'described' | 'all'>,
  language: Language,
  others: Field[],
): Field[] {
  // Whether an agreement is required goes without saying.
  const isMarked = described.some((one) => one.isRequired && one.kind !== 'consent')
  const isSaid = described.some((one) => one.isSaidOptional && one.kind !== 'consent')
  const isContrast = isMarked && !isSaid
  const usual = all === null ? !isContrast : all === 'required'
  const fields = new Map<string, Field>()
  const built = new Map<Chosen, Field>(others.map((field) => [field, field]))
  const owners = withOwners(described, language, others)
  for (const [at, one] of described.entries()) {
    const { said, label } = { ...one, ...owners[at] }
    const isRequired = one.isRequired || (one.isOptional ? false : usual || one.kind === 'consent')
    const taken = [...others, ...fields.values()].map(({ name }) => name)
    const key = [plain(said), one.when?.of.label, ...(one.when?.among ?? [])].join('\n')
    const field =
      fields.get(key) ??
      withCondition(named({ ...one, said, label }, taken, isRequired), one, built)
    fields.set(key, field)
    built.set(one, field)
  }
  return [...fields.values()]
}

/** A field with the condition of what was described; where that is about nothing that is asked, it is optional. */
function withCondition(field: Field, { when }: Described, built: Map<Chosen, Field>): Field {
  if (when === undefined) return field
  const of = built.get(when.of)
  return of
    ? { ...field, when: { name: of.name, among: when.among } }
    : { ...field, isRequired: false }
}

/** The things with the names that tell them from others which are called the same: "Sender phone". */
function withOwners(
  described: Described[],
  language: Language,
  others: Field[],
): Pick<Described, 'said' | 'label'>[] {
  const known = others.map(({ label }) => ({ said: label }))
  const owners = ownersNeeded([...known, ...described]).slice(known.length)
  return described.map((one, at) => {
    const owner = owners[at] ?? ''
    if (owner === '' || one.kind === 'consent' || one.label.endsWith('?')) return one
    const of = (words: string) => owned(owner, words, language)
    return { said: of(one.said), label: capitalised(of(one.label)) }
  })
}

/** Whether a form can have so many fields, agreements and choices. */
export function areFitting(fields: Field[]): boolean {
  const consents = fields.filter(({ kind }) => kind === 'consent').length
  return fields.length <= FIELDS_MAX && consents <= CONSENTS_MAX && fields.every(fits)
}

function fits({ kind, choices: { length } }: Field): boolean {
  return length <= (kind === 'some_of' ? SEVERAL_MAX : CHOICES_MAX)
}
