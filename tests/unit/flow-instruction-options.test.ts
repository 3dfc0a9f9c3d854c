import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe("an agent's instruction for a hotel", () => {
  const form = generateByRules(
    'f',
    'Hotel pre check-in: name, email, phone, check-in date, check-out date, room type (Single, Double, Suite), number of guests, special requests',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      "Add a field for the guest's nationality with a dropdown of common countries: Spain, France, Germany, Other.",
      ['Nationality: one_of(Spain|France|Germany|Other)'],
    ],
    [
      'Update "Room type" to include "Penthouse".',
      ['Room type: one_of(Single|Double|Suite|Penthouse)'],
    ],
    ['Delete "Single" from room type.', ['Room type: one_of(Double|Suite)']],
    [
      'Make check-out date required and add the hint "Check-out is at 11:00".',
      ['Check-out date: date{Check-out is at 11:00}'],
    ],
    [
      'Add a question before special requests: "Will you need parking?" with yes or no answers.',
      ['Will you need parking?: one_of(yes|no) after number_of_guests'],
    ],
    [
      'Change number of guests to a dropdown (1, 2, 3, 4+).',
      ['Number of guests: one_of(1|2|3|4+)'],
    ],
    ['Add "Airport transfer" as a checkbox.', ['Airport transfer: consent?']],
    [
      'Replace special requests by two fields: dietary needs and accessibility needs.',
      ['Dietary needs: text', 'Accessibility needs: text', '-special_requests'],
    ],
    ['Let guests pick more than one room type.', ['Room type: some_of(Single|Double|Suite)']],
    [
      'Add a consent: "I agree to the cancellation policy".',
      ['I agree to the cancellation policy: consent'],
    ],
    ['Remove the phone; we already have it from WhatsApp.', ['-phone']],
    [
      'The special requests field should be optional and limited to 300 characters.',
      ['Special requests: paragraph?[..300]'],
    ],
    [
      'Rename "Check-in date" -> "Arrival", "Check-out date" -> "Departure".',
      ['Arrival: date', 'Departure: date'],
    ],
    [
      'Swap the positions of email and phone.',
      [
        'order: name, phone, email, check_in_date, check_out_date, room_type, number_of_guests, special_requests',
      ],
    ],
    [
      'Ask for the estimated time of arrival (Morning, Afternoon, Evening) after check-in date.',
      ['Estimated time of arrival: one_of(Morning|Afternoon|Evening) after check_in_date'],
    ],
    [
      'Move the number of guests up one position.',
      [
        'order: name, email, phone, check_in_date, check_out_date, number_of_guests, room_type, special_requests',
      ],
    ],
    ["Number of guests can't exceed 6.", ['Number of guests: number{At most 6}']],
    [
      'Add a text input "Booking reference" at the top, not required.',
      ['Booking reference: text? first'],
    ],
    [
      'Set the title to "Pre check-in" and the CTA to "Confirm arrival".',
      ['title: Pre check-in', 'button: Confirm arrival'],
    ],
    [
      'Make name and email mandatory, everything else optional.',
      [
        'Phone: phone?',
        'Check-in date: date?',
        'Check-out date: date?',
        'Room type: one_of?(Single|Double|Suite)',
        'Number of guests: number?',
        'Special requests: paragraph?',
      ],
    ],
    ['Add a multi-line field for arrival notes.', ['Arrival notes: paragraph']],
    ['Remove all questions about dates.', ['-check_in_date', '-check_out_date']],
    [
      'Add a loyalty number field which appears only if the room type is Suite.',
      ['Loyalty number: text when room_type is Suite after room_type'],
    ],
    [
      'Change the wording of special requests to "Is there anything we can prepare for you?"',
      ['Is there anything we can prepare for you?: paragraph'],
    ],
    [
      'Add an intro text: "Fill this in before you arrive to skip the queue".',
      ['note: Fill this in before you arrive to skip the queue'],
    ],
    ['Add ID upload (front and back).', ['ID upload: document{Front, back}']],
    ['Use "Full name" instead of "Name".', ['Full name: text']],
    ['Sort room types alphabetically.', ['Room type: one_of(Double|Single|Suite)']],
    [
      'Add "Not sure yet" to the end of the room type options.',
      ['Room type: one_of(Single|Double|Suite|Not sure yet)'],
    ],
    [
      'The phone should come before the email.',
      [
        'order: name, phone, email, check_in_date, check_out_date, room_type, number_of_guests, special_requests',
      ],
    ],
    [
      'Create a second screen containing special requests and room type.',
      [
        'screens: name, email, phone, check_in_date, check_out_date | number_of_guests | special_requests, room_type',
      ],
    ],
    ["Collect the guest's birthday too.", ['Birthday: date']],
    ['Get rid of the last question.', ['-special_requests']],
    [
      'Keep just the dates and the name.',
      ['-email', '-phone', '-room_type', '-number_of_guests', '-special_requests'],
    ],
    ['Revert room type to a text field.', ['Room type: text']],
    [
      'Split check-in date into date and time.',
      ['Date: date after phone', 'Time: text after date', '-check_in_date'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe("an agent's instruction for a sign-up", () => {
  const form = generateByRules(
    'f',
    'Sign up: name, email, phone number (optional), password, plan (Basic, Pro, Team), accept terms',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Add a "Referral source" dropdown (Google, Instagram, Friend) to the last screen.',
      ['Referral source: one_of(Google|Instagram|Friend) after plan'],
    ],
    ['Add a checkbox "Send me a copy" that is unchecked by default.', ['Send me a copy: consent?']],
    [
      'Edit the "Plan" field: rename to "Subscription plan", options Basic, Pro, Team.',
      ['Subscription plan: one_of(Basic|Pro|Team)'],
    ],
    ['Only require email and password.', ['Name: text?', 'Plan: one_of?(Basic|Pro|Team)']],
    ['Make password at least 8 characters long.', ['Password: password[8..]']],
    ['Insert "Country" between email and plan.', ['Country: text after email']],
    ['Change "Plan" default to Pro.', ['Plan: one_of(Basic|Pro|Team)=Pro']],
    ['Delete "Team" and add "Enterprise".', ['Plan: one_of(Basic|Pro|Enterprise)']],
    [
      'Add three radio options to plan: Monthly, Quarterly, Yearly.',
      ['Plan: one_of(Basic|Pro|Team|Monthly|Quarterly|Yearly)'],
    ],
    [
      'Show a hint under password: "At least 8 characters".',
      ['Password: password{At least 8 characters}'],
    ],
    [
      'Replace "Name" with "First name" and "Last name".',
      ['First name: text first', 'Last name: text after first_name', '-name'],
    ],
    [
      'Add a second page asking for company name and company size (1-10, 11-50, 51+).',
      ['Company name: text', 'Company size: one_of(1-10|11-50|51+)'],
    ],
    ['Reorder plan options: Team, Pro, Basic.', ['Plan: one_of(Team|Pro|Basic)']],
    ['Phone number must start with +44.', ['Phone number: phone?{It must start with +44}']],
    [
      'Add input "VAT number" only when plan is Team.',
      ['VAT number: text when plan is Team after plan'],
    ],
    [
      'Update copy: title "Create your account", button "Sign up".',
      ['title: Create your account', 'button: Sign up'],
    ],
    ['Add a note under the title saying we never share data.', ['note: We never share data']],
    [
      'Change the question "Plan" to "Which plan do you want?" and keep the same options.',
      ['Which plan do you want?: one_of(Basic|Pro|Team)'],
    ],
    ['Add an age field that only accepts numbers from 18 to 99.', ['Age: number{From 18 to 99}']],
    [
      'Add emergency contact details (name and phone) on a new screen.',
      ['Emergency contact name: text', 'Emergency contact phone: phone'],
    ],
    [
      'Please drop the phone number field, and also make the name optional.',
      ['Name: text?', '-phone_number'],
    ],
    [
      'Insert a section for billing address: street, city, zip.',
      ['Street: text', 'City: text', 'Zip: text'],
    ],
    [
      'Change plan labels to "Basic (free)", "Pro ($9)", "Team ($29)".',
      ['Plan: one_of(Basic (free)|Pro ($9)|Team ($29))'],
    ],
    [
      'Add "I agree to receive newsletters" (optional checkbox) before the terms.',
      ['I agree to receive newsletters: consent? after plan'],
    ],
    [
      'Set all fields to optional.',
      [
        'Name: text?',
        'Email: email?',
        'Password: password?',
        'Plan: one_of?(Basic|Pro|Team)',
        'I accept the terms and conditions: consent?',
      ],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
