import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction for the form of a school', () => {
  const form = generateByRules(
    'f',
    'Course sign-up: student name, email, phone, course (Painting, Drawing, Photography), age, comments',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ["Please add the student's date of birth", ["Student's date of birth: date"]],
    [
      'The course question should allow multiple answers',
      ['Course: some_of(Painting|Drawing|Photography)'],
    ],
    [
      'We need one more course: Ceramics',
      ['Course: one_of(Painting|Drawing|Photography|Ceramics)'],
    ],
    ['Drawing is now called Sketching', ['Course: one_of(Painting|Sketching|Photography)']],
    [
      'Add prices to the courses: Painting $50, Drawing $40, Photography $60',
      ['Course: one_of(Painting $50|Drawing $40|Photography $60)'],
    ],
    [
      'Ask which level they are: beginner, intermediate or advanced',
      ['Which level you are: one_of(beginner|intermediate|advanced)'],
    ],
    ['Put the level right after the course', ['Level: text after course']],
    ['Also ask if they have attended before', ['Have you attended before?: one_of(Yes|No)']],
    [
      "Ask for parent's name and phone if the student is under 18",
      ["Parent's name: text?", "Parent's phone: phone?"],
    ],
    ['Comments should not be longer than 250 characters', ['Comments: paragraph[..250]']],
    ['The phone number is optional now', ['Phone: phone?']],
    ['Add a field to upload the payment receipt', ['Payment receipt: document']],
    [
      'Add a question at the end: Do you agree to be photographed?',
      ['Do you agree to be photographed?: one_of(Yes|No)'],
    ],
    ['Add a waiver they have to accept', ['Waiver they have to accept: consent']],
    [
      'Change "Student name" so it says "Full name of the student"',
      ['Full name of the student: text'],
    ],
    ['Call the course field "Workshop"', ['Workshop: one_of(Painting|Drawing|Photography)']],
    [
      'Change the wording of comments to "Anything else we should know?"',
      ['Anything else we should know?: paragraph'],
    ],
    ['Start with the course', ['order: course, student_name, email, phone, age, comments']],
    ['Let them choose a start date', ['Start date: date']],
    [
      'Ask for preferred days (Mon, Wed, Fri), they can choose more than one',
      ['Preferred days: some_of(Mon|Wed|Fri)'],
    ],
    [
      'Change the title to Workshop sign-up and the button to Sign me up',
      ['title: Workshop sign-up', 'button: Sign me up'],
    ],
    ['Put a short welcome at the top: "Glad you\'re here!"', ["note: Glad you're here!"]],
    ['Add helper text under phone: include country code', ['Phone: phone{Include country code}']],
    ['Get rid of the summary screen', ['reviewed: false']],
    [
      'Put the course and comments on a separate page',
      ['screens: student_name, email, phone, age | course, comments'],
    ],
    ['I want only 3 questions: name, course and phone', ['-email', '-age', '-comments']],
    ['Remove comments, add city', ['City: text', '-comments']],
    ['Change email to optional, and phone to required', ['Email: email?']],
    [
      'Add a T-shirt size question with S, M, L and XL after course',
      ['T-shirt size: one_of(S|M|L|XL) after course'],
    ],
    ['Add gender', ['Gender: text']],
    ['Add gender: male, female, other', ['Gender: one_of(male|female|other)']],
    [
      'Ask for age group (under 12, 12-17, 18+) instead of age',
      ['Age group: one_of(under 12|12-17|18+) after course', '-age'],
    ],
    ['Add the field "Discount code" but make it optional', ['Discount code: text?']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction for an order', () => {
  const form = generateByRules(
    'f',
    'Order form: name, phone, email, delivery method (Standard, Express, Pickup), delivery date, quantity',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Add a checkbox for gift wrapping', ['Gift wrapping: consent?']],
    ['Include the delivery address', ['Delivery address: text']],
    ['Delivery date should be optional', ['Delivery date: date?']],
    [
      'Rename delivery method to shipping method',
      ['Shipping method: one_of(Standard|Express|Pickup)'],
    ],
    [
      'Add "Same day" as a delivery method, before Standard',
      ['Delivery method: one_of(Same day|Standard|Express|Pickup)'],
    ],
    ['Delivery method: only Standard and Express', ['Delivery method: one_of(Standard|Express)']],
    [
      'Ask for the address unless they choose Pickup',
      ['Address: text when delivery_method is Standard|Express after delivery_method'],
    ],
    [
      'Only customers who choose Standard should see the delivery date',
      ['Delivery date: date when delivery_method is Standard'],
    ],
    ['Add order notes, not required, up to 500 characters', ['Order notes: paragraph?[..500]']],
    ['Make quantity between 1 and 10', ['Quantity: number{From 1 to 10}']],
    ['Set quantity default to 1', ['Quantity: number=1']],
    ['Add a product list with Mug, T-shirt, Cap', ['Product: one_of(Mug|T-shirt|Cap)']],
    [
      "Let's have the phone as the last question",
      ['order: name, email, delivery_method, delivery_date, quantity, phone'],
    ],
    [
      'Ask for the phone on the second page',
      ['screens: name, email, delivery_method, delivery_date | quantity, phone'],
    ],
    ['Add placeholder "e.g. 10" to quantity', ['Quantity: number{E.g. 10}']],
    [
      'Show "We deliver within 3 days" under delivery date',
      ['Delivery date: date{We deliver within 3 days}'],
    ],
    ['Change the intro to "Order here"', ['note: Order here']],
    ['Use "Place order" as the button text', ['button: Place order']],
    ['Make the title shorter: Orders', ['title: Orders']],
    ['Add title "Orders"', ['title: Orders']],
    ['Phone optional, please', ['Phone: phone?']],
    [
      'Nothing but the name is required',
      [
        'Phone: phone?',
        'Email: email?',
        'Delivery method: one_of?(Standard|Express|Pickup)',
        'Delivery date: date?',
        'Quantity: number?',
      ],
    ],
    ['Make phone and email both optional', ['Phone: phone?', 'Email: email?']],
    ['Replace email by a phone number field', ['Phone number: phone after phone', '-email']],
    [
      'Instead of one name field have first name and last name',
      ['First name: text first', 'Last name: text after first_name', '-name'],
    ],
    [
      'Name should be split into first and last name',
      ['First name: text first', 'Last name: text after first_name', '-name'],
    ],
    ['Turn quantity into a choice of 1, 2, 3, 4, 5+', ['Quantity: one_of(1|2|3|4|5+)']],
    ['Quantity as text', ['Quantity: text']],
    ['Remove quantity & delivery date', ['-delivery_date', '-quantity']],
    ['Delete the phone and email questions', ['-phone', '-email']],
    ['Drop question 3', ['-email']],
    [
      'Swap questions 1 and 2',
      ['order: phone, name, email, delivery_method, delivery_date, quantity'],
    ],
    [
      'Move question 4 to the top',
      ['order: delivery_method, name, phone, email, delivery_date, quantity'],
    ],
    ['Duplicate the name field', ['Name 2: text after name']],
    [
      'Add a follow up question to delivery method: which branch?',
      ['Which branch?: text after delivery_method'],
    ],
    [
      'Ask which branch when they choose Pickup',
      ['Which branch: text when delivery_method is Pickup after delivery_method'],
    ],
    ['Add a terms checkbox with a link', ['I accept the terms and conditions: consent']],
    [
      'Add "I agree to receive marketing messages" (optional)',
      ['I agree to receive marketing messages: consent?'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction for the form of a garage', () => {
  const form = generateByRules(
    'f',
    'Car service: name, phone, car, services (Oil change, Inspection, Repair), preferred date',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Also collect VIN number', ['VIN number: text']],
    ['Add a photo of the damage, up to 3 pictures', ['Photo of the damage: photo[..3]']],
    ['Let customers attach photos of the damage', ['Photos of the damage: photo?']],
    [
      'Change "Preferred date" to a range: earliest date and latest date',
      ['Earliest date: date', 'Latest date: date', '-preferred_date'],
    ],
    [
      'Replace preferred date with earliest date and latest date',
      ['Earliest date: date', 'Latest date: date', '-preferred_date'],
    ],
    ['Add mileage (number) after car', ['Mileage: number after car']],
    [
      'Add oil change, brakes and tyres to services',
      ['Services: some_of(Oil change|Inspection|Repair|brakes|tyres)'],
    ],
    ['Remove inspection from the list', ['Services: some_of(Oil change|Repair)']],
    ['Ask "Is the car drivable?" yes or no', ['Is the car drivable?: one_of(yes|no)']],
    ['Add a courtesy car question (yes/no) at the end', ['Courtesy car: one_of(yes|no)']],
    ['Put the car details first', ['order: car, name, phone, services, preferred_date']],
    ['Move name and phone to the end', ['order: car, services, preferred_date, name, phone']],
    ['Rename Car to "Car make and model"', ['Car make and model: text']],
    [
      'The label for services should be "What do you need?"',
      ['What do you need?: some_of(Oil change|Inspection|Repair)'],
    ],
    ['Change label of preferred date to When', ['When: date']],
    [
      "Explain that we're closed on Sundays below preferred date",
      ["Preferred date: date{We're closed on Sundays}"],
    ],
    ['Set the placeholder of car to "e.g. Toyota Corolla"', ['Car: text{E.g. Toyota Corolla}']],
    ['Use "Book service" on the button', ['button: Book service']],
    ['Start with a note: "Takes 1 minute"', ['note: Takes 1 minute']],
    [
      'Make the first page only name and phone',
      ['screens: name, phone | car, services, preferred_date'],
    ],
    ['Remove the last field', ['-preferred_date']],
    ['Remove field 2', ['-phone']],
    ['Make the second question optional', ['Phone: phone?']],
    ["Don't make name required", ['Name: text?']],
    ["Don't ask for phone number", ['-phone']],
    ['Is it possible to add email?', ['Email: email']],
    ['Can we get rid of the car question?', ['-car']],
    ['What about adding a notes field?', ['Notes: paragraph']],
    ['Maybe add the year of the car', ['Year of the car: text']],
    ['Sort services A-Z', ['Services: some_of(Inspection|Oil change|Repair)']],
    ['Limit services to two', ['Services: some_of(Oil change|Inspection|Repair)[..2]']],
    [
      'at least one service must be selected',
      ['Services: some_of(Oil change|Inspection|Repair)[1..]'],
    ],
    [
      'Give them a choice between morning and afternoon',
      ['Morning or afternoon: one_of(morning|afternoon)'],
    ],
    ['Add time slots: 9am, 11am, 2pm', ['Time slots: one_of(9am|11am|2pm)']],
    ['Add a 10-digit account number', ['Account number: text[10..10]']],
    ['Phone must have 10 digits', ['Phone: phone{10 digits}']],
    ['Change services to a single choice', ['Services: one_of(Oil change|Inspection|Repair)']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
