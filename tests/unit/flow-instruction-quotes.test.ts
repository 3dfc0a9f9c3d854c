import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction with texts of its own', () => {
  const form = generateByRules(
    'f',
    'Order: name, phone, email, date, size (S, M, L), course (Painting, Drawing), notes, comment',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Rename notes to "Use A instead of B"', ['Use A instead of B: paragraph']],
    ['Change the title to "Sign up -> now"', ['title: Sign up -> now']],
    [
      'Add the hint "Please pay. Keep the receipt; remove the rest." to notes',
      ['Notes: paragraph{Please pay. Keep the receipt; remove the rest.}'],
    ],
    ['Hide notes if a course is Painting', ['Notes: paragraph when course is Drawing']],
    ['Hide notes if course is Painting', ['Notes: paragraph when course is Drawing']],
    ['Rename comment as text', ['Text: paragraph']],
    [
      'Add an Other option to size and ask them to specify',
      ['Size: one_of(S|M|L|Other)', 'Please specify: text when size is Other after size'],
    ],
    [
      'Add "Unlisted" to size and ask them to specify',
      ['Size: one_of(S|M|L|Unlisted)', 'Please specify: text when size is Unlisted after size'],
    ],
    ['Change "Submit" to "Send it"', ['button: Send it']],
    ['Set a limit of 200 on the notes', ['Notes: paragraph[..200]']],
    ['Change the button to "Keep name; remove the rest"', ['button: Keep name; remove the rest']],
    [
      'Add a note at the top saying "For cats, ask the vet: call 555"',
      ['note: For cats, ask the vet: call 555'],
    ],
    ['Rename notes to "Title: yours"', ['Title: yours: paragraph']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction of several steps', () => {
  const form = generateByRules('f', 'Order: name, phone, size (S, M, L), notes')
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Merge name and phone into one field called Contact, add "Other" to size and ask them to specify, and make notes optional',
      [
        'Contact: text first',
        'Size: one_of(S|M|L|Other)',
        'Please specify: text when size is Other after size',
        'Notes: paragraph?',
        '-name',
        '-phone',
      ],
    ],
    [
      'Add "Other" to size and ask them to describe it',
      ['Size: one_of(S|M|L|Other)', 'Please describe: paragraph when size is Other after size'],
    ],
    [
      'Add an Other option to size, and have customers explain',
      ['Size: one_of(S|M|L|Other)', 'Please explain: paragraph when size is Other after size'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

it.each(['Ask them to specify', 'Add a comment and ask them to explain'])(
  'an instruction that tells nobody who is to answer changes nothing: %s',
  (instruction) => {
    const form = generateByRules('f', 'Order: name, phone, size (S, M, L), notes')
    expect(changesBy(form, instruction)).toEqual(['refused'])
  },
)

it('moves a choice of the field that is named, where others have it as well', () => {
  const form = generateByRules('f', 'Order: hat (S, M, L), shirt (S, M, L), name')
  expect(changesBy(form, 'Put L first in shirt')).toEqual(['Shirt: one_of(L|S|M)'])
  expect(changesBy(form, 'Put L first')).toEqual(['refused'])
})
