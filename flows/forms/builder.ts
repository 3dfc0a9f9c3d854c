import type { Raw } from '../rules/faults.ts'
import { type Field, type FieldKind, type Form, isPicker, type Language } from './form.ts'
import { shortened } from './form.ts'
import { componentsOf } from './inputs.ts'
import { isAmong, shownIf, withHeeded } from './visibility.ts'

const VERSION = '7.3'
const FIELDS_PER_SCREEN = 5
/** With those that only some customers see. */
const FIELDS_PER_SCREEN_MAX = 15
const REVIEWED_MAX = 15
/** A screen may have 50 components; the heading and the footer take two of them. */
const REVIEW_COMPONENTS_MAX = 48
const TITLE_CHARACTERS = 30

export const REVIEW = 'REVIEW'

export const words: Record<Language, Record<'next' | 'send' | 'review' | 'check', string>> = {
  en: { next: 'Continue', send: 'Send', review: 'Review', check: 'Please check your answers' },
  es: { next: 'Continuar', send: 'Enviar', review: 'Revisión', check: 'Revisa tus respuestas' },
}

type Step = { id: string; fields: Field[] }

/** The definition of a flow that asks for the fields of a form, a few on each screen. */
export function buildDefinition(described: Form): Raw {
  const form = withHeeded(described)
  const steps = stepsOf(form)
  const screens = steps.map((step, index) => {
    const next = steps[index + 1]
    return {
      id: step.id,
      title: titleOf(form, step),
      ...(next ? {} : { terminal: true, success: true }),
      data: {},
      layout: {
        type: 'SingleColumnLayout',
        children: [
          ...(index === 0 && form.note !== undefined
            ? [{ type: 'TextBody', text: form.note }]
            : []),
          ...(step.id === REVIEW ? reviewOf(form, steps) : []),
          ...step.fields.flatMap((field) =>
            shownIf(conditionFor(field, steps, step), componentsOf(field)),
          ),
          footer(form, next ? stepTo(next) : completion(form, steps, step)),
        ],
      },
    }
  })
  return { version: VERSION, screens }
}

/** Agreements come last, when everything else has been filled in. */
function stepsOf({ fields, ...form }: Form): Step[] {
  const consents = fields.filter(({ kind }) => kind === 'consent')
  const sections = [...new Set(fields.map(({ section }) => section))]
  const groups = sections.flatMap((one) =>
    groupsOf(fields.filter(({ section }) => section === one)),
  )
  const last = groups.at(-1)
  // With agreements only, there is nothing to review.
  const isReviewed = form.isReviewed && last !== undefined
  if (!isReviewed && last && !last.some(isPicker)) last.push(...consents)
  else if (!isReviewed && consents.length > 0) groups.push(consents)
  const steps = groups.map((group, index) => ({ id: `STEP_${letters(index)}`, fields: group }))
  return isReviewed ? [...steps, { id: REVIEW, fields: consents }] : steps
}

/** What is on one screen each: a few inputs, or a picker. */
function groupsOf(section: Field[]): Field[][] {
  const plain = section.filter((field) => field.kind !== 'consent' && !isPicker(field))
  const groups: Field[][] = []
  for (const field of plain) {
    const last = groups.at(-1)
    if (last === undefined || isFull(last, field)) groups.push([field])
    else last.push(field)
  }
  return [...groups, ...section.filter(isPicker).map((field) => [field])]
}

/** What depends on an answer stays on the screen of that answer, beside as many fields as it otherwise has. */
function isFull(group: Field[], { when }: Field): boolean {
  const always = group.filter((one) => one.when === undefined)
  return when === undefined
    ? always.length >= FIELDS_PER_SCREEN
    : group.length >= FIELDS_PER_SCREEN_MAX
}

/** The fields with the screen of each, from 0, as their section. */
export function laidOut(form: Form): Field[] {
  const steps = stepsOf(form)
  return form.fields.map((field) => {
    const section = steps.findIndex(({ fields }) => fields.includes(field))
    return section === field.section ? field : { ...field, section }
  })
}

/** A, B, … Z, AA: the ids of screens must not contain digits. */
function letters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : letters(Math.floor(index / 26) - 1) + letter
}

function titleOf({ title, language }: Form, { id }: Step): string {
  return id === REVIEW ? words[language].review : shortened(title, TITLE_CHARACTERS)
}

function footer({ language, button }: Form, action: { name: string } & Raw): Raw {
  const { send, next } = words[language]
  const label = action.name === 'complete' ? (button ?? send) : next
  return { type: 'Footer', label, 'on-click-action': action }
}

function stepTo({ id }: Step) {
  return { name: 'navigate', next: { type: 'screen', name: id }, payload: {} }
}

function completion({ fields }: Form, steps: Step[], last: Step) {
  const named = fields.map(({ name }) => [name, referenceTo(name, steps, last)])
  return { name: 'complete', payload: Object.fromEntries(named) as Raw }
}

/** What must hold for a field to be shown on a screen; undefined where it always is. */
function conditionFor({ when }: Field, steps: Step[], from: Step): string | undefined {
  return when && isAmong(referenceTo(when.name, steps, from), when.among)
}

function referenceTo(name: string, steps: Step[], from: Step): string {
  const step = steps.find(({ fields }) => fields.some((field) => field.name === name))
  return step && step !== from ? `\${screen.${step.id}.form.${name}}` : `\${form.${name}}`
}

const unshown: FieldKind[] = ['some_of', 'consent', 'photo', 'document', 'password']

/**
 * The answers that can be shown as text, as far as there is room beside the agreements; what not everybody was asked,
 * or had to answer, is shown only to those who did.
 */
function reviewOf({ fields, language }: Form, steps: Step[]): Raw[] {
  const last = { id: REVIEW, fields: fields.filter(({ kind }) => kind === 'consent') }
  let room = REVIEW_COMPONENTS_MAX - last.fields.flatMap(componentsOf).length
  const shown: Field[] = []
  for (const field of fields.filter(({ kind }) => !unshown.includes(kind)).slice(0, REVIEWED_MAX)) {
    room -= field.isRequired && !field.when ? 2 : 3
    if (room < 0) break
    shown.push(field)
  }
  const answers = shown.flatMap((field): Raw[] => {
    const { name, label, isRequired } = field
    const reference = referenceTo(name, steps, last)
    const conditions = [
      conditionFor(field, steps, last),
      isRequired ? undefined : `${reference} != ''`,
    ].filter((one) => one !== undefined)
    const texts = [
      { type: 'TextCaption', text: label },
      { type: 'TextBody', text: reference },
    ]
    if (conditions.length === 0) return texts
    const condition = conditions.map((one) => `(${one})`).join(' && ')
    return [{ type: 'If', condition, then: texts }]
  })
  return [{ type: 'TextHeading', text: words[language].check }, ...answers]
}
