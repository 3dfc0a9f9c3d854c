import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked } from '../support/flow-parts.ts'
import { footer } from '../support/flows.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

const FORMS: [prompt: string, fields: string[]][] = [
  [
    'A contact form with name, email and message.',
    ['name:text', 'email:email', 'message:paragraph'],
  ],
  [
    'Ask for full name, phone number and preferred date.',
    ['full_name:text', 'phone_number:phone', 'preferred_date:date'],
  ],
  [
    'Appointment booking: name, service (haircut, colour, manicure), date and time.',
    ['name:text', 'service:one_of(haircut|colour|manicure)', 'date:date', 'time:text'],
  ],
  [
    'Satisfaction survey: rating from 1 to 5, would you recommend us (yes/no), comments (optional).',
    ['rating:one_of(1|2|3|4|5)', 'would_you_recommend_us:one_of(yes|no)', 'comments:paragraph?'],
  ],
  [
    'Formulario de registro con nombre, apellidos, correo electrónico, teléfono y aceptación de términos y condiciones.',
    [
      ...['nombre:text', 'apellidos:text', 'correo_electronico:email', 'telefono:phone'],
      'aceptacion_de_terminos_y_condiciones:consent',
    ],
  ],
  [
    "Collect the customer's shipping address: street, city, postal code and country.",
    ['street:text', 'city:text', 'postal_code:text', 'country:text'],
  ],
  [
    'Lead form. Fields: company name, number of employees (1-10, 11-50, 51+), budget, email.',
    [
      ...['company_name:text', 'number_of_employees:one_of(1-10|11-50|51+)', 'budget:number'],
      'email:email',
    ],
  ],
  [
    'Encuesta: ¿Cómo califica nuestro servicio? (Excelente, Bueno, Malo); comentarios opcionales.',
    ['como_califica_nuestro_servicio:one_of(Excelente|Bueno|Malo)', 'comentarios:paragraph?'],
  ],
  [
    '- Name (required)\n- Email\n- Size: S, M, L',
    ['name:text', 'email:email?', 'size:one_of?(S|M|L)'],
  ],
  [
    'I need a form where customers can choose a pizza size (small, medium, large), toppings (multiple choice: cheese, ham, olives), and leave a delivery address. Include consent to terms and a confirmation screen.',
    [
      ...['pizza_size:one_of(small|medium|large)', 'toppings:some_of(cheese|ham|olives)'],
      ...['delivery_address:text', 'consent_to_terms:consent'],
    ],
  ],
  [
    'Quiz with two questions: "What is your favourite colour?" (red, green, blue) and "How old are you?".',
    ['what_is_your_favourite_colour:one_of(red|green|blue)', 'how_old_are_you:number'],
  ],
  [
    'Job application: full name, email, position (Developer, Designer), years of experience as a number, upload your CV, and accept the privacy policy',
    [
      ...['full_name:text', 'email:email', 'position:one_of(Developer|Designer)'],
      ...['years_of_experience:number', 'cv:document', 'accept_the_privacy_policy:consent'],
    ],
  ],
  [
    'Survey asking: How was your visit? What can we improve? Would you recommend us to a friend?',
    [
      ...['how_was_your_visit:paragraph', 'what_can_we_improve:paragraph'],
      'would_you_recommend_us_to_a_friend:one_of(Yes|No)',
    ],
  ],
  [
    'Pide nombre, correo y fecha de nacimiento. El correo es opcional.',
    ['nombre:text', 'correo:email?', 'fecha_de_nacimiento:date'],
  ],
  [
    'Reserva de mesa: nombre, número de personas, fecha, hora, alergias (opcional) y una pantalla de confirmación',
    ['nombre:text', 'numero_de_personas:number', 'fecha:date', 'hora:text', 'alergias:text?'],
  ],
  [
    'Registration form with first and last name, age, country (dropdown: Spain, Mexico) and a comment. All fields are required except comment.',
    [
      ...['first_name:text', 'last_name:text', 'age:number', 'country:one_of(Spain|Mexico)'],
      'comment:paragraph?',
    ],
  ],
  [
    'Collect name, email, and t-shirt size: one of S, M, L or XL. Email is required.',
    ['name:text?', 'email:email', 't_shirt_size:one_of?(S|M|L|XL)'],
  ],
  [
    'Feedback form with a rating between 1 and 10, an optional photo and comments',
    ['rating:one_of(1|2|3|4|5|6|7|8|9|10)', 'photo:photo?', 'comments:paragraph'],
  ],
  [
    'Create an insurance claim form that asks for policy number, date of the incident, description and a photo of the damage',
    [
      ...['policy_number:text', 'date_of_the_incident:date', 'description:paragraph'],
      'photo_of_the_damage:photo',
    ],
  ],
  [
    'We need a support ticket form. It should have: subject, category [Billing, Technical, Other], priority (low/medium/high), attachment (optional).',
    [
      ...['subject:text', 'category:one_of(Billing|Technical|Other)'],
      ...['priority:one_of(low|medium|high)', 'attachment:document?'],
    ],
  ],
  [
    'Sign up flow: fields are username, password, email and newsletter (yes/no)',
    ['username:text', 'password:password', 'email:email', 'newsletter:one_of(yes|no)'],
  ],
  [
    'name, email and size one of small, medium or large',
    ['name:text', 'email:email', 'size:one_of(small|medium|large)'],
  ],
  ['- Name\n- Size one of S, M, L', ['name:text', 'size:one_of(S|M|L)']],
  ['The size is one of S, M, L.', ['size:one_of(S|M|L)']],
  ['Ask for name and size. The size is one of S, M, L.', ['name:text', 'size:one_of(S|M|L)']],
  ['email, size: S, M, L', ['email:email', 'size:one_of(S|M|L)']],
  ['email, toppings multiple choice ham, cheese', ['email:email', 'toppings:some_of(ham|cheese)']],
  ['- Toppings multiple choice: ham, cheese', ['toppings:some_of(ham|cheese)']],
  ['rating from 1 to 10', ['rating:one_of(1|2|3|4|5|6|7|8|9|10)']],
  ['Email address of the customer', ['email_address:email']],
  ['A photo of the damage', ['photo_of_the_damage:photo']],
  [
    'The email. The phone number of the office. We are a small company in town.',
    ['email:email', 'phone_number_of_the_office:phone'],
  ],
]

describe('a described form', () => {
  it.each(FORMS)('is built with the fields that it names: %s', (prompt, fields) => {
    const definition = generateByRules('my_form', prompt)
    expect(publishingFaults(definition)).toEqual([])
    expect(asked(definition).sort()).toEqual([...fields].sort())
  })

  it('is spread over screens of at most five inputs, and reviewed at the end', () => {
    const prompt = 'Fields: name, surname, email, phone, city, country, age, comments'
    const { screens } = generateByRules('my_form', prompt) as { screens: { id: string }[] }
    expect(screens.map(({ id }) => id)).toEqual(['STEP_A', 'STEP_B', 'REVIEW'])
  })

  it('has no review where none is wanted', () => {
    const prompt = 'A form with name and email, without confirmation'
    const { screens } = generateByRules('my_form', prompt) as { screens: { id: string }[] }
    expect(screens.map(({ id }) => id)).toEqual(['STEP_A'])
  })

  it('shows in its review what there is room for', () => {
    const fields = Array.from({ length: 16 }, (_, n) => `name of person ${n + 1} (optional)`)
    const agreements = ['terms', 'privacy policy', 'cookies', 'marketing'].map(
      (what) => `consent to ${what}`,
    )
    const prompt = `Fields: ${[...fields, ...agreements].join(', ')}`
    const definition = generateByRules('my_form', prompt)
    expect(publishingFaults(definition)).toEqual([])
    expect(asked(definition)).toHaveLength(20)
  })

  const AGREEMENTS: [prompt: string, label: string][] = [
    ['name and consent to terms', 'I accept the terms and conditions'],
    ['name and a consent checkbox', 'I accept the terms and conditions'],
    ['name and accept the privacy policy', 'I accept the privacy policy'],
    ['name and GDPR consent', 'I agree to the use of my data'],
    ['name and consent to marketing', 'Consent to marketing'],
    ['name and opt-in to receive offers', 'Opt-in to receive offers'],
    ['nombre y consentimiento', 'Acepto los términos y condiciones'],
    ['nombre y consentimiento para publicidad', 'Consentimiento para publicidad'],
    [
      `name and "I agree ${'to be called '.repeat(9)}"`,
      `I agree ${'to be called '.repeat(8)}to be`,
    ],
  ]
  it.each(AGREEMENTS)('asks customers to agree to what it names: %s', (prompt, label) => {
    expect(recoverForm(generateByRules('f', prompt))?.fields[1]).toMatchObject({ label })
  })

  it('of agreements alone bears its title, and reviews no answers', () => {
    const built = generateByRules('f', 'Form titled "Privacy" with consent to the terms')
    expect(recoverForm(built)).toMatchObject({ title: 'Privacy' })
    expect(JSON.stringify(built)).not.toContain('check your answers')
    const updated = updateByRules(built, 'Change the title to "Talk to us"')
    expect(recoverForm(updated)).toMatchObject({ title: 'Talk to us' })
  })

  it.each([
    ['Name, phone, date. Title: Book a table', 'Book a table', undefined],
    ['A form called Book a table with name, phone, date', 'Book a table', undefined],
    ['A survey named Customer pulse that asks name and city', 'Customer pulse', undefined],
    ['Name and city. Title: Mr, Mrs', 'F', undefined],
    ['Name, city. Intro text: We will call you back', 'F', 'We will call you back'],
    ['Show "Prices include VAT" above the form. Name, city.', 'F', 'Prices include VAT'],
  ])('bears what %j gives to it to be read', (prompt, title, note) => {
    expect(recoverForm(generateByRules('f', prompt))).toMatchObject({
      title,
      ...(note && { note }),
    })
  })

  it('speaks Spanish when it is described so, and bears the title that it is given', () => {
    const definition = generateByRules('x', 'Formulario titulado "Tu opinión" con nombre y correo')
    const text = JSON.stringify(definition)
    expect(text).toContain('"Tu opinión"')
    expect(text).toContain('"Enviar"')
  })

  const NONE = [
    'Tell me a joke',
    'Tell me a joke about a phone',
    'Tell me one of your jokes, tales or riddles',
    'hello',
    'asdf qwer',
    'make it nice',
    '????',
    ' ',
    'Build a rocket',
  ]
  it.each(NONE)('is not made up from %j', (prompt) => {
    expect(generateByRules('my_form', prompt)).toEqual(expect.any(String))
  })

  it('of more fields than fifty is refused', () => {
    const fields = Array.from({ length: 51 }, (_, n) => `name of person ${n}`).join(', ')
    expect(generateByRules('x', `Fields: ${fields}`)).toEqual(expect.any(String))
  })
})

it('reads a definition from elsewhere once through, however many fields it has', async () => {
  const growth = await growthOf(250, (fields) => {
    const names = Array.from({ length: fields }, (_, place) => `f${(place * 7_919) % fields}`)
    const payload = Object.fromEntries(names.map((name) => [name, 'x']))
    const inputs = names.toSorted().map((name) => ({ type: 'TextArea', name, label: 'Say' }))
    const children = [...inputs, footer({ name: 'complete', payload })]
    const layout = { type: 'SingleColumnLayout', children }
    const definition = { version: '7.3', screens: [{ id: 'STEP_A', title: 'A', layout }] }
    return () => expect(recoverForm(definition)).toBeNull()
  })
  expect(growth).toBeLessThan(LINEAR_MOST)
}, 60_000)

it('looks for choices within a word once, whatever script its letters are of', async () => {
  const growth = await growthOf(1_000, (letters) => {
    const prompt = `Ask for email, ${'a中'.repeat(letters / 2)}x`
    return () => expect(generateByRules('form', prompt)).toEqual(expect.anything())
  })
  expect(growth).toBeLessThan(LINEAR_MOST)
}, 60_000)
