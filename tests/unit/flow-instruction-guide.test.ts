import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('what the guide says of instructions', () => {
  const form = generateByRules(
    'f',
    'Order: name, phone, email, date of birth, age, date, time, size (S, M, L), course (Painting, Drawing, Other), entry: delivery or pickup, toppings (ham, olives, corn), quantity, address, owner name, owner email, notes, comment',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['I forgot the budget', ['Budget: number']],
    [
      'Add "How did you find us?" as a dropdown with Google, a friend',
      ['How did you find us?: one_of(Google|a friend)'],
    ],
    ['Let customers attach up to 3 photos', ['Photos: photo?[..3]']],
    ['Remove the phone, we never call', ['-phone']],
    ['Drop the last two questions', ['-notes', '-comment']],
    [
      'Delete everything after the date',
      [
        '-time',
        '-size',
        '-course',
        '-entry',
        '-toppings',
        '-quantity',
        '-address',
        '-owner_name',
        '-owner_email',
        '-notes',
        '-comment',
      ],
    ],
    [
      'Keep only name and email',
      [
        '-phone',
        '-date_of_birth',
        '-age',
        '-date',
        '-time',
        '-size',
        '-course',
        '-entry',
        '-toppings',
        '-quantity',
        '-address',
        '-owner_name',
        '-owner_email',
        '-notes',
        '-comment',
      ],
    ],
    [
      'Split the name into first and last name',
      ['First name: text first', 'Last name: text after first_name', '-name'],
    ],
    ['Combine date and time into one field', ['Date and time: text after age', '-date', '-time']],
    ['Duplicate the email as work email', ['Work email: email after email']],
    ['Change "Size" to "T-shirt size"', ['T-shirt size: one_of(S|M|L)']],
    ['Notes -> Special requests', ['Special requests: paragraph']],
    ['Make the notes a short text', ['Notes: text']],
    ['Age should be a dropdown: under 18, 18-64, 65+', ['Age: one_of(under 18|18-64|65+)']],
    ['Add XL to the sizes', ['Size: one_of(S|M|L|XL)']],
    ['Take Painting off the list', ['Course: one_of(Drawing|Other)']],
    ['Rename M to Medium', ['Size: one_of(S|Medium|L)']],
    ['Add XS before S', ['Size: one_of(XS|S|M|L)']],
    ['Put L first in size', ['Size: one_of(L|S|M)']],
    ['Allow several sizes', ['Size: some_of(S|M|L)']],
    ['They must pick at least two toppings', ['Toppings: some_of(ham|olives|corn)[2..]']],
    [
      'Make name and phone required and the rest optional',
      [
        'Email: email?',
        'Date of birth: date?',
        'Age: number?',
        'Date: date?',
        'Time: text?',
        'Size: one_of?(S|M|L)',
        'Course: one_of?(Painting|Drawing|Other)',
        'Entry: one_of?(delivery|pickup)',
        'Toppings: some_of?(ham|olives|corn)',
        'Quantity: number?',
        'Address: text?',
        'Owner name: text?',
        'Owner email: email?',
        'Notes: paragraph?',
        'Comment: paragraph?',
      ],
    ],
    ['Phone (optional)', ['Phone: phone?']],
    ['Limit the comment to 200 characters', ['Comment: paragraph[..200]']],
    ['Quantity must be between 1 and 10', ['Quantity: number{From 1 to 10}']],
    ['By default, the size should be M', ['Size: one_of(S|M|L)=M']],
    [
      'Move name and phone to the end',
      [
        'order: email, date_of_birth, age, date, time, size, course, entry, toppings, quantity, address, owner_name, owner_email, notes, comment, name, phone',
      ],
    ],
    [
      'Put the date between name and phone',
      [
        'order: name, date, phone, email, date_of_birth, age, time, size, course, entry, toppings, quantity, address, owner_name, owner_email, notes, comment',
      ],
    ],
    [
      'Move everything after email to a second screen',
      [
        'screens: name, phone, email | date_of_birth, age, date, time, size | course, entry, toppings, quantity, address | owner_name, owner_email, notes, comment',
      ],
    ],
    [
      'Put the owner details on the last page',
      [
        'screens: name, phone, email, date_of_birth, age | date, time, size, course, entry | toppings, quantity, address | notes, comment, owner_name, owner_email',
      ],
    ],
    [
      'Start a new page after email',
      [
        'screens: name, phone, email | date_of_birth, age, date, time, size | course, entry, toppings, quantity, address | owner_name, owner_email, notes, comment',
      ],
    ],
    ['Show the address only if they choose delivery', ['Address: text when entry is delivery']],
    ['If they pick Other, ask which one', ['Which one: text when course is Other after course']],
    ["Don't ask for the address if they choose pickup", ['Address: text when entry is delivery']],
    [
      'Change the title to Orders and the button to Book now',
      ['title: Orders', 'button: Book now'],
    ],
    ['Add a note that prices include tax', ['note: Prices include tax']],
    [
      'Explain under the phone that we never call at night',
      ['Phone: phone{We never call at night}'],
    ],
    ['Skip the summary', ['reviewed: false']],
    ['Add city and street, and make them optional', ['City: text?', 'Street: text?']],
    [
      'Rename the "Size" dropdown to "Shirt size" and add the option "XL"',
      ['Shirt size: one_of(S|M|L|XL)'],
    ],
    ["Set the notes' max length to 500", ['Notes: paragraph[..500]']],
    ['Change the size options to S, M, XL', ['Size: one_of(S|M|XL)']],
    ['Remove page 2', ['-date', '-time', '-size', '-course', '-entry']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('what the guide says of screens', () => {
  const form = generateByRules(
    'f',
    'A form in 2 steps: Contact (email, phone), Delivery (address, date)',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Add the budget to screen 1',
      ['Budget: number after phone', 'screens: email, phone, budget | address, date'],
    ],
    ['Merge screens 1 and 2', ['screens: email, phone, address, date']],
    ['Remove page 2', ['-address', '-date', 'screens: email, phone']],
    [
      '1. Add the budget to screen 1\n2. Remove the date',
      ['Budget: number after phone', '-date', 'screens: email, phone, budget | address'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
