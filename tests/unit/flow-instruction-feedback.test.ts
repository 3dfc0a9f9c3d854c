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
