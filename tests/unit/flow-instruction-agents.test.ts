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

describe("an agent's instruction for an order", () => {
  const form = generateByRules(
    'f',
    'Order: name, phone, address, product (Cake, Bread, Cookie), quantity, delivery time (Morning, Evening), date as text, notes (optional)',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Modify the "Delivery time" dropdown to have the options: Morning, Afternoon, Evening.',
      ['Delivery time: one_of(Morning|Afternoon|Evening)'],
    ],
    [
      'Add a new required field "Apartment" (short text) below "Address".',
      ['Apartment: text after address'],
    ],
    ['Remove the "Notes" field from the form.', ['-notes']],
    ['Change "Phone" so it is no longer required.', ['Phone: phone?']],
    [
      'Insert a yes/no question "Is this a gift?" before Notes.',
      ['Is this a gift?: one_of(yes|no) after date'],
    ],
    [
      'Update delivery time options: replace "Evening" with "Night".',
      ['Delivery time: one_of(Morning|Night)'],
    ],
    [
      'Add two more options to product: Brownie and Muffin.',
      ['Product: one_of(Cake|Bread|Cookie|Brownie|Muffin)'],
    ],
    ['The product list should be sorted A-Z.', ['Product: one_of(Bread|Cake|Cookie)']],
    ['Make product a multi-select with a maximum of 3.', ['Product: some_of(Cake|Bread|Cookie)']],
    ['Quantity should be a number between 1 and 20.', ['Quantity: number{From 1 to 20}']],
    ['Set a default value of 1 for quantity.', ['Quantity: number=1']],
    [
      'Change the label "Notes" to "Special instructions" and limit it to 200 characters.',
      ['Special instructions: paragraph?[..200]'],
    ],
    [
      'Add a description under the title: "Orders before noon are delivered the same day".',
      ['note: Orders before noon are delivered the same day'],
    ],
    ['Add an "I accept the terms" checkbox as the last field.', ['I accept the terms: consent']],
    [
      'Put the address fields on their own page.',
      ['screens: name, phone, product, quantity | delivery_time, date, notes | address'],
    ],
    ['Add email confirmation field.', ['Email confirmation: email']],
    ['Add a coupon code field, optional, max 10 characters.', ['Coupon code: text?[..10]']],
    ['Set the submit button to "Place order".', ['button: Place order']],
    ['Remove the requirement for address.', ['Address: text?']],
    [
      'Add a delivery method question: Home delivery or Pickup, placed before the address.',
      ['Delivery method: one_of(Home delivery|Pickup) after phone'],
    ],
    [
      'Add instructions at the beginning: "Please fill in all fields".',
      ['note: Please fill in all fields'],
    ],
    [
      'Make the form ask for first name and last name separately.',
      ['First name: text first', 'Last name: text after first_name', '-name'],
    ],
    [
      'Rename "Product" to "Item" and change its options to Cake, Bread, Cookies.',
      ['Item: one_of(Cake|Bread|Cookies)'],
    ],
    [
      'Add a "Other" option to Product and, when chosen, ask them to specify.',
      [
        'Product: one_of(Cake|Bread|Cookie|Other)',
        'Please specify: text when product is Other after product',
      ],
    ],
    ['Set product as optional and phone as required.', ['Product: one_of?(Cake|Bread|Cookie)']],
    [
      'Change quantity from a number field to a dropdown with values 1-10.',
      ['Quantity: one_of(1|2|3|4|5|6|7|8|9|10)'],
    ],
    [
      'Clear the options of product and use Small, Medium, Large instead.',
      ['Product: one_of(Small|Medium|Large)'],
    ],
    [
      'Add a field to capture the order reference number at the very beginning.',
      ['Order reference number: text first'],
    ],
    [
      'Include a photo upload for reference (not required).',
      ['Photo upload for reference: photo?'],
    ],
    [
      'Change the flow so product is asked first, then quantity, then name.',
      ['order: product, quantity, name, phone, address, delivery_time, date, notes'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
