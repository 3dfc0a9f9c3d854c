import type { Raw } from '../rules/faults.ts'
import { type Field, type FieldKind, shortened } from './form.ts'

/** With more choices than this, a dropdown takes less room than buttons. */
const BUTTONS_MAX = 8
const CHARACTERS_MAX = 4_096
/** The characters of a text input that has no maximum of its own. */
const CHARACTERS_USUAL = 80
const FILES_MAX = 30

const inputTypes: Partial<Record<FieldKind, string>> = {
  text: 'text',
  email: 'email',
  phone: 'phone',
  number: 'number',
  password: 'password',
}

/** The maximum length of a label, by the kind of field. */
const labelCharacters: Record<FieldKind, number> = {
  text: 20,
  email: 20,
  phone: 20,
  number: 20,
  password: 20,
  paragraph: 20,
  date: 40,
  one_of: 30,
  some_of: 30,
  consent: 120,
  photo: 80,
  document: 80,
}

/**
 * The input, preceded by the full question if that is longer than a label may be, and followed by the hint if the
 * input has no place for one.
 */
export function componentsOf(field: Field): Raw[] {
  const { name, kind, label, isRequired: required, choices, hint } = field
  const isList = kind === 'one_of' && choices.length > BUTTONS_MAX
  const short = shortened(label, isList ? 20 : labelCharacters[kind])
  const question = short === label ? [] : [{ type: 'TextBody', text: label }]
  const input = inputFor(field, { name, label: short, required }, isList)
  const begun = { ...input, ...initialOf(field) }
  const place = hintPlace(kind, isList)
  if (hint === undefined) return [...question, begun]
  return place === null
    ? [...question, begun, { type: 'TextCaption', text: hint }]
    : [...question, { ...begun, [place]: hint }]
}

function initialOf({ kind, choices, initial, most = Infinity }: Field): Raw {
  const isChosen = kind === 'one_of' || kind === 'some_of'
  if (initial === undefined || (isChosen && !choices.includes(initial))) return {}
  if (!isChosen && initial.length > most) return {}
  return { 'init-value': kind === 'some_of' ? [initial] : initial }
}

function hintPlace(kind: FieldKind, isList: boolean): string | null {
  if (isList || kind === 'consent') return null
  return ['one_of', 'some_of', 'photo', 'document'].includes(kind) ? 'description' : 'helper-text'
}

function inputFor(
  field: Field,
  asked: Pick<Field, 'name' | 'label'> & { required: boolean },
  isList: boolean,
): Raw {
  const { kind, choices } = field
  switch (kind) {
    case 'paragraph':
      return { type: 'TextArea', ...asked, ...within('max-length', field.most, CHARACTERS_MAX) }
    case 'date':
      return { type: 'DatePicker', ...asked }
    case 'one_of': {
      const type = isList ? 'Dropdown' : 'RadioButtonsGroup'
      return { type, ...asked, 'data-source': choices.map(choiceOf) }
    }
    case 'some_of':
      return {
        type: 'CheckboxGroup',
        ...asked,
        'data-source': choices.map(choiceOf),
        ...within('min-selected-items', field.least, choices.length),
        ...within('max-selected-items', field.most, choices.length - 1),
      }
    case 'consent':
      return { type: 'OptIn', ...asked }
    case 'photo':
    case 'document':
      return pickerFor(field, asked)
    default:
      return { type: 'TextInput', ...asked, 'input-type': inputTypes[kind], ...charactersOf(field) }
  }
}

/** A member for a limit that makes sense there; nothing for others. */
function within(member: string, limit: number | undefined, most: number): Raw {
  return limit !== undefined && limit > 0 && limit <= most ? { [member]: limit } : {}
}

function charactersOf({ least, most }: Field): Raw {
  const isLong = least !== undefined && least > CHARACTERS_USUAL
  return {
    ...within('min-chars', least, CHARACTERS_MAX),
    ...within('max-chars', most ?? (isLong ? CHARACTERS_MAX : undefined), CHARACTERS_MAX),
  }
}

function pickerFor({ kind, least = 1, most }: Field, asked: { required: boolean } & Raw): Raw {
  const { name, label, required } = asked
  const [type, files] =
    kind === 'photo' ? ['PhotoPicker', 'photos'] : ['DocumentPicker', 'documents']
  return {
    type,
    name,
    label,
    [`min-uploaded-${files}`]: required ? Math.min(least, FILES_MAX) : 0,
    ...within(`max-uploaded-${files}`, most, FILES_MAX),
  }
}

function choiceOf(choice: string): Raw {
  const title = shortened(choice, 30)
  return { id: choice, title, ...(title === choice ? {} : { description: choice }) }
}
