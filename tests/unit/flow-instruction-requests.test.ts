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
