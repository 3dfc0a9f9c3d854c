import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction for the form of a shop', () => {
  const form = generateByRules(
    'f',
    'First name, last name, email, phone, size (S, M, L), how did you hear about us?, notes',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Add a field for the company name after the email', ['Company name: text after email']],
    ['Make phone optional and email mandatory', ['Phone: phone?']],
    ['please put the date of birth right at the beginning', ['Date of birth: date first']],
    [
      'Change the question "How did you hear about us?" to "Where did you find us?"',
      ['Where did you find us?: paragraph'],
    ],
    [
      'Include a multi-select of interests with Sports, Music, Travel and Food',
      ['Interests: some_of(Sports|Music|Travel|Food)'],
    ],
    ["I don't want the notes field", ['-notes']],
    ['Rename the title to "Customer Registration 2026"', ['title: Customer Registration 2026']],
    ['Ask whether they want a newsletter', ['Do you want a newsletter?: one_of(Yes|No)']],
    ['Add two more choices to size: XL and XXL', ['Size: one_of(S|M|L|XL|XXL)']],
    ['Remove L from the sizes', ['Size: one_of(S|M)']],
    ['Only ask for the address when size is S', ['Address: text when size is S after size']],
    [
      'add a consent checkbox "I accept the privacy policy" at the end',
      ['I accept the privacy policy: consent'],
    ],
    ['Turn notes into a multiple choice with A, B and C', ['Notes: some_of(A|B|C)']],
    [
      'Swap email and phone',
      ['order: first_name, last_name, phone, email, size, how_did_you_hear_about_us, notes'],
    ],
    [
      'Can you add a rating (1-5) for our service before the notes?',
      ['Rating for our service: one_of(1|2|3|4|5) after how_did_you_hear_about_us'],
    ],
    ['Add a date picker for when they want the delivery', ['When you want the delivery: date']],
    ['the notes should be max 100 chars', ['Notes: paragraph[..100]']],
    ['Let people upload up to 3 pictures', ['Pictures: photo?[..3]']],
    ['Get rid of size M, and add XS before S', ['Size: one_of(XS|S|L)']],
    [
      'Merge the first and last name into full name',
      ['Full name: text first', '-first_name', '-last_name'],
    ],
    ['Set the submit button text to "Send it"', ['button: Send it']],
    [
      'Add placeholder text for the notes: Anything we should know',
      ['Notes: paragraph{Anything we should know}'],
    ],
    [
      'Add a question: Do you have allergies? If yes, which ones?',
      [
        'Do you have allergies?: one_of(Yes|No)',
        'Which ones?: paragraph when do_you_have_allergies is Yes',
      ],
    ],
    ['Replace the phone with WhatsApp number', ['WhatsApp number: phone after email', '-phone']],
    ['add "Other" as an option everywhere', ['Size: one_of(S|M|L|Other)']],
    [
      'Combine email and phone into one field',
      ['Email and phone: text after last_name', '-email', '-phone'],
    ],
    [
      'Merge email and phone into one field called "Contact"',
      ['Contact: text after last_name', '-email', '-phone'],
    ],
    ['Reverse the order of sizes', ['Size: one_of(L|M|S)']],
    ['Split notes into notes and comments', ['Comments: paragraph']],
    ['Phone is not mandatory', ['Phone: phone?']],
    ['add L before M', ['Size: one_of(S|L|M)']],
    ['Add M2 after M', ['Size: one_of(S|M|M2|L)']],
    ['Add "Anything else?" after notes', ['Anything else?: paragraph?']],
    ['add a comment before email', ['Comment: paragraph after last_name']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction for the form of a salon', () => {
  const form = generateByRules(
    'f',
    'Salon booking: name, phone, email, age, service (Manicure, Pedicure, Nails), date, time, notes',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Add a yes/no question asking if they own a car', ['Do you own a car?: one_of(yes|no)']],
    [
      'Add "Do you smoke?" as a yes/no question after age',
      ['Do you smoke?: one_of(Yes|No) after age'],
    ],
    ['Please change "Notes" to "Additional comments"', ['Additional comments: paragraph']],
    ['Change the label for age to "Your age"', ['Your age: number']],
    [
      'Change the type of age to a dropdown with 18-25, 26-40, 41+',
      ['Age: one_of(18-25|26-40|41+)'],
    ],
    ['Age should be a dropdown: 18-25, 26-40, 41+', ['Age: one_of(18-25|26-40|41+)']],
    ['Add Massage to the list of services', ['Service: one_of(Manicure|Pedicure|Nails|Massage)']],
    [
      'Add massage and facial as services',
      ['Service: one_of(Manicure|Pedicure|Nails|massage|facial)'],
    ],
    ['Remove pedicure', ['Service: one_of(Manicure|Nails)']],
    ['Replace manicure with gel manicure', ['Service: one_of(gel manicure|Pedicure|Nails)']],
    [
      'Service should have the options Haircut, Color, Blow-dry',
      ['Service: one_of(Haircut|Color|Blow-dry)'],
    ],
    [
      'Make service multiple choice so people can pick more than one',
      ['Service: some_of(Manicure|Pedicure|Nails)'],
    ],
    [
      'People should be able to select more than one service',
      ['Service: some_of(Manicure|Pedicure|Nails)'],
    ],
    ['Let them choose up to 2 services', ['Service: some_of(Manicure|Pedicure|Nails)[..2]']],
    ['Add an optional field for allergies', ['Allergies: text?']],
    ['Add an optional upload for a reference photo', ['Reference photo: photo?']],
    ['Add a mandatory consent to the privacy policy', ['I accept the privacy policy: consent']],
    ['Add terms and conditions acceptance', ['I accept the terms and conditions: consent']],
    ['Ask for their birthday too', ['Birthday: date']],
    [
      'Also ask how they found us, with options Google, Instagram, Friend',
      ['How you found us: one_of(Google|Instagram|Friend)'],
    ],
    [
      'Remove email and phone and add WhatsApp number',
      ['WhatsApp number: phone', '-phone', '-email'],
    ],
    [
      'Remove everything except name and phone',
      ['-email', '-age', '-service', '-date', '-time', '-notes'],
    ],
    [
      'Combine date and time into one field',
      ['Date and time: text after service', '-date', '-time'],
    ],
    [
      'Split date and time onto another page',
      ['screens: name, phone, email, age, service | notes | date, time'],
    ],
    [
      'Put notes on its own screen',
      ['screens: name, phone, email, age, service | date, time | notes'],
    ],
    [
      'Move service to the second page',
      ['screens: name, phone, email, age | date, time, notes, service'],
    ],
    ['Make the form two pages', ['screens: name, phone, email, age | service, date, time, notes']],
    [
      'Add a page asking for the address',
      ['Address: text', 'screens: name, phone, email, age, service | date, time, notes | address'],
    ],
    [
      'Add a section for payment details with card holder and method (cash, card)',
      [
        'Card holder: text',
        'Method: one_of(cash|card)',
        'screens: name, phone, email, age, service | date, time, notes | card_holder, method',
      ],
    ],
    [
      'Change the order: service, date, time, name, phone, email, age, notes',
      ['order: service, date, time, name, phone, email, age, notes'],
    ],
    ['Reverse the order of services', ['Service: one_of(Nails|Pedicure|Manicure)']],
    ['Add a welcome message: "Welcome to Glow Salon!"', ['note: Welcome to Glow Salon!']],
    [
      "Add an intro text saying we'll confirm within 24 hours",
      ["note: We'll confirm within 24 hours"],
    ],
    ['Change the final button to "Book appointment"', ['button: Book appointment']],
    ['Add help text to date: We are closed on Mondays', ['Date: date{We are closed on Mondays}']],
    [
      'Phone: say that we will only use it for confirmations',
      ['Phone: phone{We will only use it for confirmations}'],
    ],
    ['Set the default service to Pedicure', ['Service: one_of(Manicure|Pedicure|Nails)=Pedicure']],
    ['Default age to 30', ['Age: number=30']],
    ['Require at least 2 services', ['Service: some_of(Manicure|Pedicure|Nails)[2..]']],
    ['Limit age to 18-99', ['Age: number{From 18 to 99}']],
    ['Age must be at least 18', ['Age: number{Must be at least 18}']],
    ['Max 200 characters for notes', ['Notes: paragraph[..200]']],
    ['Name should be at least 3 characters', ['Name: text[3..]']],
    ['Only show notes if service is Manicure', ['Notes: paragraph when service is Manicure']],
    [
      'If service is Pedicure ask for shoe size',
      ['Shoe size: text when service is Pedicure after service'],
    ],
    [
      'Hide age unless service is Manicure',
      [
        'Age: number when service is Manicure',
        'order: name, phone, email, service, age, date, time, notes',
      ],
    ],
    [
      'Ask for number of people, and if more than 2, ask for names',
      ['Number of people: number', 'Names: text?'],
    ],
    ['Skip the confirmation page', ['reviewed: false']],
    ['Turn the notes into a short text', ['Notes: text']],
    ['Change notes to a number', ['Notes: number']],
    ['Change age from number to text', ['Age: text']],
    [
      'Rename service to treatment and date to preferred date',
      ['Treatment: one_of(Manicure|Pedicure|Nails)', 'Preferred date: date'],
    ],
    ['Call the form "Glow Salon Booking"', ['title: Glow Salon Booking']],
    ['The title should be Glow Salon', ['title: Glow Salon']],
    ['Use "Treatment" instead of "Service"', ['Treatment: one_of(Manicure|Pedicure|Nails)']],
    [
      'Make name, phone and email required and the rest optional',
      [
        'Age: number?',
        'Service: one_of?(Manicure|Pedicure|Nails)',
        'Date: date?',
        'Time: text?',
        'Notes: paragraph?',
      ],
    ],
    [
      'Everything optional except name',
      [
        'Phone: phone?',
        'Email: email?',
        'Age: number?',
        'Service: one_of?(Manicure|Pedicure|Nails)',
        'Date: date?',
        'Time: text?',
        'Notes: paragraph?',
      ],
    ],
    [
      'Nothing should be mandatory',
      [
        'Name: text?',
        'Phone: phone?',
        'Email: email?',
        'Age: number?',
        'Service: one_of?(Manicure|Pedicure|Nails)',
        'Date: date?',
        'Time: text?',
        'Notes: paragraph?',
      ],
    ],
    ['Add first visit? yes or no', ['First visit?: one_of(yes|no)']],
    [
      'Add gender (male, female, prefer not to say) after name',
      ['Gender: one_of(male|female|prefer not to say) after name'],
    ],
    ['Include a field where they can leave their Instagram handle', ['Instagram handle: text']],
    ['We also need their city and zip code', ['City: text', 'Zip code: text']],
    ['I forgot to add the budget', ['Budget: number']],
    [
      'Could you also include a budget range: under 50, 50-100, over 100?',
      ['Budget range: one_of(under 50|50-100|over 100)'],
    ],
    ['Instead of age ask for date of birth', ['Date of birth: date after email', '-age']],
    ['Change age to date of birth', ['Date of birth: date after email', '-age']],
    ['age is not needed', ['-age']],
    ["We don't need the age", ['-age']],
    ['No notes please', ['-notes']],
    ['Take out age, email', ['-email', '-age']],
    ['Add age range before notes and remove age', ['Age range: text after time', '-age']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
