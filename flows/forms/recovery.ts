import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../core/json-values.ts'
import type { Raw } from '../rules/faults.ts'
import { items, member } from '../rules/faults.ts'
import { buildDefinition, REVIEW, words } from './builder.ts'
import { type Field, type FieldKind, FIELDS_MAX, type Form, type Language } from './form.ts'
import { languageOf } from './language.ts'
import { conditionIn } from './visibility.ts'

const LANGUAGES: Language[] = ['en', 'es']

/** The form that a definition was built from; null for a definition that was built or changed elsewhere. */
export function recoverForm(definition: unknown): Form | null {
  const screens = items(member(definition, 'screens')).filter(isRecord)
  const forms = [false, true].flatMap((hasNote) => formsOf(screens, hasNote))
  return forms.find((one) => isDeepStrictEqual(buildDefinition(one), definition)) ?? null
}

/** What a definition may have been built from: what its screens do not tell is tried. */
function formsOf(screens: Raw[], hasNote: boolean): Form[] {
  const [first, last] = [screens[0], screens.at(-1)]
  if (!first || !last || typeof first.title !== 'string') return []
  const [start] = childrenOf(first)
  const note = hasNote && start?.type === 'TextBody' ? start.text : undefined
  if (hasNote && typeof note !== 'string') return []
  const fields = screens.flatMap((screen, index) => fieldsOf(screen, index, hasNote))
  // No form has more; a definition made elsewhere may have thousands.
  if (fields.length > FIELDS_MAX) return []
  const lastFooter = childrenOf(last).find(({ type }) => type === 'Footer')
  const buttons = labelled(member(lastFooter, 'label'), fields)
  const ordered = inOrder(fields, lastFooter)
  const whole = ordered.map((field) => ({ ...field, section: 0 }))
  return buttons.flatMap((button) =>
    [whole, ordered].map((some) => ({
      title: first.title as string,
      fields: some,
      isReviewed: last.id === REVIEW,
      ...(typeof note === 'string' && { note }),
      ...button,
    })),
  )
}

/** The language, the likely one first, and the word on the last button where it is none of that language's own. */
function labelled(label: unknown, fields: Field[]): Pick<Form, 'language' | 'button'>[] {
  const likely = LANGUAGES.find((language) => words[language].send === label)
  const first = likely ?? languageOf(fields.map((field) => field.label).join(' '))
  const isOwn = (language: Language) => words[language].send === label || typeof label !== 'string'
  return LANGUAGES.toSorted((one, other) => Number(other === first) - Number(one === first)).map(
    (language) => ({ language, ...(!isOwn(language) && { button: label as string }) }),
  )
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

function fieldsOf(screen: Raw, section: number, hasNote: boolean): Field[] {
  const children = childrenOf(screen).slice(hasNote && section === 0 ? 1 : 0)
  return children.flatMap((component, index) => {
    const [before, after] = [children[index - 1], children[index + 1]]
    const question = before?.type === 'TextBody' && screen.id !== REVIEW ? before.text : undefined
    const caption = after?.type === 'TextCaption' ? after.text : undefined
    const hint = component['helper-text'] ?? component.description ?? caption
    return fieldOf(component, question, hint, section)
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

function fieldOf(component: Raw, question: unknown, hint: unknown, section: number): Field[] {
  const { type, name, label } = component
  const kind =
    type === 'TextInput'
      ? inputKinds.find((one) => one === component['input-type'])
      : kinds.get(type)
  if (kind === undefined || typeof name !== 'string' || typeof label !== 'string') return []
  const [initial] = [component['init-value'] ?? []].flat()
  const files = component['min-uploaded-photos'] ?? component['min-uploaded-documents']
  const choices = items(component['data-source']).map((choice) => String(member(choice, 'id')))
  const when = conditionIn(component)
  return [
    {
      name,
      kind,
      choices,
      section,
      label: typeof question === 'string' ? question : label,
      isRequired: component.required === true || (typeof files === 'number' && files > 0),
      ...boundsIn(component),
      ...(typeof hint === 'string' && { hint }),
      ...(typeof initial === 'string' && { initial }),
      ...(when && { when }),
    },
  ]
}

const FILES_LEAST = ['min-uploaded-photos', 'min-uploaded-documents']
const LEAST = ['min-chars', 'min-selected-items', ...FILES_LEAST]
const MOST = [
  ...['max-chars', 'max-length', 'max-selected-items'],
  ...['max-uploaded-photos', 'max-uploaded-documents'],
]

function boundsIn(component: Raw): Pick<Field, 'least' | 'most'> {
  const [least, most] = [LEAST, MOST].map((names) =>
    names.filter((one) => isBound(one, component[one])).map((one) => component[one] as number),
  )
  return {
    ...(least?.[0] !== undefined && { least: least[0] }),
    ...(most?.[0] !== undefined && { most: most[0] }),
  }
}

/** One file at least is what a required picker wants anyway. */
function isBound(member: string, value: unknown): boolean {
  return typeof value === 'number' && value > Number(FILES_LEAST.includes(member))
}
