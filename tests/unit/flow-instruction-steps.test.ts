import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction for the form of a hotel', () => {
  const form = generateByRules(
    'f',
    'Room booking: name, phone, date, room type (Single, Double), notes',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Add a question about smoking and make it a yes/no', ['Smoking: one_of(Yes|No)']],
    [
      'Add "How did you find us?" as a dropdown with Google, Facebook, Friend',
      ['How did you find us?: one_of(Google|Facebook|Friend)'],
    ],
    ['add email, it should be optional', ['Email: email?']],
    [
      'Add city, state and zip code before notes and make them optional',
      ['City: text? after room_type', 'State: text? after city', 'Zip code: text? after state'],
    ],
    [
      'Remove notes. Add a rating from 1 to 5. Change the button to Done.',
      ['Rating: one_of(1|2|3|4|5)', '-notes', 'button: Done'],
    ],
    [
      'Move date to the end, rename it to Visit date, and make it optional',
      ['Visit date: date?', 'order: name, phone, room_type, notes, date'],
    ],
    ['Rename name to Full name and move phone below it', ['Full name: text']],
    ['First add age, then remove notes', ['Age: number', '-notes']],
    [
      'Replace room type options with Single, Double, Suite and Family',
      ['Room type: one_of(Single|Double|Suite|Family)'],
    ],
    ['Add Suite to the room types, remove Single', ['Room type: one_of(Double|Suite)']],
    ['Make room type multiple choice and limit it to 2', ['Room type: some_of(Single|Double)']],
    ['Ask for number of guests (1-6)', ['Number of guests: one_of(1|2|3|4|5|6)']],
    [
      'Add check-in and check-out dates instead of date',
      ['Check-in date: date after phone', 'Check-out date: date after check_in_date', '-date'],
    ],
    [
      'Use two dates: check-in and check-out instead of date',
      ['Check-in date: date after phone', 'Check-out date: date after check_in_date', '-date'],
    ],
    ['Add breakfast included? (yes/no)', ['Breakfast included?: one_of(yes|no)']],
    ['Hide notes for Single rooms', ['Notes: paragraph when room_type is Double']],
    ['Phone: add hint "with country code"', ['Phone: phone{With country code}']],
    ['Phone (optional)', ['Phone: phone?']],
    ['Notes -> Special requests', ['Special requests: paragraph']],
    ['Change notes label: Special requests', ['Special requests: paragraph']],
    ['Title -> Room booking', ['title: Room booking']],
    ['Button -> Book', ['button: Book']],
    ['Delete phone; add WhatsApp', ['WhatsApp: phone', '-phone']],
    [
      'Delete phone, add WhatsApp number in its place',
      ['WhatsApp number: phone after name', '-phone'],
    ],
    ['Put WhatsApp number in place of phone', ['WhatsApp number: phone after name', '-phone']],
    ["Let's drop the notes and instead ask for arrival time", ['Arrival time: text', '-notes']],
    ['Change date to date and time', ['Date and time: date']],
    ['Split date into date and time', ['Time: text after date']],
    [
      'Add time after date with options 9:00, 12:00, 15:00',
      ['Time: one_of(9:00|12:00|15:00) after date'],
    ],
    ['Add number of nights, default 1', ['Number of nights: number=1']],
    ['Add number of nights with a default of 1', ['Number of nights: number=1']],
    ['keep name, phone and date; remove the rest', ['-room_type', '-notes']],
    ['Remove everything else but keep name and phone', ['-date', '-room_type', '-notes']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
