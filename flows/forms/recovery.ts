import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../core/json-values.ts'
import type { Raw } from '../faults.ts'
import { items, member } from '../faults.ts'
import { buildDefinition, REVIEW, words } from './builder.ts'
import { type Field, type FieldKind, FIELDS_MAX, type Form } from './form.ts'

/** The form that a definition was built from; null for a definition that was built or changed elsewhere. */
export function recoverForm(definition: unknown): Form | null {
  const screens = items(member(definition, 'screens')).filter(isRecord)
  const [first, last] = [screens[0], screens.at(-1)]
  if (!first || !last || typeof first.title !== 'string') return null
  const fields = screens.flatMap((screen, index) => fieldsOf(screen, index))
  // No form has more; a definition made elsewhere may have thousands.
  if (fields.length > FIELDS_MAX) return null
  const lastFooter = childrenOf(last).find(({ type }) => type === 'Footer')
  const form: Form = {
    title: first.title,
    language: member(lastFooter, 'label') === words.es.send ? 'es' : 'en',
    fields: inOrder(fields, lastFooter),
    isReviewed: last.id === REVIEW,
  }
  const whole = { ...form, fields: form.fields.map((field) => ({ ...field, section: 0 })) }
  return [whole, form].find((one) => isDeepStrictEqual(buildDefinition(one), definition)) ?? null
}

function childrenOf(screen: Raw): Raw[] {
  return items(member(member(screen, 'layout'), 'children')).filter(isRecord)
}

/** The payload at the end names the fields in the order in which they were described. */
function inOrder(fields: Field[], lastFooter: Raw | undefined): Field[] {
  const payload = member(member(lastFooter, 'on-click-action'), 'payload')
  const names = Object.keys(isRecord(payload) ? payload : {})
  // A definition made elsewhere may name far more fields than there are.
  const places = new Map(names.map((name, place) => [name, place]))
  const placeOf = ({ name }: Field) => places.get(name) ?? -1
  return fields.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function fieldsOf(screen: Raw, section: number): Field[] {
  const children = childrenOf(screen)
  return children.flatMap((component, index) => {
    const before = children[index - 1]
    const question = before?.type === 'TextBody' && screen.id !== REVIEW ? before.text : undefined
    return fieldOf(component, question, section)
  })
}

const kinds: ReadonlyMap<unknown, FieldKind> = new Map([
  ['TextArea', 'paragraph'],
  ['DatePicker', 'date'],
  ['RadioButtonsGroup', 'one_of'],
  ['Dropdown', 'one_of'],
  ['CheckboxGroup', 'some_of'],
  ['OptIn', 'consent'],
  ['PhotoPicker', 'photo'],
  ['DocumentPicker', 'document'],
])
const inputKinds: FieldKind[] = ['text', 'email', 'phone', 'number', 'password']

function fieldOf(component: Raw, question: unknown, section: number): Field[] {
  const { type, name, label } = component
  const kind =
    type === 'TextInput'
      ? inputKinds.find((one) => one === component['input-type'])
      : kinds.get(type)
  if (kind === undefined || typeof name !== 'string' || typeof label !== 'string') return []
  const least = component['min-uploaded-photos'] ?? component['min-uploaded-documents']
  const choices = items(component['data-source']).map((choice) => String(member(choice, 'id')))
  return [
    {
      name,
      kind,
      choices,
      section,
      label: typeof question === 'string' ? question : label,
      isRequired: component.required === true || least === 1,
    },
  ]
}
