import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction that says more of what it adds', () => {
  const form = generateByRules('f', 'Form with name, email, phone (optional) and size (S, M, L)')
  const CASES: [instruction: string, changes: string[]][] = [
    ["Add a date of birth field, it's optional", ['Date of birth: date?']],
    ["Add a date of birth field. It's optional", ['Date of birth: date?']],
    ['Add a city field; this one is not mandatory', ['City: text?']],
    [
      'Split the form: name and email on the first page, the rest on the second',
      ['screens: name, email | phone, size'],
    ],
    [
      'Split the form in two: name and email first, the rest second',
      ['screens: name, email | phone, size'],
    ],
    ['Name and email on page 1, the rest on page 2', ['screens: name, email | phone, size']],
    [
      'Add an "Other" option to size and ask them to specify if they pick it',
      ['Size: one_of(S|M|L|Other)', 'Please specify: text when size is Other'],
    ],
    [
      'Add "Other" to size and if they choose it, ask them to specify',
      ['Size: one_of(S|M|L|Other)', 'Please specify: text when size is Other'],
    ],
    [
      'Add an option Other to size, with a text box to specify',
      ['Size: one_of(S|M|L|Other)', 'Please specify: text when size is Other'],
    ],
    ['Start with the email', ['order: email, name, phone, size']],
    ['Start by asking for the city', ['City: text first']],
    ['Ask for the city first', ['City: text first']],
    [
      'Add a question: How did you hear about us? with Instagram, Google, Friend',
      ['How did you hear about us?: one_of(Instagram|Google|Friend)'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction for a survey', () => {
  const form = generateByRules(
    'f',
    'Survey: rate our service from 1 to 5, would you recommend us (yes/no), comments (optional)',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Make comments required and limit them to 500 characters', ['Comments: paragraph[..500]']],
    ['Add N/A to the rating options', ['Rate our service: one_of(1|2|3|4|5|N/A)']],
    ['Remove everything but the rating', ['-would_you_recommend_us', '-comments']],
    [
      'Add "Prefer not to say" to would you recommend',
      ['Would you recommend us: one_of(yes|no|Prefer not to say)'],
    ],
    [
      'Change "Would you recommend us?" to "Would you tell a friend about us?"',
      ['Would you tell a friend about us?: one_of(yes|no)'],
    ],
    [
      'Add a follow-up question for ratings below 3: what went wrong?',
      ['What went wrong?: paragraph when rate_our_service is 1|2 after rate_our_service'],
    ],
    [
      'For ratings of 1 or 2 ask what went wrong',
      ['What went wrong: paragraph when rate_our_service is 1|2 after rate_our_service'],
    ],
    [
      'Add a "How can we improve?" question if they answer no to recommend',
      [
        'How can we improve?: paragraph when would_you_recommend_us is no after would_you_recommend_us',
      ],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction in Spanish that says more of what it adds', () => {
  const form = generateByRules(
    'f',
    'Formulario con nombre, correo, teléfono (opcional) y talla (S, M, L)',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Divide el formulario: nombre y correo en la primera pantalla, el resto en la segunda',
      ['screens: nombre, correo | telefono, talla'],
    ],
    ['Agrega un campo de ciudad, es opcional', ['Ciudad: text?']],
    ['Agrega la fecha de nacimiento, que sea opcional', ['Fecha de nacimiento: date?']],
    [
      'Agrega una pregunta: ¿Cómo nos conociste? con Instagram, Google, Amigo',
      ['¿Cómo nos conociste?: one_of(Instagram|Google|Amigo)'],
    ],
    ['Permite elegir varias tallas', ['Talla: some_of(S|M|L)']],
    ['Agrega una calificación del 1 al 5', ['Calificación: one_of(1|2|3|4|5)']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe("an instruction for a doctor's appointment", () => {
  const form = generateByRules(
    'f',
    'Appointment form: patient name, phone, doctor (Dr. Smith, Dr. Lee, Dr. Who), date, and notes',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Remove Dr. Lee from the list of doctors', ['Doctor: one_of(Dr. Smith|Dr. Who)']],
    ['Remove Dr. Lee', ['Doctor: one_of(Dr. Smith|Dr. Who)']],
    ['Add Dr. Gomez to doctor', ['Doctor: one_of(Dr. Smith|Dr. Lee|Dr. Who|Dr. Gomez)']],
    ["Add a question whether it's their first visit", ['Is it your first visit?: one_of(Yes|No)']],
    ["Add a question about whether they're insured", ['Are you insured?: one_of(Yes|No)']],
    [
      'Replace doctor with specialty: Cardiology, Dermatology, Pediatrics',
      ['Specialty: one_of(Cardiology|Dermatology|Pediatrics) after phone', '-doctor'],
    ],
    ['Limit the date to future dates', ['Date: date{Must be in the future}']],
    [
      'Change the form title to "Book your visit" and the button to "Book"',
      ['title: Book your visit', 'button: Book'],
    ],
    ['Make the notes multi-line and optional', ['Notes: paragraph?']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
