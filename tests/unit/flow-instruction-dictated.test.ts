import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction as people dictate it', () => {
  const form = generateByRules('f', 'Form with name, email, phone (optional) and size (S, M, L)')
  const CASES: [instruction: string, changes: string[]][] = [
    ['The size options should be S, M, L and XL only', ['Size: one_of(S|M|L|XL)']],
    ['I forgot: also ask for the company name, optional', ['Company name: text?']],
    ['Split it into two pages, the second with the size', ['screens: name, email, phone | size']],
    ['Change size into a free text field', ['Size: text']],
    [
      'Insert a dropdown with countries Spain, France and Italy after phone',
      ['Countries: one_of(Spain|France|Italy) after phone'],
    ],
    ['Show "We reply within a day" at the top', ['note: We reply within a day']],
    ['Use checkboxes instead for size', ['Size: some_of(S|M|L)']],
    ['Add placeholder text to the email: name@company.com', ['Email: email{name@company.com}']],
    ['We need the surname as well, after the name', ['Surname: text after name']],
    ['Take the phone off', ['-phone']],
    ['Can the email come last?', ['order: name, phone, size, email']],
    [
      'Add a question about how they found us with Instagram, a friend, other',
      ['How you found us: one_of(Instagram|a friend|other)'],
    ],
    ['Make size a multi-select with max 2', ['Size: some_of(S|M|L)[..2]']],
    ['Also we want the city', ['City: text']],
    ['no more size question', ['-size']],
    ['Add a photo upload for the receipt, up to 3', ['Photo of receipt: photo[..3]']],
    [
      'Ask "Is this a gift?" yes or no, and if yes ask for the gift message',
      ['Is this a gift?: one_of(Yes|No)', 'Gift message: paragraph when is_this_a_gift is Yes'],
    ],
    ['Replace the phone with a landline number', ['Landline number: phone after email', '-phone']],
    ['Add a date picker for the delivery, not in the past', ['Delivery: date{Not in the past}']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
