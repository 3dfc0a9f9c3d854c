import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe("an agent's instruction for a request", () => {
  const form = generateByRules(
    'f',
    'Service request: full name, email, phone (optional), service (Installation, Repair, Maintenance), address, date, comments',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Update the flow: add a required dropdown field "Preferred language" with options English, Spanish, French, placed after email.',
      ['Preferred language: one_of(English|Spanish|French) after email'],
    ],
    [
      'Please modify the flow so that phone is mandatory and comments are optional.',
      ['Phone: phone', 'Comments: paragraph?'],
    ],
    [
      'Insert a new screen between the first and second with the field company name.',
      [
        'Company name: text after address',
        'screens: full_name, email, phone, service, address | company_name | date, comments',
      ],
    ],
    ['Change the label of "Full name" to "Your full name".', ['Your full name: text']],
    [
      'Rename the "Service" dropdown to "Type of service" and add the option "Consultation".',
      ['Type of service: one_of(Installation|Repair|Maintenance|Consultation)'],
    ],
    [
      'Set the placeholder of the comments field to "Anything else?"',
      ['Comments: paragraph{Anything else?}'],
    ],
    [
      'Set the helper text for phone to "Include country code".',
      ['Phone: phone?{Include country code}'],
    ],
    [
      'Remove the option "Repair" from the service dropdown and reorder so Installation comes first.',
      ['Service: one_of(Installation|Maintenance)'],
    ],
    [
      'Make the date field a dropdown with Monday, Tuesday and Wednesday.',
      ['Date: one_of(Monday|Tuesday|Wednesday)'],
    ],
    [
      'Convert comments into a multiple choice question with options Price, Quality, Speed.',
      ['Comments: some_of(Price|Quality|Speed)'],
    ],
    ['Add validation: phone must be 10 digits.', ['Phone: phone?{10 digits}']],
    [
      'Add an opt-in checkbox for marketing emails that is not required.',
      ['Opt-in for marketing emails: consent?'],
    ],
    [
      'Add a conditional field: if Service is Repair, ask for the serial number.',
      ['Serial number: text when service is Repair after service'],
    ],
    [
      'Delete the email field and replace it with a WhatsApp number field.',
      ['WhatsApp number: phone after full_name', '-email'],
    ],
    ['Limit comments to 300 characters and make it required.', ['Comments: paragraph[..300]']],
    ['Add a welcome message on the first screen: "Welcome to Acme".', ['note: Welcome to Acme']],
    [
      'Add radio buttons for "Urgency": Low, Medium, High, default Medium.',
      ['Urgency: one_of(Low|Medium|High)=Medium'],
    ],
    [
      'The service options should be: Installation, Repair, Maintenance, Other.',
      ['Service: one_of(Installation|Repair|Maintenance|Other)'],
    ],
    ['Add a file upload for invoice (PDF, optional).', ['Invoice: document?']],
    [
      'Add a second phone number field called "Alternative phone", optional.',
      ['Alternative phone: phone?'],
    ],
    ['Change field type of phone to text.', ['Phone: text?']],
    ['Make all fields required except comments.', ['Phone: phone', 'Comments: paragraph?']],
    [
      'Add a title "Service Request" and a subtitle "We reply within a day".',
      ['title: Service Request', 'note: We reply within a day'],
    ],
    [
      'Add a consent checkbox with the text "I agree to be contacted by WhatsApp".',
      ['I agree to be contacted by WhatsApp: consent'],
    ],
    [
      'Change the order of service options alphabetically.',
      ['Service: one_of(Installation|Maintenance|Repair)'],
    ],
    [
      'Ask for the date only when Service is Installation or Repair.',
      ['Date: date when service is Installation|Repair'],
    ],
    [
      'Use a date picker for the date, and add a time slot dropdown (Morning, Afternoon).',
      ['Time slot: one_of(Morning|Afternoon)'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe("an agent's instruction for two screens", () => {
  const form = generateByRules(
    'f',
    'Event registration. Screen 1: first name, last name, email. Screen 2: ticket type (General, VIP, Student), number of tickets, dietary needs (None, Vegetarian, Vegan), comments (optional).',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Add a new text field labeled "Company" after Last name.',
      [
        'Company: text after last_name',
        'screens: first_name, last_name, company, email | ticket_type, number_of_tickets, dietary_needs, comments',
      ],
    ],
    ['Set "Email" as optional.', ['Email: email?']],
    ["Set the comments field's max length to 500.", ['Comments: paragraph?[..500]']],
    [
      'On screen 2, add a checkbox group "Sessions" with Keynote, Workshop, Panel.',
      [
        'Sessions: some_of(Keynote|Workshop|Panel)',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs, comments, sessions',
      ],
    ],
    ['On the second screen, rename "Comments" to "Notes".', ['Notes: paragraph?']],
    ['Remove "Student" from ticket type options.', ['Ticket type: one_of(General|VIP)']],
    [
      'Replace the ticket types with Early bird, Regular, VIP.',
      ['Ticket type: one_of(Early bird|Regular|VIP)'],
    ],
    ['Make "Number of tickets" a dropdown from 1 to 5.', ['Number of tickets: one_of(1|2|3|4|5)']],
    [
      'Move "Dietary needs" to the first screen, after Email.',
      [
        'screens: first_name, last_name, email, dietary_needs | ticket_type, number_of_tickets, comments',
      ],
    ],
    [
      "Change the first screen's order: email first, then first name and last name.",
      [
        'screens: email, first_name, last_name | ticket_type, number_of_tickets, dietary_needs, comments',
      ],
    ],
    [
      'Add a third screen with a terms and conditions opt-in.',
      [
        'I accept the terms and conditions: consent',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs, comments | terms_and_conditions_opt_in',
      ],
    ],
    [
      'Add a required consent checkbox at the end: "I agree to the event policy".',
      [
        'I agree to the event policy: consent',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs, comments | i_agree_to_the_event_policy',
      ],
    ],
    [
      'Merge first name and last name into a single field named "Full name".',
      [
        'Full name: text first',
        '-first_name',
        '-last_name',
        'screens: full_name, email | ticket_type, number_of_tickets, dietary_needs, comments',
      ],
    ],
    [
      'Only show dietary needs when ticket type is VIP.',
      ['Dietary needs: one_of(None|Vegetarian|Vegan) when ticket_type is VIP'],
    ],
    [
      'If the user selects Student, ask for a student ID photo.',
      [
        'Student ID photo: photo?{Only if: Student} after ticket_type',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs, comments | student_id_photo',
      ],
    ],
    [
      'Show comments only if dietary needs is not None.',
      ['Comments: paragraph? when dietary_needs is Vegetarian|Vegan'],
    ],
    [
      'The number of tickets must be at most 10.',
      ['Number of tickets: number{Must be at most 10}'],
    ],
    ['Allow selecting multiple dietary needs.', ['Dietary needs: some_of(None|Vegetarian|Vegan)']],
    [
      'Delete the comments text area.',
      [
        '-comments',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs',
      ],
    ],
    [
      "Drop screen 2's comments and add phone number to screen 1.",
      [
        'Phone number: phone after email',
        '-comments',
        'screens: first_name, last_name, email, phone_number | ticket_type, number_of_tickets, dietary_needs',
      ],
    ],
    [
      'Add the option "Gluten-free" to dietary needs, before Vegan.',
      ['Dietary needs: one_of(None|Vegetarian|Gluten-free|Vegan)'],
    ],
    [
      'Rename ticket type option "General" to "General admission".',
      ['Ticket type: one_of(General admission|VIP|Student)'],
    ],
    [
      'Make the ticket type selection default to General.',
      ['Ticket type: one_of(General|VIP|Student)=General'],
    ],
    [
      'Please add a phone number input (required) to the first screen.',
      [
        'Phone number: phone after email',
        'screens: first_name, last_name, email, phone_number | ticket_type, number_of_tickets, dietary_needs, comments',
      ],
    ],
    [
      'Add an optional field for the company name, with the hint "As it should appear on the badge".',
      [
        'Company name: text?{As it should appear on the badge}',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs, comments, company_name',
      ],
    ],
    ['Change the final button to say "Register".', ['button: Register']],
    [
      'Reorder the fields: ticket type, number of tickets, first name, last name, email.',
      [
        'screens: ticket_type, number_of_tickets, first_name | last_name, email, dietary_needs, comments',
      ],
    ],
    [
      'Add validation to email so it must be a company email.',
      ['Email: email{It must be a company email}'],
    ],
    [
      'For VIP tickets also ask the preferred seat: Front row, Balcony.',
      [
        'Preferred seat: one_of(Front row|Balcony)',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs, comments, preferred_seat',
      ],
    ],
    [
      'Add a "How did you hear about us?" question with options: Social media, Friend, Other (please specify).',
      [
        'How did you hear about us?: one_of(Social media|Friend|Other - please specify)',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs, comments, how_did_you_hear_about_us',
      ],
    ],
    [
      'Update ticket type options to include prices: General ($20), VIP ($50), Student ($10).',
      ['Ticket type: one_of(General ($20)|VIP ($50)|Student ($10))'],
    ],
    [
      '1. Remove comments\n2. Add phone\n3. Make dietary needs optional',
      [
        'Dietary needs: one_of?(None|Vegetarian|Vegan)',
        'Phone: phone',
        '-comments',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs, phone',
      ],
    ],
    [
      'Make the following changes:\n- rename "Number of tickets" to "Tickets"\n- add an option "Group" to ticket type\n- remove dietary needs',
      [
        'Ticket type: one_of(General|VIP|Student|Group)',
        'Tickets: number',
        '-dietary_needs',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, comments',
      ],
    ],
    [
      'Change "First name" label to "Given name" and "Last name" label to "Family name".',
      ['Given name: text', 'Family name: text'],
    ],
    [
      "The form should also capture the attendee's job title and LinkedIn URL (both optional).",
      [
        "Attendee's job title: text?",
        'LinkedIn URL: text?',
        'screens: first_name, last_name, email | ticket_type, number_of_tickets, dietary_needs, comments, attendee_s_job_title | linkedin_url',
      ],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
