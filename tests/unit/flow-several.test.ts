import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('how many may be chosen, in the words of people', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Name, toppings (cheese, ham, olives), they can pick more than one',
      ['Name: text', 'Toppings: some_of cheese|ham|olives'],
    ],
    [
      'Name and toppings: cheese, ham, olives. They can pick up to two.',
      ['Name: text', 'Toppings: some_of cheese|ham|olives ..2'],
    ],
    [
      'Which services do you need (select all): wash, wax, polish',
      ['Which services do you need?: some_of wash|wax|polish'],
    ],
    [
      'How did you hear about us (select one): Google, friend, other',
      ['How did you hear about us?: one_of Google|friend|other'],
    ],
    ['What size do you need (S, M, L)', ['What size do you need?: one_of S|M|L']],
    [
      'Ask which languages they speak, they can select several: English, Spanish, French',
      ['Which languages you speak: some_of English|Spanish|French'],
    ],
    [
      'Ask their interests with checkboxes: music, sport, art',
      ['Interests: some_of music|sport|art'],
    ],
    ['Ask their size with a dropdown: S, M, L', ['Size: one_of S|M|L']],
    [
      'Ask for two toppings out of cheese, ham and olives',
      ['Toppings: some_of cheese|ham|olives 2..2'],
    ],
    [
      'Ask for exactly two toppings from cheese, ham, olives',
      ['Toppings: some_of cheese|ham|olives 2..2'],
    ],
    [
      'Sides (multi): fries, salad, rice. Drink (single): cola, water',
      ['Sides: some_of fries|salad|rice', 'Drink: one_of cola|water'],
    ],
    ['Multi-select for sides with fries, salad and rice', ['Sides: some_of fries|salad|rice']],
    [
      'A multiple choice question about sides: fries, salad, rice',
      ['Sides: some_of fries|salad|rice'],
    ],
    ['A single choice question about size: S, M, L', ['Size: one_of S|M|L']],
    [
      '¿Qué acompañamientos quiere? Puede elegir varios: papas, ensalada, arroz',
      ['¿Qué acompañamientos quiere?: some_of papas|ensalada|arroz'],
    ],
    [
      'Acompañamientos (elige todos los que quieras): papas, ensalada, arroz',
      ['Acompañamientos: some_of papas|ensalada|arroz'],
    ],
    [
      'Acompañamientos, máximo 2: papas, ensalada, arroz',
      ['Acompañamientos: some_of papas|ensalada|arroz ..2'],
    ],
    ['Symptoms checklist: fever, cough, headache', ['Symptoms: some_of fever|cough|headache']],
    ['Name and size: S, M, L', ['Name: text', 'Size: one_of S|M|L']],
    ['Size [single choice]: S, M, L', ['Size: one_of S|M|L']],
    ['Sides - up to 2: fries, salad, rice', ['Sides: some_of fries|salad|rice ..2']],
    [
      'Sides (multiple choice, min 1, max 2): fries, salad, rice',
      ['Sides: some_of fries|salad|rice 1..2'],
    ],
  ])('%j is read as it is meant', (prompt, asked) => {
    expect(shown(generateByRules('f', prompt))).toEqual(asked)
  })
})

describe('what is said of a thing behind it', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Name and phone, phone must start with +34',
      ['Name: text', 'Phone: phone (Must start with +34)'],
    ],
    [
      'Name and number of guests (1 to 10)',
      ['Name: text', 'Number of guests: one_of 1|2|3|4|5|6|7|8|9|10'],
    ],
    ['Name and party size, at most 8 people', ['Name: text', 'Party size: number (At most 8)']],
    [
      'Name and a date of birth, they must be at least 18',
      ['Name: text', 'Date of birth: date (Must be at least 18)'],
    ],
    [
      'Date between June 1 and June 30, name',
      ['Date: date (Between June 1 and June 30)', 'Name: text'],
    ],
    ['Check-in / check-out, guests', ['Check-in: date', 'Check-out: date', 'Guests: number']],
    [
      'A short answer for name and a long answer for feedback',
      ['Name: text', 'Feedback: paragraph'],
    ],
    ['Feedback as long text, name as short text', ['Feedback: paragraph', 'Name: text']],
    [
      'Date (no Sundays), email (company email only)',
      ['Date: date (No Sundays)', 'Email: email (Company email only)'],
    ],
    [
      'Date (Monday to Friday), size (see our chart)',
      ['Date: date (Monday to Friday)', 'Size: text (See our chart)'],
    ],
  ])('%j is read as it is meant', (prompt, asked) => {
    expect(shown(generateByRules('f', prompt))).toEqual(asked)
  })
})

describe('what only looks like choices', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Sign-up form with multiple fields: name, email, phone',
      ['Name: text', 'Email: email', 'Phone: phone'],
    ],
    [
      'Order with several items, quantity, address',
      ['Items: text', 'Quantity: number', 'Address: text'],
    ],
    [
      'Ask for 2 references from work, name and phone',
      ['2 references from work: text', 'Name: text', 'Phone: phone'],
    ],
    ['Two tickets from Madrid, name and date', ['Name: text', 'Date: date']],
    ['Open day between 5 May and 7 May: name, phone', ['Name: text', 'Phone: phone']],
  ])('%j is read as it is meant', (prompt, asked) => {
    expect(shown(generateByRules('f', prompt))).toEqual(asked)
  })
})
