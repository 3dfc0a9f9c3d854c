import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

const asks = (prompt: string) => shown(generateByRules('form', prompt))

describe('an answer that is given beforehand', () => {
  const PROMPTS: [prompt: string, asked: string[]][] = [
    [
      'Size (S, M, L; default M), quantity, default 1, and notes',
      ['Size: one_of S|M|L = M', 'Quantity: number = 1', 'Notes: paragraph'],
    ],
    [
      'Colour (red, blue (default), green), country (default: Spain)',
      ['Colour: one_of red|blue|green = blue', 'Country: text = Spain'],
    ],
    [
      'Shipping: standard or express (standard by default)',
      ['Shipping: one_of standard|express = standard'],
    ],
    ['Name, email with default "a@b.co"', ['Name: text', 'Email: email = a@b.co']],
    ['Size (S, M) with M as the default, date', ['Size: one_of S|M = M', 'Date: date']],
    [
      'Ask for size (S, M) and date. The default size is m.',
      ['Size: one_of S|M = M', 'Date: date'],
    ],
    [
      'Extras (wifi, spa, bar; choose up to 2) with the default "spa", name',
      ['Extras: some_of wifi|spa|bar ..2 = spa', 'Name: text'],
    ],
    [
      'Número de personas, por defecto 2, talla (S, M, por defecto M)',
      ['Número de personas: number = 2', 'Talla: one_of S|M = M'],
    ],
    [
      'Country (A, B, C, D, E, F, G, H, I; default C) and city',
      ['Country: one_of A|B|C|D|E|F|G|H|I = C', 'City: text'],
    ],
    [
      JSON.stringify({
        properties: {
          size: { enum: ['S', 'M'], default: 'M' },
          quantity: { type: 'integer', minimum: 1, maximum: 100, default: 2 },
          gift: { type: 'boolean', default: false },
          day: { type: 'string', format: 'date', default: '2026-12-01' },
        },
      }),
      [
        'Size: one_of S|M = M',
        'Quantity: number (From 1 to 100) = 2',
        'Gift: one_of yes|no = no',
        'Day: date = 2026-12-01',
      ],
    ],
    [
      '| Field | Type | Default |\n|---|---|---|\n| Size | S, M | M |\n| City | text | Paris |',
      ['Size: one_of S|M = M', 'City: text = Paris'],
    ],
  ]
  it.each(PROMPTS)('%j stands there until the customer changes it', (prompt, asked) => {
    expect(asks(prompt)).toEqual(asked)
  })

  const NONE: [prompt: string, asked: string[]][] = [
    ['Name (max 10 characters, default Maximiliano)', ['Name: text ..10']],
    ['Size (S, M; default XL), name', ['Size: one_of S|M', 'Name: text']],
    ['Date (default tomorrow), name', ['Date: date', 'Name: text']],
    ['Email (default none), age (default old)', ['Email: email', 'Age: number']],
    ['Name, I accept the terms (default yes)', ['Name: text', 'I accept the terms: consent']],
    ['Password (default secret), name', ['Password: password', 'Name: text']],
    ['Fields: default email, name', ['Default email: email', 'Name: text']],
  ]
  it.each(NONE)('%j is none that could stand there', (prompt, asked) => {
    expect(asks(prompt)).toEqual(asked)
  })

  const BUILT = generateByRules('order', 'Name, size (S, M; default S), notes')
  const [name, size, notes] = shown(BUILT)

  const EDITS: [instruction: string, asked: (string | undefined)[]][] = [
    ['Set the default size to M', [name, 'Size: one_of S|M = M', notes]],
    ['Make size default to M', [name, 'Size: one_of S|M = M', notes]],
    ['Make M the default size', [name, 'Size: one_of S|M = M', notes]],
    ['Preselect M for size', [name, 'Size: one_of S|M = M', notes]],
    ['Default the name to Ana', ['Name: text = Ana', size, notes]],
    ['Pon el valor por defecto de size a M', [name, 'Size: one_of S|M = M', notes]],
    ['Remove the default of size', [name, 'Size: one_of S|M', notes]],
    ['Add a country with default Spain', [name, size, notes, 'Country: text = Spain']],
    ['Remove the option S from size, add the option L to size', [name, 'Size: one_of M|L', notes]],
    ['Make the size a yes/no question', [name, 'Size: one_of Yes|No', notes]],
  ]
  it.each(EDITS)('%j changes it', (instruction, asked) => {
    expect(shown(updateByRules(BUILT, instruction))).toEqual(asked)
  })

  it.each([
    'Set the default size to XXL',
    'Set a default value for name',
    'Remove the default of name',
    'Preselect S for name and country',
  ])('%j is refused, since there is no such thing', (instruction) => {
    expect(updateByRules(BUILT, instruction)).toEqual(expect.any(String))
  })
})
