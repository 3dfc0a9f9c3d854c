/** What a customer fills in: a kind of text, choices, an agreement, or a file. */
export type FieldKind =
  | 'text'
  | 'email'
  | 'phone'
  | 'number'
  | 'password'
  | 'paragraph'
  | 'date'
  | 'one_of'
  | 'some_of'
  | 'consent'
  | 'photo'
  | 'document'

/** Some of the choices of another field: only who chose one of these is asked. */
export type Condition = { name: string; among: string[] }

export type Field = {
  /** The name of its value in the reply. */
  name: string
  label: string
  kind: FieldKind
  isRequired: boolean
  /** For `one_of` and `some_of`. */
  choices: string[]
  /** Fields of different sections are on different screens; 0 where none were described. */
  section: number
  /** The fewest and the most characters of a text, choices of several, or files, where that was described. */
  least?: number
  most?: number
  /** What customers are told of the answer, besides the label. */
  hint?: string
  /** The answer until they change it: a text, or one of the choices. */
  initial?: string
  /** Who is asked, unless everybody is. */
  when?: Condition
}

export type Language = 'en' | 'es'

/** A form as people describe it, before it is divided into screens. */
export type Form = {
  title: string
  language: Language
  fields: Field[]
  /** Whether the customer sees the answers again before sending them. */
  isReviewed: boolean
  /** What stands before the first field. */
  note?: string
  /** What the last button says, where that is not the usual word. */
  button?: string
}

export const FIELDS_MAX = 50
export const CHOICES_MAX = 200
/** The maximum number of choices when several can be chosen. */
export const SEVERAL_MAX = 20
export const CONSENTS_MAX = 5
/** The maximum length of a hint below an input. */
export const HINT_CHARACTERS = 80
const NAME_CHARACTERS = 40
/** No name of a field: the channel adds the token of the send to each reply under it. */
export const FLOW_TOKEN = 'flow_token'

/** Whether a field is filled in with files; such a one has a screen of its own. */
export function isPicker({ kind }: Pick<Field, 'kind'>): boolean {
  return kind === 'photo' || kind === 'document'
}

/** A text in lower case without accents, for comparisons. */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** A name for a field, made of the words of its label as programs write them. */
export function nameFor(label: string, taken: readonly string[]): string {
  const words = plain(label)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
  let name = ''
  for (const word of words) {
    if (name !== '' && name.length + word.length >= NAME_CHARACTERS) break
    name += name === '' ? word.slice(0, NAME_CHARACTERS) : `_${word}`
  }
  if (!/^[a-z]/.test(name)) name = name === '' ? 'field' : `field_${name}`
  for (let copy = 1; ; copy++) {
    const candidate = copy === 1 ? name : `${name}_${copy}`
    if (!taken.includes(candidate) && candidate !== FLOW_TOKEN) return candidate
  }
}

/** A text cut to so many characters, after a whole word if that leaves enough. */
export function shortened(text: string, charactersMax: number): string {
  const letters = [...text]
  if (letters.length <= charactersMax) return text
  const cut = letters.slice(0, charactersMax).join('')
  const space = cut.lastIndexOf(' ')
  return (space > charactersMax / 2 ? cut.slice(0, space) : cut).trimEnd()
}

/** A text with a capital first letter, which a question mark may precede: "¿Qué?" */
export function capitalised(text: string): string {
  return text.replace(/^¿?\s*\p{L}/u, (start) => start.toUpperCase())
}
