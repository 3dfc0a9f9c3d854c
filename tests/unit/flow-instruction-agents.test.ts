import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe("an agent's further instruction for a request", () => {
  const form = generateByRules(
    'f',
    'Service request: full name, email, phone (optional), service (Installation, Repair, Maintenance), address, date, comments',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Add a field: { "label": "Company", "type": "text", "required": false }', ['Company: text?']],
    [
      'Insert "Budget" (dropdown: Low, Medium, High) before comments.',
      ['Budget: one_of(Low|Medium|High) after date'],
    ],
    [
      'Replace "Address" with "Street", "City" and "ZIP".',
      ['Street: text after service', 'City: text after street', 'ZIP: text after city', '-address'],
    ],
    ['Make "Date" optional and rename it to "Preferred date".', ['Preferred date: date?']],
    [
      'Reword "Comments" to something friendlier: "Anything we should know?"',
      ['Anything we should know?: paragraph'],
    ],
    [
      'Update the title to "Request a visit" and add the note "We answer within 24 hours" at the top.',
      ['title: Request a visit', 'note: We answer within 24 hours'],
    ],
    ['Remove fields: email, address.', ['-email', '-address']],
    ['Remove the following fields: email, address', ['-email', '-address']],
    [
      'Add the following fields:\n- Company (text, optional)\n- Budget (dropdown: Low, High)',
      ['Company: text?', 'Budget: one_of(Low|High)'],
    ],
    ['Change Service options to: Install, Fix, Inspect.', ['Service: one_of(Install|Fix|Inspect)']],
    [
      'Set Service to allow multiple selections.',
      ['Service: some_of(Installation|Repair|Maintenance)'],
    ],
    [
      'Please add a new question asking how urgent the request is, with options Low, Medium and High, and put it right after service.',
      ['How urgent the request is: one_of(Low|Medium|High) after service'],
    ],
    ['Ensure that the phone number has 10 digits.', ['Phone: phone?{10 digits}']],
    ['Mark address as optional; mark phone as required.', ['Phone: phone', 'Address: text?']],
    [
      'Add a "Preferred contact method" radio group (Email, Phone, WhatsApp) and make it required.',
      ['Preferred contact method: one_of(Email|Phone|WhatsApp)'],
    ],
    [
      'Hide address unless service is Installation.',
      ['Address: text when service is Installation'],
    ],
    [
      'Address should only be visible if Service = Installation.',
      ['Address: text when service is Installation'],
    ],
    [
      'When service equals "Repair", display a text area "Describe the fault".',
      ['Describe the fault: paragraph when service is Repair after service'],
    ],
    ['Rename field "phone" to "Mobile number".', ['Mobile number: phone?']],
    ['Change "date" from a date picker to a text field.', ['Date: text']],
    [
      'Move "comments" to the top.',
      ['order: comments, full_name, email, phone, service, address, date'],
    ],
    [
      'Position the phone field above the email field.',
      ['order: full_name, phone, email, service, address, date, comments'],
    ],
    [
      'Add an image upload field called "Photo of the unit" (max 3 images).',
      ['Photo of the unit: photo[..3]'],
    ],
    ['Change the form\'s title from "Form" to "Service visit".', ['title: Service visit']],
    ['Add placeholder "e.g. 12 Main St" to address.', ['Address: text{E.g. 12 Main St}']],
    ['Make comments a single-line text.', ['Comments: text']],
    ['Increase the comments limit to 1000 characters.', ['Comments: paragraph[..1000]']],
    ['Disable the summary screen.', ['reviewed: false']],
    [
      'Add "None of the above" as the last option of service.',
      ['Service: one_of(Installation|Repair|Maintenance|None of the above)'],
    ],
    [
      'Put full name, email and phone on screen 1 and everything else on screen 2.',
      ['screens: full_name, email, phone | service, address, date, comments'],
    ],
    ['Add help text under date: "Monday to Friday only".', ['Date: date{Monday to Friday only}']],
    ['Delete all optional fields.', ['-phone']],
    [
      'Add a rating question (1-5 stars) named "How was our service?"',
      ['How was our service?: one_of(1|2|3|4|5)'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
