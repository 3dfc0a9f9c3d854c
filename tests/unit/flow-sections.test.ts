import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

type Child = { type: string; name?: string; required?: boolean }
type Definition = { screens: { layout: { children: Child[] } }[] }

/** The names of the inputs on each screen; the review has none. */
function screensOf(definition: unknown): string[][] {
  if (typeof definition === 'string') throw new Error(definition)
  return (definition as Definition).screens
    .map(({ layout }) => layout.children.flatMap(({ name }) => name ?? []))
    .filter((names) => names.length > 0)
}

const made = (prompt: string) => screensOf(generateByRules('f', prompt))

describe('what a prompt wants on a screen of its own', () => {
  const PROMPTS: [prompt: string, screens: string[][]][] = [
    [
      'First screen: name and email. Second screen: date and comment.',
      [
        ['name', 'email'],
        ['date', 'comment'],
      ],
    ],
    [
      'On the first screen ask for the name and phone number; on the second screen ask for the delivery address.',
      [['name', 'phone_number'], ['delivery_address']],
    ],
    [
      'On the first screen, ask for name and email. On the next screen, ask for a comment. Then, on the last page, the rating (1-3).',
      [['name', 'email'], ['comment'], ['rating']],
    ],
    [
      'Two screens: on the first ask for name and email, on the second ask for a comment',
      [['name', 'email'], ['comment']],
    ],
    [
      'A form with two pages: the first asks for name and email, and the second for the company and city.',
      [
        ['name', 'email'],
        ['company', 'city'],
      ],
    ],
    [
      'Ask for name and email on the first screen and address on the second.',
      [['name', 'email'], ['address']],
    ],
    [
      'On the first screen ask name and email, on the second the date',
      [['name', 'email'], ['date']],
    ],
    ['En la primera página pide nombre, en la segunda el teléfono', [['nombre'], ['telefono']]],
    [
      'A first screen with name and email and a second with date and guests',
      [
        ['name', 'email'],
        ['date', 'guests'],
      ],
    ],
    [
      'Split in two screens: (name, email) and (date, guests)',
      [
        ['name', 'email'],
        ['date', 'guests'],
      ],
    ],
    [
      'Three steps: contact info (name, phone), preferences (size, color), comments',
      [['name', 'phone'], ['size', 'color'], ['comments']],
    ],
    [
      'Page 1 - contact (name, phone), Page 2 - booking (date, guests)',
      [
        ['name', 'phone'],
        ['date', 'guests'],
      ],
    ],
    ['One question per screen: name, phone, date', [['name'], ['phone'], ['date']]],
    ['Nombre y fecha. Una pregunta por pantalla.', [['nombre'], ['fecha']]],
    [
      'Each question on its own screen: name, do you have allergies (yes/no), if yes which ones, phone',
      [['name'], ['do_you_have_allergies', 'which_ones'], ['phone']],
    ],
    [
      'Screen 1: name, email\nScreen 2: company, size (S, M)',
      [
        ['name', 'email'],
        ['company', 'size'],
      ],
    ],
    [
      'Screen 1:\n- Name\n- Email\n\nScreen 2:\n- Company\n- City',
      [
        ['name', 'email'],
        ['company', 'city'],
      ],
    ],
    [
      'Quiero dos pantallas: en la primera nombre y correo, en la segunda el plan (básico, premium)',
      [['nombre', 'correo'], ['plan']],
    ],
    [
      'Two pages: on the first, name and email; on the second one, company',
      [['name', 'email'], ['company']],
    ],
    ['Screen one\nName\nEmail\nScreen two\nCompany', [['name', 'email'], ['company']]],
    [
      '1. First screen: name, email\n2. Second screen: company, city',
      [
        ['name', 'email'],
        ['company', 'city'],
      ],
    ],
    [
      'Step 1 - Contact details: name, email. Step 2 - Delivery: street, city.',
      [
        ['name', 'email'],
        ['street', 'city'],
      ],
    ],
    [
      'Step 1 (about you): name, email. Step 2 (the order): order number, size.',
      [
        ['name', 'email'],
        ['order_number', 'size'],
      ],
    ],
    [
      'Screen 1: Welcome - collect name and phone\nScreen 2: Select service (dropdown: Haircut, Color) and date\nScreen 3: Confirmation',
      [
        ['name', 'phone'],
        ['service', 'date'],
      ],
    ],
    ['Screen 1: size - S, M, L. Screen 2: name', [['size'], ['name']]],
    [
      'Screen 1 "About you": name, email\nScreen 2 “The order”: size (S, M)',
      [['name', 'email'], ['size']],
    ],
    [
      'Step 1. Name, email. Step 2. Company, city.',
      [
        ['name', 'email'],
        ['company', 'city'],
      ],
    ],
    [
      'The first screen should ask for name and email. The second screen has the company.',
      [['name', 'email'], ['company']],
    ],
    ['**Page 1:** name, email\n**Page 2:** How was it? (1-3)', [['name', 'email'], ['how_was_it']]],
    [
      'Primera pantalla: nombre y correo. Segunda pantalla: empresa y ciudad.',
      [
        ['nombre', 'correo'],
        ['empresa', 'ciudad'],
      ],
    ],
    [
      'En la primera pantalla pide nombre y correo y en la segunda pantalla pide la empresa.',
      [['nombre', 'correo'], ['empresa']],
    ],
    ['Paso 1: nombre, correo. Paso 2: empresa.', [['nombre', 'correo'], ['empresa']]],
  ]
  it.each(PROMPTS)('is on one: %s', (prompt, screens) => expect(made(prompt)).toEqual(screens))

  it('takes further screens where it is more than fits', () => {
    const many = 'Step 1: name, email, phone, company, city, country, address. Step 2: comment.'
    expect(made(many).map(({ length }) => length)).toEqual([5, 2, 1])
  })

  it('has its pictures and documents behind it', () => {
    const prompt = 'Step 1: name, photo of the car, email. Step 2: company.'
    expect(made(prompt)).toEqual([['name', 'email'], ['photo_of_the_car'], ['company']])
  })

  it('leaves agreements for the end', () => {
    const prompt = 'Step 1: name, consent to the terms. Step 2: company. Step 3: city.'
    expect(made(prompt)).toEqual([['name'], ['company'], ['city'], ['consent_to_the_terms']])
    const unreviewed = `${prompt} Without confirmation.`
    expect(made(unreviewed)).toEqual([['name'], ['company'], ['city', 'consent_to_the_terms']])
  })

  it('is no screen where nothing is asked for', () => {
    const prompt = 'First screen: a welcome. Second screen: name, email. Last screen: confirmation.'
    expect(made(prompt)).toEqual([['name', 'email']])
  })

  it.each([
    ['What was the first step? (A, B) How did you like the second page? (1-3)'],
    ['Ask for the first name, the second name and the last page read'],
    ['name, email, screen size (S, M), step 1 done (yes/no)'],
  ])('is nothing that only names a screen: %s', (prompt) => expect(made(prompt)).toHaveLength(1))

  it('is found in time that grows with the prompt alone', async () => {
    const growth = await growthOf(250, (things) => {
      const prompt = 'Step 1 - a, on the first screen, then '.repeat(things)
      return () => expect(generateByRules('f', prompt)).toEqual(expect.anything())
    })
    expect(growth).toBeLessThan(LINEAR_MOST)
  }, 60_000)
})

describe('an instruction', () => {
  const definition = () =>
    generateByRules('f', 'Step 1: name, email. Step 2: company, city. Without confirmation.')
  const changed = (instruction: string) => screensOf(updateByRules(definition(), instruction))

  it('leaves the screens as they were described', () => {
    expect(changed('Make the email optional')).toEqual([
      ['name', 'email'],
      ['company', 'city'],
    ])
    expect(changed('Remove the company')).toEqual([['name', 'email'], ['city']])
    expect(changed('Remove company and city')).toEqual([['name', 'email']])
    expect(changed('Add a confirmation')).toEqual([
      ['name', 'email'],
      ['company', 'city'],
    ])
  })

  it('adds a field to the screen of the field beside it, or to the last', () => {
    expect(changed('Add a comment after email')).toEqual([
      ['name', 'email', 'comment'],
      ['company', 'city'],
    ])
    expect(changed('Add a comment before company')).toEqual([
      ['name', 'email'],
      ['comment', 'company', 'city'],
    ])
    expect(changed('Add a comment')).toEqual([
      ['name', 'email'],
      ['company', 'city', 'comment'],
    ])
  })

  it('fills the screens anew where none was described', () => {
    const six = generateByRules('f', 'name, email, phone, company, city, country')
    expect(screensOf(six).map(({ length }) => length)).toEqual([5, 1])
    const seven = updateByRules(six, 'Add an address after name')
    expect(screensOf(seven).map(({ length }) => length)).toEqual([5, 2])
  })
})
