import { expect } from '@jest/globals'
import { publishingFaults } from '../../flows/definition.ts'
import type { Field } from '../../flows/forms/form.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { choices, step, type twoScreens } from './flows.ts'

type Raw = Record<string, unknown>

export type Flow = ReturnType<typeof twoScreens>

export const children = (flow: Flow, index = 0) => flow.screens[index]!.layout.children
/** A screen's inputs replaced: what it was given, and its footer. */
export const put =
  (...components: Raw[]) =>
  (flow: Flow) =>
    void children(flow).splice(0, 1, ...components)
/** The first screen with these components and no others. */
export const only =
  (...components: Raw[]) =>
  (flow: Flow) => {
    flow.screens[0]!.layout.children = components
    flow.screens[1]!.data = {}
    children(flow, 1).splice(0, 1)
    const done = children(flow, 1).at(-1)!['on-click-action'] as { payload: Raw }
    done.payload = {}
  }
export const end = { name: 'complete', payload: {} }
export const image = 'aGVsbG8='
export const radio = (more: Raw = {}) => ({
  type: 'RadioButtonsGroup',
  name: 'r',
  label: 'R',
  'data-source': choices(2),
  ...more,
})
export const entry = (more: Raw = {}) => ({ id: 'e', 'main-content': { title: 'E' }, ...more })
export const entries = (...list: Raw[]) => ({
  type: 'NavigationList',
  name: 'n',
  'list-items': list,
})

export function toDetails() {
  return { ...step('DETAILS'), payload: { name: '${form.first_name}' } }
}

export function nested(depth: number): Raw {
  const inner = depth === 1 ? { type: 'TextBody', text: 'Deep' } : nested(depth - 1)
  return { type: 'If', condition: "(${form.first_name} != '')", then: [inner] }
}

export function withFooters(flow: Flow, [then, other]: (Raw | undefined)[]): void {
  const condition = "(${form.first_name} != '')"
  const branches = { then: then ? [then] : [], ...(other ? { else: [other] } : {}) }
  children(flow).splice(-1, 1, { type: 'If', condition, ...branches })
}

export function withCases(flow: Flow, cases: Raw): void {
  children(flow).splice(-1, 1, { type: 'Switch', value: '${form.first_name}', cases })
}

export function carousel() {
  return { type: 'ImageCarousel', images: [{ src: image, 'alt-text': 'x' }] }
}

/** What a described form asks: `name:kind`, with `?` for what is optional and the choices behind. */
export function asked(definition: unknown): string[] {
  const form = recoverForm(definition)
  if (!form) throw new Error('No form was built')
  return form.fields.map(({ name, kind, isRequired, choices }) => {
    const listed = choices.length > 0 ? `(${choices.join('|')})` : ''
    return `${name}:${kind}${isRequired ? '' : '?'}${listed}`
  })
}

/** The prompt of a form with four fields, and the fields as `asked` tells them. */
export const FOUR = 'Form with name, email, phone (optional) and size (S, M, L)'
export const FOUR_FIELDS = [
  'name:text',
  'email:email',
  'phone:phone?',
  'size:one_of(S|M|L)',
] as const

/** What a form asks, with how much each answer may be, what customers are told of it, and what it is beforehand. */
export function shown(definition: unknown): string[] {
  expect(publishingFaults(definition)).toEqual([])
  const { fields = [], note, button } = recoverForm(definition) ?? {}
  return [
    ...(note === undefined ? [] : [`note: ${note}`]),
    ...fields.map(inDetail),
    ...(button === undefined ? [] : [`button: ${button}`]),
  ]
}

function inDetail(field: Field): string {
  const { label, kind, choices, isRequired, least, most, hint, initial, when } = field
  const answered = [kind, ...(choices.length > 0 ? [choices.join('|')] : [])].join(' ')
  const amount = least === undefined && most === undefined ? '' : ` ${least ?? ''}..${most ?? ''}`
  const told = hint === undefined ? '' : ` (${hint})`
  const begun = initial === undefined ? '' : ` = ${initial}`
  const seen = when === undefined ? '' : ` if ${when.name} is ${when.among.join('|')}`
  return `${label}${isRequired ? '' : '?'}: ${answered}${amount}${told}${begun}${seen}`
}
