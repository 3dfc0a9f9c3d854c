import { describe, expect, it } from '@jest/globals'
import { flowFaults } from '../../flows/definition.ts'
import { buildDefinition } from '../../flows/forms/builder.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import {
  type Field,
  type FieldKind,
  type Form,
  nameFor,
  shortened,
} from '../../flows/forms/form.ts'

type Raw = Record<string, unknown>
type Screen = Raw & { id: string; title: string; layout: { children: Raw[] } }

const field = (name: string, kind: FieldKind = 'text', more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  kind,
  isRequired: true,
  section: 0,
  choices: [],
  ...more,
})
const fields = (length: number, kind?: FieldKind, more?: Partial<Field>) =>
  Array.from({ length }, (_, index) => field(`f${index}`, kind, more))
const choices = (length: number) => Array.from({ length }, (_, index) => `c${index}`)
const form = (some: Field[], more: Partial<Form> = {}): Form => ({
  title: 'T',
  language: 'en',
  fields: some,
  isReviewed: false,
  ...more,
})

/** The screens of a form, which the channel takes and which is read from them again. */
function screensOf(given: Form): Screen[] {
  const definition = buildDefinition(given)
  expect(flowFaults(definition)).toEqual([])
  expect(recoverForm(definition)).toEqual(given)
  return definition.screens as Screen[]
}
const idsOf = (given: Form) => screensOf(given).map(({ id }) => id)
const inputsOf = ({ layout }: Screen) => layout.children.map(({ name }) => name).filter(Boolean)
/** What a form of one field shows above its footer. */
const shownOf = (one: Field) => screensOf(form([one]))[0]!.layout.children.slice(0, -1)

it('a form is one screen that sends what was filled in', () => {
  expect(buildDefinition(form([field('a', 'email')]))).toEqual({
    version: '7.3',
    screens: [
      {
        id: 'STEP_A',
        title: 'T',
        terminal: true,
        success: true,
        data: {},
        layout: {
          type: 'SingleColumnLayout',
          children: [
            { type: 'TextInput', name: 'a', label: 'a', required: true, 'input-type': 'email' },
            {
              type: 'Footer',
              label: 'Send',
              'on-click-action': { name: 'complete', payload: { a: '${form.a}' } },
            },
          ],
        },
      },
    ],
  })
})

it('a review shows each answer, and one that may be left out only where it is given', () => {
  const some = [field('a'), field('b', 'date', { isRequired: false }), field('c', 'consent')]
  const [first, review] = screensOf(form(some, { isReviewed: true, language: 'es' }))
  expect(first).toMatchObject({ id: 'STEP_A', title: 'T' })
  expect(first).not.toHaveProperty('terminal')
  expect(review).toMatchObject({ id: 'REVIEW', title: 'Revisión', terminal: true, success: true })
  const answer = '${screen.STEP_A.form.b}'
  expect(review?.layout.children).toEqual([
    { type: 'TextHeading', text: 'Revisa tus respuestas' },
    { type: 'TextCaption', text: 'a' },
    { type: 'TextBody', text: '${screen.STEP_A.form.a}' },
    {
      type: 'If',
      condition: `(${answer} != '')`,
      then: [
        { type: 'TextCaption', text: 'b' },
        { type: 'TextBody', text: answer },
      ],
    },
    { type: 'OptIn', name: 'c', label: 'c', required: true },
    {
      type: 'Footer',
      label: 'Enviar',
      'on-click-action': {
        name: 'complete',
        payload: { a: '${screen.STEP_A.form.a}', b: answer, c: '${form.c}' },
      },
    },
  ])
})

describe('a review', () => {
  const reviewOf = (some: Field[]) => screensOf(form(some, { isReviewed: true })).at(-1)!
  const answers = (screen: Screen) =>
    screen.layout.children.filter(({ type }) => type === 'TextCaption' || type === 'If').length

  it('shows no passwords, no files, and nothing that no text can hold', () => {
    const several = { choices: ['x', 'y'] }
    const hidden = [
      ...[field('a', 'password'), field('b', 'some_of', several), field('c', 'photo')],
      ...[field('d', 'document'), field('e', 'consent')],
    ]
    const shown = reviewOf([field('name'), ...hidden])
    expect(answers(shown)).toBe(1)
    expect(inputsOf(shown)).toEqual(['e'])
  })

  it('shows fifteen answers at the most', () => {
    expect(answers(reviewOf(fields(15)))).toBe(15)
    expect(answers(reviewOf(fields(16)))).toBe(15)
  })

  it('shows as many answers as there is room for beside what is agreed to', () => {
    const left = fields(15, 'text', { isRequired: false })
    const agreements = Array.from({ length: 5 }, (_, n) => field(`agree${n}`, 'consent'))
    // Of 48 places each agreement takes one, and each of these answers three.
    expect(answers(reviewOf([...left, ...agreements.slice(0, 3)]))).toBe(15)
    expect(answers(reviewOf([...left, ...agreements.slice(0, 4)]))).toBe(14)
    expect(answers(reviewOf([...left, ...agreements]))).toBe(14)
  })
})

describe('the screens', () => {
  it('have five inputs at the most', () => {
    expect(screensOf(form(fields(5))).map((one) => inputsOf(one).length)).toEqual([5])
    expect(screensOf(form(fields(11))).map((one) => inputsOf(one).length)).toEqual([5, 5, 1])
  })

  it('have one picker each, behind all other inputs', () => {
    const some = [field('p', 'photo'), field('d', 'document'), field('a')]
    expect(screensOf(form(some)).map(inputsOf)).toEqual([['a'], ['p'], ['d']])
  })

  it('have what is agreed to at the end, but not beside a picker', () => {
    const agreed = field('c', 'consent')
    expect(screensOf(form([agreed, field('a')])).map(inputsOf)).toEqual([['a', 'c']])
    expect(screensOf(form([agreed, field('p', 'photo')])).map(inputsOf)).toEqual([['p'], ['c']])
    expect(screensOf(form([agreed])).map(inputsOf)).toEqual([['c']])
    const reviewed = screensOf(form([agreed, field('a')], { isReviewed: true }))
    expect(reviewed.map(inputsOf)).toEqual([['a'], ['c']])
  })

  it('are named by letters, as many as there are', () => {
    const ids = idsOf(form(fields(28, 'photo')))
    expect([ids[0], ids[25], ids[26], ids[27]]).toEqual(['STEP_A', 'STEP_Z', 'STEP_AA', 'STEP_AB'])
  })

  it('bear a title of thirty characters at the most', () => {
    const long = form([field('a')], { title: 'A title of many words, so many' })
    expect(screensOf(long)[0]?.title).toBe('A title of many words, so many')
    const [longer] = buildDefinition({ ...long, title: `${long.title} words` }).screens as Screen[]
    expect(longer?.title).toBe('A title of many words, so')
  })
})

describe('an input', () => {
  const LABELS: [kind: FieldKind, most: number][] = [
    ...(['text', 'email', 'phone', 'number', 'password', 'paragraph'] as const).map(
      (kind): [FieldKind, number] => [kind, 20],
    ),
    ...[['date', 40] as const, ['one_of', 30] as const, ['some_of', 30] as const].map(
      ([kind, most]): [FieldKind, number] => [kind, most],
    ),
    ['consent', 120],
    ['photo', 80],
    ['document', 80],
  ]
  const listed = (kind: FieldKind, length = 2) =>
    kind === 'one_of' || kind === 'some_of' ? choices(length) : []

  it.each(LABELS)('of the kind %s asks the whole question above a label of %i', (kind, most) => {
    const labelled = (characters: number) =>
      shownOf(field('a', kind, { label: 'é'.repeat(characters), choices: listed(kind) }))
    expect(labelled(most)).toMatchObject([{ label: 'é'.repeat(most) }])
    expect(labelled(most + 1)).toMatchObject([
      { type: 'TextBody', text: 'é'.repeat(most + 1) },
      { label: 'é'.repeat(most) },
    ])
  })

  it('of up to eight choices shows them, and of more opens', () => {
    const typeOf = (length: number) =>
      shownOf(field('a', 'one_of', { choices: choices(length) })).at(-1)?.type
    expect([2, 8, 9, 200].map(typeOf)).toEqual([
      ...['RadioButtonsGroup', 'RadioButtonsGroup', 'Dropdown', 'Dropdown'],
    ])
    const open = field('a', 'one_of', { label: 'é'.repeat(21), choices: choices(9) })
    expect(shownOf(open)).toMatchObject([{ type: 'TextBody' }, { label: 'é'.repeat(20) }])
  })

  it('answers with the whole of a choice, of which the title is the beginning', () => {
    const long = `${'x'.repeat(30)}!`
    const some = field('a', 'some_of', { choices: ['x'.repeat(30), long] })
    expect(shownOf(some)).toMatchObject([
      {
        'data-source': [
          { id: 'x'.repeat(30), title: 'x'.repeat(30) },
          { id: long, title: 'x'.repeat(30), description: long },
        ],
      },
    ])
  })

  it('of files wants one where it may not be left out', () => {
    const least = (kind: FieldKind, isRequired: boolean) =>
      shownOf(field('a', kind, { isRequired }))
    expect(least('photo', true)).toMatchObject([{ 'min-uploaded-photos': 1 }])
    expect(least('photo', false)).toMatchObject([{ 'min-uploaded-photos': 0 }])
    expect(least('document', true)).toMatchObject([{ 'min-uploaded-documents': 1 }])
    expect(least('document', false)).toMatchObject([{ 'min-uploaded-documents': 0 }])
  })
})

it.each([
  ['en', true],
  ['en', false],
  ['es', true],
  ['es', false],
] as const)(
  'a form of all kinds is read again as it was: in %s, reviewed: %s',
  (language, isReviewed) => {
    const several = { choices: choices(3), isRequired: false }
    const some = [
      ...[field('agreed', 'consent', { isRequired: false }), field('photo', 'photo'), field('a')],
      ...[field('z', 'email', { isRequired: false }), field('b', 'phone'), field('c', 'number')],
      ...[field('d', 'password'), field('e', 'paragraph'), field('g', 'date')],
      ...[field('h', 'one_of', several), field('i', 'one_of', { choices: choices(9) })],
      ...[field('j', 'some_of', several), field('k', 'text', { label: 'Long '.repeat(9).trim() })],
      field('file', 'document', { isRequired: false }),
    ]
    screensOf(form(some, { language, isReviewed }))
  },
)

describe('the name of a field', () => {
  it.each([
    ['First name', 'first_name'],
    ['¿Cuál es tu teléfono?', 'cual_es_tu_telefono'],
    ['2nd address', 'field_2nd_address'],
    ['名前', 'field'],
    ['', 'field'],
    ['a '.repeat(30), 'a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a_a'],
    ['x'.repeat(60), 'x'.repeat(40)],
    [`${'x'.repeat(35)} and more`, `${'x'.repeat(35)}_and`],
  ])('is made of the words of %j', (label, name) => {
    expect(nameFor(label, [])).toBe(name)
  })

  it('is nobody else’s', () => {
    expect(nameFor('Name', ['name'])).toBe('name_2')
    expect(nameFor('Name', ['name', 'name_2'])).toBe('name_3')
  })
})

it.each([
  ['as it is', 8, 'as it is'],
  ['as it was', 8, 'as it'],
  ['a wonderful', 8, 'a wonder'],
  ['🙂🙂🙂', 3, '🙂🙂🙂'],
  ['🙂🙂🙂', 2, '🙂🙂'],
])('%j is cut to %i characters, after a whole word where that leaves enough', (text, most, cut) => {
  expect(shortened(text, most)).toBe(cut)
})
