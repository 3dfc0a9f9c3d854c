import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { flowFaults } from '../../flows/definition.ts'
import { buildDefinition } from '../../flows/forms/builder.ts'
import type { Field, Form } from '../../flows/forms/form.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { shown } from '../support/flow-parts.ts'

type Raw = Record<string, unknown>

const asks = (prompt: string) => shown(generateByRules('form', prompt))

describe('what is asked only of some customers depends on their answer', () => {
  it.each<[prompt: string, asked: string[]]>([
    // Of a question for a yes or a no.
    [
      'Do you have allergies? If yes, which ones?',
      [
        'Do you have allergies?: one_of Yes|No',
        'Which ones?: paragraph if do_you_have_allergies is Yes',
      ],
    ],
    [
      '1. Full name\n2. Do you have any medical conditions? (yes/no)\n3. If yes, please describe\n4. Phone',
      [
        'Full name: text',
        'Do you have any medical conditions?: one_of yes|no',
        'Describe: paragraph if do_you_have_any_medical_conditions is yes',
        'Phone: phone',
      ],
    ],
    [
      '- Name\n- Are you a student? (Yes/No)\n- If yes: university name\n- Email',
      [
        'Name: text',
        'Are you a student?: one_of Yes|No',
        'University name: text if are_you_a_student is Yes',
        'Email: email',
      ],
    ],
    [
      'Name and email. Ask whether they own a car; if so, ask for the license plate.',
      [
        'Name: text',
        'Email: email',
        'Do you own a car?: one_of Yes|No',
        'License plate: text if they_own_a_car is Yes',
      ],
    ],
    [
      'RSVP form: attending (yes/no), number of guests if attending, reason if not attending',
      [
        'Attending: one_of yes|no',
        'Number of guests: number if attending is yes',
        'Reason: paragraph if attending is no',
      ],
    ],
    [
      'Ask name, if they are over 18 (yes/no), and guardian name if they are not.',
      [
        'Name: text',
        'Are you over 18?: one_of yes|no',
        'Guardian name: text if they_are_over_18 is no',
      ],
    ],
    [
      'Ask "Do you drink alcohol?" with yes/no. Only show "How often?" if yes.',
      ['Do you drink alcohol?: one_of yes|no', 'How often?: text if do_you_drink_alcohol is yes'],
    ],
    // Of some choices.
    [
      'Name, customer type (individual or company). If they are a company, also ask for the company name and VAT number.',
      [
        'Name: text',
        'Customer type: one_of individual|company',
        'Company name: text if customer_type is company',
        'VAT number: text if customer_type is company',
      ],
    ],
    [
      'Name, type (private, company), company name (for companies only), tax id (required if company)',
      [
        'Name: text',
        'Type: one_of private|company',
        'Company name: text if type is company',
        'Tax id: text if type is company',
      ],
    ],
    [
      'Wedding RSVP: name, coming (yes, no, maybe). If yes or maybe: number of guests and meal choice (meat, fish).',
      [
        'Name: text',
        'Coming: one_of yes|no|maybe',
        'Number of guests: number if coming is yes|maybe',
        'Meal choice: one_of meat|fish if coming is yes|maybe',
      ],
    ],
    [
      'Customers pick a topic: Billing, Technical, Other. For Billing, ask for the invoice number. For Technical, ask for the device.',
      [
        'Topic: one_of Billing|Technical|Other',
        'Invoice number: text if topic is Billing',
        'Device: text if topic is Technical',
      ],
    ],
    [
      'Name; employment status (employed, student, retired); employer name - only if employed',
      [
        'Name: text',
        'Employment status: one_of employed|student|retired',
        'Employer name: text if employment_status is employed',
      ],
    ],
    [
      'Method (delivery, pickup). When delivery is selected ask for the address, otherwise for the pickup time.',
      [
        'Method: one_of delivery|pickup',
        'Address: text if method is delivery',
        'Pickup time: text if method is pickup',
      ],
    ],
    [
      'Name, contact preference (email, phone), email address if email is preferred, phone number otherwise',
      [
        'Name: text',
        'Contact preference: one_of email|phone',
        'Email address: email if contact_preference is email',
        'Phone number: phone if contact_preference is phone',
      ],
    ],
    // Of a number on a scale.
    [
      'Rating 1 to 5. If the rating is 3 or lower, ask what went wrong.',
      ['Rating: one_of 1|2|3|4|5', 'What went wrong: paragraph if rating is 1|2|3'],
    ],
    [
      'Feedback: rating 1-5. If 4 or 5, ask for a testimonial. Unless 5, ask what we can improve.',
      [
        'Rating: one_of 1|2|3|4|5',
        'Testimonial: paragraph if rating is 4|5',
        'What we can improve: paragraph if rating is 1|2|3|4',
      ],
    ],
    // Said of what was named before, or of what is named later.
    [
      'Name, address, delivery method (delivery, pickup). Show the address field only when delivery is chosen.',
      [
        'Name: text',
        'Delivery method: one_of delivery|pickup',
        'Address: text if delivery_method is delivery',
      ],
    ],
    [
      'Name, email (required if they want a newsletter), newsletter (yes/no)',
      ['Name: text', 'Newsletter: one_of yes|no', 'Email: email if newsletter is yes'],
    ],
    [
      'Size (S, M), gift (yes/no), gift note. Hide the gift note unless gift is yes.',
      ['Size: one_of S|M', 'Gift: one_of yes|no', 'Gift note: paragraph if gift is yes'],
    ],
    // In Spanish.
    [
      '¿Tiene alergias? Si es así, ¿cuáles?',
      ['¿Tiene alergias?: one_of Sí|No', '¿Cuáles?: text if tiene_alergias is Sí'],
    ],
    [
      'Método de entrega (envío, recogida). Si elige envío, pedir la dirección. De lo contrario, pedir la hora de recogida.',
      [
        'Método de entrega: one_of envío|recogida',
        'Dirección: text if metodo_de_entrega is envío',
        'Hora de recogida: text if metodo_de_entrega is recogida',
      ],
    ],
    [
      'Encuesta: calificación del 1 al 5; si es menor a 3, preguntar por qué',
      ['Calificación: one_of 1|2|3|4|5', 'Por qué: paragraph if calificacion is 1|2'],
    ],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

describe('customers are asked whether they meet a condition, where nothing else tells', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Name. If they are a company, also ask for the company name and tax id.',
      [
        'Name: text',
        'Are you a company?: one_of Yes|No',
        'Company name: text if they_are_a_company is Yes',
        'Tax id: text if they_are_a_company is Yes',
      ],
    ],
    [
      'Nombre, correo. Si es empresa, pide también el RUC y la razón social.',
      [
        'Nombre: text',
        'Correo: email',
        '¿Es empresa?: one_of Sí|No',
        'RUC: text if es_empresa is Sí',
        'Razón social: text if es_empresa is Sí',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

describe('what depends on nothing that is asked may be left out by everybody', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Ask for a rating. If they are unhappy, ask why.',
      ['Rating: one_of 1|2|3|4|5', 'Why?: paragraph'],
    ],
    [
      'Name. If you had $100, what would you buy?',
      ['Name: text', 'If you had $100, what would you buy?: text'],
    ],
    ['Name. When they arrive, also ask for the room.', ['Name: text', 'Room?: text']],
    ['Name, address (only if delivery)', ['Name: text', 'Address?: text (Only if delivery)']],
    [
      'Name and email. For our records, ask for the birth date.',
      ['Name: text', 'Email: email', 'Birth date: date'],
    ],
    ['Name, a photo if they want', ['Name: text', 'Photo?: photo']],
    ['Name, email. If you have questions, we are here to help.', ['Name: text', 'Email: email']],
    [
      'Ask for the name and if they want a refund or exchange.',
      ['Name: text', 'Refund or exchange: one_of refund|exchange'],
    ],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

const field = (name: string, more: Partial<Field> = {}): Field => ({
  ...{ name, label: name, kind: 'text', isRequired: true, section: 0, choices: [] },
  ...more,
})
const size = field('size', { kind: 'one_of', choices: ['S', 'M', 'L'] })
const form = (fields: Field[], more: Partial<Form> = {}): Form => ({
  ...{ title: 'T', language: 'en', fields, isReviewed: false },
  ...more,
})
const ofL = { name: 'size', among: ['L'] }

/** The components of each screen but the footers. */
function screensOf(given: Form): Raw[][] {
  const definition = buildDefinition(given)
  expect(flowFaults(definition)).toEqual([])
  const { screens } = definition as { screens: { layout: { children: Raw[] } }[] }
  return screens.map(({ layout }) => layout.children.filter(({ type }) => type !== 'Footer'))
}

describe('a field that depends on an answer', () => {
  it('is hidden, with its question and its hint, until that answer is given', () => {
    const long = 'How tall are you, in your own words?'
    const tall = field('tall', { label: long, kind: 'consent', choices: [] })
    const list = field('list', {
      ...{ kind: 'one_of', label: long, hint: 'As worn', when: ofL },
      choices: Array.from({ length: 9 }, (_, at) => `c${at}`),
    })
    const [components] = screensOf(form([size, list, tall]))
    const visible = "`${form.size} == 'L'`"
    expect(components?.map((one) => [one.type, one.visible])).toEqual([
      ['RadioButtonsGroup', undefined],
      ['TextBody', visible],
      ['Dropdown', visible],
      ['TextCaption', visible],
      ['OptIn', undefined],
    ])
    expect(components?.[2]).toMatchObject({ name: 'list', required: true })
    expect(recoverForm(buildDefinition(form([size, list, tall])))).toEqual(form([size, list, tall]))
  })

  it('is shown to those who chose any of several choices', () => {
    const waist = field('waist', { when: { name: 'size', among: ['M', 'L'] } })
    const [components] = screensOf(form([size, waist]))
    expect(components?.[1]).toMatchObject({
      visible: "`(${form.size} == 'M') || (${form.size} == 'L')`",
    })
    expect(recoverForm(buildDefinition(form([size, waist])))).toEqual(form([size, waist]))
  })

  it('stays on the screen of that answer, beside five others', () => {
    const others = ['a', 'b', 'c', 'd'].map((name) => field(name))
    const dependent = ['e', 'f'].map((name) => field(name, { when: ofL }))
    const screens = screensOf(form([...others, size, ...dependent, field('g')]))
    expect(screens.map((some) => some.map(({ name }) => name))).toEqual([
      ['a', 'b', 'c', 'd', 'size', 'e', 'f'],
      ['g'],
    ])
  })

  it('may be on a later screen that shows something else', () => {
    const fields = [size, field('a', { section: 1 }), field('waist', { section: 1, when: ofL })]
    const screens = screensOf(form(fields))
    expect(screens[1]?.[1]).toMatchObject({ visible: "`${screen.STEP_A.form.size} == 'L'`" })
    expect(recoverForm(buildDefinition(form(fields)))).toEqual(form(fields))
  })

  it('is reviewed only by those who were asked', () => {
    const note = field('note', { when: ofL, isRequired: false })
    const given = form([size, field('waist', { when: ofL }), note], { isReviewed: true })
    const review = screensOf(given)[1]?.filter(({ type }) => type === 'If')
    const isL = "(${screen.STEP_A.form.size} == 'L')"
    expect(review?.map(({ condition }) => condition)).toEqual([
      isL,
      `${isL} && (\${screen.STEP_A.form.note} != '')`,
    ])
    expect(recoverForm(buildDefinition(given))).toEqual(given)
  })

  it.each<[what: string, fields: Field[], hint: string | undefined]>([
    ['has a screen of its own', [size, field('x', { kind: 'photo', when: ofL })], 'Only if: L'],
    ['is an agreement', [size, field('x', { kind: 'consent', when: ofL })], 'Only if: L'],
    ['is alone on its screen', [size, field('x', { section: 1, when: ofL })], 'Only if: L'],
    ['comes before that answer', [field('x', { when: ofL }), size], 'Only if: L'],
    [
      'depends on one of several choices that may be made',
      [{ ...size, kind: 'some_of' }, field('x', { when: ofL })],
      'Only if: L',
    ],
    [
      'depends on a choice with an apostrophe',
      [
        field('size', { kind: 'one_of', choices: ["I don't know", 'S'] }),
        field('x', { when: { name: 'size', among: ["I don't know"] } }),
      ],
      "Only if: I don't know",
    ],
    [
      'depends on any choice',
      [size, field('x', { when: { ...ofL, among: size.choices } })],
      'Only if: S / M / L',
    ],
    [
      'depends on nothing that is asked',
      [size, field('x', { when: { ...ofL, name: 'y' } })],
      undefined,
    ],
    [
      'depends on no choice there is',
      [size, field('x', { when: { ...ofL, among: ['XL'] } })],
      undefined,
    ],
  ])('is shown to everybody, who may leave it out, where it %s', (_, fields, hint) => {
    screensOf(form(fields))
    const { when, ...rest } = fields.find(({ name }) => name === 'x')!
    expect(when).toBeDefined()
    const now = recoverForm(buildDefinition(form(fields)))?.fields.find(({ name }) => name === 'x')
    expect(now).toEqual({ ...rest, isRequired: false, ...(hint !== undefined && { hint }) })
  })
})
