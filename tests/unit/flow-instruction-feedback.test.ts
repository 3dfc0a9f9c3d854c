import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction for a survey', () => {
  const form = generateByRules(
    'f',
    'Feedback: rating from 1 to 5, comment, date of visit, branch (Downtown, Airport, Mall), name, email',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Add a rating for cleanliness, service and food',
      ['Cleanliness: one_of(1|2|3|4|5)', 'Service: one_of(1|2|3|4|5)', 'Food: one_of(1|2|3|4|5)'],
    ],
    ['Also rate the staff from 1 to 5', ['Staff rating: one_of(1|2|3|4|5)']],
    ['Change the scale to 1-10', ['Rating: one_of(1|2|3|4|5|6|7|8|9|10)']],
    ['Ask them why they gave that score', ['Why you gave that score: paragraph']],
    [
      'If the rating is below 3, ask what went wrong',
      ['What went wrong: paragraph when rating is 1|2 after rating'],
    ],
    ['Add a yes/no: would you come back?', ['Would you come back?: one_of(yes|no)']],
    ['Rename rating to "Overall experience"', ['Overall experience: one_of(1|2|3|4|5)']],
    ['Put an open question at the end about improvements', ['Improvements: text']],
    ["Remove date of visit, we don't need it", ['-date_of_visit']],
    ['Make name and email optional', ['Name: text?', 'Email: email?']],
    ['Branch should come first', ['order: branch, rating, comment, date_of_visit, name, email']],
    ['Add a new branch called Harbour', ['Branch: one_of(Downtown|Airport|Mall|Harbour)']],
    ['Change Mall to Shopping mall', ['Branch: one_of(Downtown|Airport|Shopping mall)']],
    ['Let customers attach a photo', ['Photo: photo?']],
    ['Add photo upload (max 2)', ['Photo upload: photo[..2]']],
    ['Change comment label to "Tell us more"', ['Tell us more: paragraph']],
    [
      'Add hint for comment "Optional, but we read everything"',
      ['Comment: paragraph{Optional, but we read everything}'],
    ],
    ['Title should read "How did we do?"', ['title: How did we do?']],
    ['Change the submit button to "Send feedback"', ['button: Send feedback']],
    ['Add a line at the top: "It takes a minute"', ['note: It takes a minute']],
    ['Change the line at the top to "It takes 30 seconds"', ['note: It takes 30 seconds']],
    ['Reduce it to rating and comment', ['-date_of_visit', '-branch', '-name', '-email']],
    ['Only keep rating', ['-comment', '-date_of_visit', '-branch', '-name', '-email']],
    [
      'Put rating and comment on page one and contact details on page two',
      ['screens: date_of_visit, branch, rating, comment | name, email'],
    ],
    [
      'Move contact details to the last screen',
      ['screens: rating, comment, date_of_visit, branch | name, email'],
    ],
    ['Add a consent for follow-up calls', ['Consent for follow-up calls: consent']],
    ['Let me rephrase: remove email', ['-email']],
    ['No more than 200 characters for the comment please', ['Comment: paragraph[..200]']],
    ['Comment must have at least 10 characters', ['Comment: paragraph{At least 10 characters}']],
    [
      'Change order to: branch, rating, comment, name, email',
      ['order: branch, rating, comment, name, email, date_of_visit'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction for a job application', () => {
  const form = generateByRules(
    'f',
    'Job application: full name, email, phone, position (Cook, Waiter, Driver), How many years of experience?, cover letter, CV',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Add a field for company size with options 1-10, 11-50, 51-200',
      ['Company size: one_of(1-10|11-50|51-200)'],
    ],
    ['Include an optional LinkedIn profile', ['LinkedIn profile: text?']],
    ['Please remove "How many years of experience?"', ['-how_many_years_of_experience']],
    ['Rename "CV" to "Resume"', ['Resume: document']],
    ['Make the cover letter optional', ['Cover letter: paragraph?']],
    ['The cover letter should have at most 1000 characters', ['Cover letter: paragraph[..1000]']],
    ['Add a second upload for certificates', ['Certificates: document']],
    [
      'Add a multi select for languages: English, Spanish, French',
      ['Languages: some_of(English|Spanish|French)'],
    ],
    ['Let applicants choose more than one position', ['Position: some_of(Cook|Waiter|Driver)']],
    ['Positions: Cook, Waiter, Barista, Driver', ['Position: one_of(Cook|Waiter|Barista|Driver)']],
    ['Add "Other" to position', ['Position: one_of(Cook|Waiter|Driver|Other)']],
    [
      "If position is Driver, ask for the driver's licence number",
      ["Driver's licence number: text when position is Driver after position"],
    ],
    ['Ask for available start date after position', ['Available start date: date after position']],
    [
      'Swap CV and cover letter',
      ['order: full_name, email, phone, position, how_many_years_of_experience, cv, cover_letter'],
    ],
    ['I want to ask for their salary expectation as a number', ['Salary expectation: number']],
    [
      'Ask if they are legally allowed to work here',
      ['Are you legally allowed to work here?: one_of(Yes|No)'],
    ],
    ['Ask whether they need a visa', ['Do you need a visa?: one_of(Yes|No)']],
    [
      'Add a declaration: I confirm that my answers are true',
      ['I confirm that my answers are true: consent'],
    ],
    ['Add data protection consent', ['I agree to the use of my data: consent']],
    [
      'Split full name into first name and last name',
      ['First name: text first', 'Last name: text after first_name', '-full_name'],
    ],
    ['Title: Join our team', ['title: Join our team']],
    ['Change button text to Apply', ['button: Apply']],
    ['Welcome text: "Thanks for your interest!"', ['note: Thanks for your interest!']],
    ['Add a hint under phone: with country code', ['Phone: phone{With country code}']],
    ['Explain under CV that PDF is preferred', ['CV: document{PDF is preferred}']],
    [
      'Make everything optional except name and phone',
      [
        'Email: email?',
        'Position: one_of?(Cook|Waiter|Driver)',
        'How many years of experience?: number?',
        'Cover letter: paragraph?',
        'CV: document?',
      ],
    ],
    ['No need for email', ['-email']],
    ['Get rid of email, we call everyone', ['-email']],
    ["Email isn't necessary any more", ['Email: email?']],
    [
      'Phone should come second',
      ['order: full_name, phone, email, position, how_many_years_of_experience, cover_letter, cv'],
    ],
    [
      'Years of experience should be a choice: none, 1-3, 4+',
      ['How many years of experience?: one_of(none|1-3|4+)'],
    ],
    [
      'Change experience to a dropdown with none, 1-3 and 4+',
      ['How many years of experience?: one_of(none|1-3|4+)'],
    ],
    ['Limit experience to 50', ['How many years of experience?: number{At most 50}']],
    ["Experience can't be more than 50", ['How many years of experience?: number{At most 50}']],
    ['Preset position to Cook', ['Position: one_of(Cook|Waiter|Driver)=Cook']],
    ['Show the positions in alphabetical order', ['Position: one_of(Cook|Driver|Waiter)']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
