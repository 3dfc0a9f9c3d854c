import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

const asks = (prompt: string) => shown(generateByRules('form', prompt))

describe('how much an answer may be', () => {
  const PROMPTS: [prompt: string, asked: string[]][] = [
    [
      'Name, email and a comment of at most 200 characters',
      ['Name: text', 'Email: email', 'Comment: paragraph ..200'],
    ],
    ['Ask for a 4-digit PIN and the postal code', ['PIN: password 4..4', 'Postal code: text']],
    [
      'Password of at least 8 characters, username between 3 and 20 characters',
      ['Password: password 8..', 'Username: text 3..20'],
    ],
    [
      'Notes max 100 chars, tax id (9 digits), zip, 5 digits',
      ['Notes: paragraph ..100', 'Tax id: text 9..9', 'Zip: text 5..5'],
    ],
    [
      'Name (max 50), city (2+ characters), code (8 characters or less, optional)',
      ['Name: text ..50', 'City: text 2..', 'Code?: text ..8'],
    ],
    [
      'Ask for a PIN and an email. The PIN must have 4 digits.',
      ['PIN: password 4..4', 'Email: email'],
    ],
    [
      'Fields: name, bio. The bio can be up to 300 characters long.',
      ['Name: text', 'Bio: paragraph ..300'],
    ],
    [
      'Leave a comment. Max 200 characters. Also your name.',
      ['Comment: paragraph ..200', 'Name: text'],
    ],
    [
      'Nombre, DNI de 8 dígitos, comentario de máximo 200 caracteres',
      ['Nombre: text', 'DNI: text 8..8', 'Comentario: paragraph ..200'],
    ],
    ['Choose up to 2 toppings: ham, cheese, corn', ['Toppings: some_of ham|cheese|corn ..2']],
    ['Pick at least one: ham, cheese, corn', ['Pick at least one: some_of ham|cheese|corn 1..']],
    [
      'Extras (choose up to 3): wifi, parking, breakfast, spa',
      ['Extras: some_of wifi|parking|breakfast|spa ..3'],
    ],
    [
      'Which days? (pick 2) Monday, Tuesday, Friday',
      ['Which days?: some_of Monday|Tuesday|Friday 2..2'],
    ],
    ['Size (S, M, L, max 2) and the date', ['Size: some_of S|M|L ..2', 'Date: date']],
    [
      'Toppings (ham, cheese, corn), pick two, and a name',
      ['Toppings: some_of ham|cheese|corn 2..2', 'Name: text'],
    ],
    [
      'A form with toppings (ham, cheese, corn). They can choose up to 2.',
      ['Toppings: some_of ham|cheese|corn ..2'],
    ],
    [
      'Size (S, M, L), up to 2 extras from ham, olives or corn, delivery notes',
      ['Size: one_of S|M|L', 'Extras: some_of ham|olives|corn ..2', 'Delivery notes: paragraph'],
    ],
    [
      'Encuesta: elige hasta 2 servicios: limpieza, pintura, jardín.',
      ['Servicios: some_of limpieza|pintura|jardín ..2'],
    ],
    [
      'Upload up to 3 photos of the damage and your name',
      ['Photos of the damage: photo ..3', 'Name: text'],
    ],
    [
      'Photo of the damage (2 to 4 photos), at least 2 documents',
      ['Photo of the damage: photo 2..4', 'Documents: document 2..'],
    ],
    ['Nombre y hasta 3 capturas de pantalla', ['Nombre: text', 'Capturas de pantalla: photo ..3']],
    // One of many is chosen, whatever is said of how many.
    ['Pick at most one: ham, cheese, corn', ['Pick at most one: one_of ham|cheese|corn']],
  ]
  it.each(PROMPTS)('%j is asked so, and counted by the channel', (prompt, asked) => {
    expect(asks(prompt)).toEqual(asked)
  })

  const TOLD: [prompt: string, asked: string[]][] = [
    ['Age between 18 and 99, name', ['Age: number (From 18 to 99)', 'Name: text']],
    [
      'Amount (min 10, max 500), guests (max 8), age (18+)',
      [
        'Amount: number (From 10 to 500)',
        'Guests: number (At most 8)',
        'Age: number (At least 18)',
      ],
    ],
    ['Nombre, edad mínima 18', ['Nombre: text', 'Edad: number (Mínimo 18)']],
    ['Name, minimum age of 21', ['Name: text', 'Age: number (At least 21)']],
    ['Rate us from 0 to 100', ['Rate us: number (From 0 to 100)']],
    ['Ask the reason in 50 words or less', ['Reason: paragraph (At most 50 words)']],
    [
      'Phone (10 digits) and a message of at least 20 characters',
      ['Phone: phone (10 digits)', 'Message: paragraph (At least 20 characters)'],
    ],
    [
      'Nombre, edad entre 18 y 99, motivo (mínimo 20 caracteres)',
      ['Nombre: text', 'Edad: number (De 18 a 99)', 'Motivo: paragraph (Mínimo 20 caracteres)'],
    ],
  ]
  it.each(TOLD)('%j is told to customers, since the channel cannot count it', (prompt, asked) => {
    expect(asks(prompt)).toEqual(asked)
  })

  const NONE: [prompt: string, asked: string[]][] = [
    ['Quantity from 1 to 3, name', ['Quantity: one_of 1|2|3', 'Name: text']],
    ['Team size (up to 5, 6-10, more than 10)', ['Team size: one_of up to 5|6-10|more than 10']],
    ['Name, one photo', ['Name: text', 'Photo: photo']],
    ['Name (min 40, max 20 characters)', ['Name: text']],
    ['Toppings (ham, corn; max 9)', ['Toppings: some_of ham|corn']],
    [
      'Upload 2 letters of recommendation and your name',
      ['2 letters of recommendation: document', 'Name: text'],
    ],
  ]
  it.each(NONE)('%j has no limits that the channel could take', (prompt, asked) => {
    expect(asks(prompt)).toEqual(asked)
  })
})

describe('what customers are told of an answer', () => {
  const PROMPTS: [prompt: string, asked: string[]][] = [
    [
      'Email with the hint "we never share it", name',
      ['Email: email (We never share it)', 'Name: text'],
    ],
    ["Name with the placeholder 'As on your passport'", ['Name: text (As on your passport)']],
    [
      'Date of birth (must be 18 or older), name',
      ['Date of birth: date (Must be 18 or older)', 'Name: text'],
    ],
    [
      'Delivery date (not in the past), phone with country code',
      ['Delivery date: date (Not in the past)', 'Phone: phone (With country code)'],
    ],
    [
      'Name, phone (optional, only for delivery issues)',
      ['Name: text', 'Phone?: phone (Only for delivery issues)'],
    ],
    [
      'Username (letters only), full address including postcode',
      ['Username: text (Letters only)', 'Full address: text (Including postcode)'],
    ],
    [
      'Size (S, M) with the hint "Runs small", I accept the terms with the hint "See our site"',
      ['Size: one_of S|M (Runs small)', 'I accept the terms: consent (See our site)'],
    ],
    [
      'Country (A, B, C, D, E, F, G, H, I) with the hint "Of residence"',
      ['Country: one_of A|B|C|D|E|F|G|H|I (Of residence)'],
    ],
    ['Photo with the hint "In daylight"', ['Photo: photo (In daylight)']],
    ['Nombre con la ayuda "Como en el DNI"', ['Nombre: text (Como en el DNI)']],
  ]
  it.each(PROMPTS)('%j tells it below the field', (prompt, asked) => {
    expect(asks(prompt)).toEqual(asked)
  })

  it('is cut after a word to the 80 characters that a hint may have', () => {
    const [name] = asks(`Name with the hint "${'word '.repeat(30)}"`)
    expect(name).toBe(`Name: text (W${'ord w'.repeat(15)}ord)`)
  })

  it('has no other meaning, whatever it says', () => {
    expect(asks('Email (e.g. phone, name or photo from 1 to 5), city')).toEqual([
      'Email: email (E.g. phone, name or photo from 1 to 5)',
      'City: text',
    ])
  })
})

describe('what stands around the fields', () => {
  const PROMPTS: [prompt: string, asked: string[]][] = [
    [
      'A form titled "Join us" with a note at the top saying "Takes one minute", name',
      ['note: Takes one minute', 'Name: text'],
    ],
    [
      'Welcome message: "Hi! Tell us more." Then ask name and phone.',
      ['note: Hi! Tell us more.', 'Name: text', 'Phone: phone'],
    ],
    [
      'At the top, show the text "Name us the place". Then ask for the place and the date.',
      ['note: Name us the place', 'Place: text', 'Date: date'],
    ],
    [
      'Begin with "We are sorry!" then ask for name and reason',
      ['note: We are sorry!', 'Name: text', 'Reason: paragraph'],
    ],
    [
      'Intro: Tell us about it.\nName, email',
      ['note: Tell us about it.', 'Name: text', 'Email: email'],
    ],
    [
      '"Hi, tell us about yourself": name, age, interests',
      ['note: Hi, tell us about yourself', 'Name: text', 'Age: number', 'Interests: text'],
    ],
    ['Show the text "Hello" at the top, then name', ['note: Hello', 'Name: text']],
    [
      'Add an intro text saying thanks for your interest\nName, email',
      ['note: Thanks for your interest', 'Name: text', 'Email: email'],
    ],
    [
      'Start with "How was your visit?" (good, bad), end with the email',
      ['How was your visit?: one_of good|bad', 'Email: email'],
    ],
    [
      'Empieza con "¡Hola!" y pide nombre y correo',
      ['note: ¡Hola!', 'Nombre: text', 'Correo: email'],
    ],
    [
      'Name, email, submit button "Place order"',
      ['Name: text', 'Email: email', 'button: Place order'],
    ],
    [
      'Submit button: Contact us\nName, email',
      ['Name: text', 'Email: email', 'button: Contact us'],
    ],
    [
      'Pide nombre y correo. El botón dice "Reservar ahora".',
      ['Nombre: text', 'Correo: email', 'button: Reservar ahora'],
    ],
    [
      'Ask for name and email. Thank-you message: "We will be in touch".',
      ['Name: text', 'Email: email'],
    ],
    ['Ask for a message, with a text "Company"', ['Message: paragraph', 'Company: text']],
  ]
  it.each(PROMPTS)('%j is shown to customers, and asks for nothing', (prompt, asked) => {
    expect(asks(prompt)).toEqual(asked)
  })

  it('a note stands before the first field, whose whole question may be below it', () => {
    const definition = generateByRules(
      'form',
      'Begin with "Hello!" then ask "How did you hear of our shop?"',
    )
    expect(definition).toHaveProperty('screens.0.layout.children', [
      { type: 'TextBody', text: 'Hello!' },
      { type: 'TextBody', text: 'How did you hear of our shop?' },
      expect.objectContaining({ type: 'TextArea', label: 'How did you hear of' }),
      expect.anything(),
    ])
    expect(shown(definition)).toEqual(['note: Hello!', 'How did you hear of our shop?: paragraph'])
  })
})

describe('an instruction about it', () => {
  const BUILT = generateByRules(
    'booking',
    'Name (max 20) with the hint "In full", size (S, M, L), notes',
  )
  const [name, size, notes] = shown(BUILT)

  const EDITS: [instruction: string, asked: (string | undefined)[]][] = [
    ['Limit the notes to 200 characters', [name, size, 'Notes: paragraph ..200']],
    ['Notes must have at most 100 characters', [name, size, 'Notes: paragraph ..100']],
    ['Set the maximum length of notes to 500', [name, size, 'Notes: paragraph ..500']],
    ['Set the minimum length of the name to 2', ['Name: text 2.. (In full)', size, notes]],
    ['The name should be between 2 and 40 characters', ['Name: text 2..40 (In full)', size, notes]],
    ['Make the name 4 characters', ['Name: text 4..4 (In full)', size, notes]],
    ['Limita el name a 40 caracteres', ['Name: text ..40 (In full)', size, notes]],
    ['The notes shouldn’t be longer than 90 characters', [name, size, 'Notes: paragraph ..90']],
    ['Let customers pick several sizes, at most 2', [name, 'Size: some_of S|M|L ..2', notes]],
    ['Explain below size that we run small', [name, 'Size: one_of S|M|L (We run small)', notes]],
    ['Allow up to 2 sizes', [name, 'Size: some_of S|M|L ..2', notes]],
    ['Let them choose at least 2 sizes', [name, 'Size: some_of S|M|L 2..', notes]],
    ['Only allow one size', [name, size, notes]],
    ['Add up to 3 photos of the damage', [name, size, notes, 'Photos of the damage: photo ..3']],
    ['Add a 4-digit PIN', [name, size, notes, 'PIN: password 4..4']],
    ['Remove the limit of the name', ['Name: text (In full)', size, notes]],
    ['Remove the hint from name', ['Name: text ..20', size, notes]],
    ['Make the name a number field', ['Name: number (In full)', size, notes]],
    ['Add the hint "EU sizes" to size', [name, 'Size: one_of S|M|L (EU sizes)', notes]],
    [
      'Add a hint to the notes: please be brief',
      [name, size, 'Notes: paragraph (Please be brief)'],
    ],
    [
      'Añade la ayuda "Tallas europeas" a size',
      [name, 'Size: one_of S|M|L (Tallas europeas)', notes],
    ],
    ['Change the button to "Book now"', [name, size, notes, 'button: Book now']],
    ['The button should say Book now', [name, size, notes, 'button: Book now']],
    ['Pon "Reservar" en el botón', [name, size, notes, 'button: Reservar']],
    [
      'Add an intro saying "Hi. Welcome; fill this in and add notes"',
      ['note: Hi. Welcome; fill this in and add notes', name, size, notes],
    ],
    [
      'Make the notes optional and limit the name to 30 characters',
      ['Name: text ..30 (In full)', size, 'Notes?: paragraph'],
    ],
  ]
  it.each(EDITS)('%j is done as it is meant', (instruction, asked) => {
    expect(shown(updateByRules(BUILT, instruction))).toEqual(asked)
  })

  it('finds a form again whose button has the usual word of another language', () => {
    const spanish = generateByRules('f', 'Nombre, correo, botón "Send"')
    expect(shown(updateByRules(spanish, 'Quita el correo'))).toEqual([
      'Nombre: text',
      'button: Send',
    ])
  })

  it('takes a note and a button away that were added', () => {
    const added = updateByRules(BUILT, 'Add a note at the top: "Hello", change the button to "Go"')
    expect(shown(added)).toEqual(['note: Hello', name, size, notes, 'button: Go'])
    expect(shown(updateByRules(added, 'Remove the note at the top'))).not.toContain('note: Hello')
    expect(shown(updateByRules(added, 'Add a note at the top: "Bye"'))[0]).toBe('note: Bye')
  })

  it.each([
    'Limit the phone to 20 characters',
    'Remove the limit of the notes',
    'Remove the hint from size',
    'Remove the note at the top',
    `Change the button to "${'b'.repeat(36)}"`,
    `Add the hint "${'h'.repeat(81)}" to name`,
    'Limit the size to 20 characters',
    'Set a default value for name',
  ])('%j is refused, since there is no such thing', (instruction) => {
    expect(updateByRules(BUILT, instruction)).toEqual(expect.any(String))
  })
})

describe('data that tell of it', () => {
  const PROMPTS: [prompt: string, asked: string[]][] = [
    [
      '| Field | Type | Max length | Help |\n|---|---|---|---|\n| Name | text | 40 | As on your passport |\n| Size | S, M | | |',
      ['Name: text ..40 (As on your passport)', 'Size: one_of S|M'],
    ],
    [
      'Field,Required,Notes\nName,yes,max 50 characters\nAge,no,18+\nEmail,yes,must be a work email',
      ['Name: text ..50', 'Age?: number (At least 18)', 'Email: email (Must be a work email)'],
    ],
    [
      JSON.stringify({
        properties: {
          name: { type: 'string', minLength: 2, maxLength: 40 },
          age: { type: 'integer', minimum: 18, maximum: 120 },
          tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, maxItems: 2 },
          rating: { type: 'integer', minimum: 1, maximum: 3 },
          weight: { type: 'number', minimum: 1, placeholder: 'In "full" kilos (not pounds)' },
        },
      }),
      [
        'Name: text 2..40',
        'Age: number (From 18 to 120)',
        'Tags: some_of a|b|c ..2',
        'Rating: one_of 1|2|3',
        'Weight: number (At least 1. In ’full’ kilos (not pounds))',
      ],
    ],
    [
      'fields:\n  - name: bio\n    maxLength: 500\n  - name: city',
      ['Bio: paragraph ..500', 'City: text'],
    ],
  ]
  it.each(PROMPTS)('%j is asked so', (prompt, asked) => {
    expect(asks(prompt)).toEqual(asked)
  })
})

it('characters that stand for limits within the rules say nothing in a prompt', () => {
  expect(asks('Name (\u{F0063}\u{F0031}\u{F002D}\u{F0032}\u{F0000}), email')).toEqual([
    'Name: text',
    'Email: email',
  ])
})
