import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('an instruction about who is asked', () => {
  const BASE = 'Form with name, phone (optional), size (S, M, L), and the waist if L'
  const [NAME, PHONE, SIZE, WAIST] = [
    'Name: text',
    'Phone?: phone',
    'Size: one_of S|M|L',
    'Waist: text if size is L',
  ] as const
  const OF_L = 'Phone?: phone if size is L'

  it.each<[instruction: string, asked: string[]]>([
    ['Only ask for the phone if size is L', [NAME, SIZE, OF_L, WAIST]],
    ['Show the phone only when they choose L', [NAME, SIZE, OF_L, WAIST]],
    ['Hide the phone unless size is L', [NAME, SIZE, OF_L, WAIST]],
    ['Hide the phone if size is S', [NAME, SIZE, 'Phone?: phone if size is M|L', WAIST]],
    ['The phone is only needed for size L', [NAME, SIZE, OF_L, WAIST]],
    ['Phone should only be shown for size L', [NAME, SIZE, OF_L, WAIST]],
    ['If they choose L, also ask for the phone', [NAME, SIZE, OF_L, WAIST]],
    ['Si elige L, pide el teléfono', [NAME, SIZE, OF_L, WAIST]],
    ['If they choose S, ask for the age', [NAME, PHONE, SIZE, WAIST, 'Age: number if size is S']],
    [
      'If size is L, ask for the hip size and add a comment',
      [NAME, PHONE, SIZE, WAIST, 'Hip size: text if size is L', 'Comment: paragraph'],
    ],
    [
      'Add a gift note if they choose M',
      [NAME, PHONE, SIZE, WAIST, 'Gift note: paragraph if size is M'],
    ],
    [
      'Add whether they are a member, and if so their member number',
      [
        NAME,
        PHONE,
        SIZE,
        WAIST,
        'Are you a member?: one_of Yes|No',
        'Member number: text if they_are_a_member is Yes',
      ],
    ],
    [
      'Add "Do you smoke?" with yes and no. If yes, ask how many per day.',
      [
        NAME,
        PHONE,
        SIZE,
        WAIST,
        'Do you smoke?: one_of yes|no',
        'How many per day: number if do_you_smoke is yes',
      ],
    ],
    ['Show the phone for L only', [NAME, SIZE, OF_L, WAIST]],
    [
      'Add a gift note that appears only if size is M',
      [NAME, PHONE, SIZE, WAIST, 'Gift note: paragraph if size is M'],
    ],
    ['Make the waist always visible', [NAME, PHONE, SIZE, 'Waist: text']],
    ['Remove the condition from the waist', [NAME, PHONE, SIZE, 'Waist: text']],
    ['Always ask for the waist', [NAME, PHONE, SIZE, 'Waist: text']],
    ['Show the waist to everyone', [NAME, PHONE, SIZE, 'Waist: text']],
    // Other changes leave conditions as they are, or as much of them as is left.
    ['Change L to Large', [NAME, PHONE, 'Size: one_of S|M|Large', 'Waist: text if size is Large']],
    ['Rename size to T-shirt size', [NAME, PHONE, 'T-shirt size: one_of S|M|L', WAIST]],
    ['Make the waist optional', [NAME, PHONE, SIZE, 'Waist?: text if size is L']],
    ['Remove the size', [NAME, PHONE, 'Waist?: text']],
    ['Allow several sizes', [NAME, PHONE, 'Size: some_of S|M|L', 'Waist?: text (Only if: L)']],
    ['Move the size to the end', [NAME, PHONE, 'Waist?: text (Only if: L)', SIZE]],
  ])('%j', (instruction, expected) => {
    expect(shown(updateByRules(generateByRules('f', BASE), instruction))).toEqual(expected)
  })

  it.each([
    'Show the phone only if they want news',
    'If they pick XL, ask for a colour',
    'Only ask for the fax if size is L and they are tall',
  ])('is refused where nobody gives such an answer: %j', (instruction) => {
    expect(updateByRules(generateByRules('f', BASE), instruction)).toEqual(expect.any(String))
  })
})

it.each<[instruction: string, added: string[]]>([
  [
    'Add a nickname and a comment (max 200 characters)',
    ['Nickname: text', 'Comment: paragraph ..200'],
  ],
  ['Add up to 3 photos and a note', ['Photos: photo ..3', 'Note: paragraph']],
  [
    'Add a comment of at most 200 characters and an age between 18 and 99',
    ['Comment: paragraph ..200', 'Age: number (From 18 to 99)'],
  ],
])('limits are heeded where several things are added at once: %j', (instruction, added) => {
  const after = shown(updateByRules(generateByRules('f', 'Form with name and email'), instruction))
  expect(after).toEqual(['Name: text', 'Email: email', ...added])
})
