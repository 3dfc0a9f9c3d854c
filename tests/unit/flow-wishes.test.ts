import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'

const BUILT = generateByRules(
  'booking',
  'Form with name, email, phone (optional), size (S, M, L), comments',
)

/** The fields of a form, each with its screen: "0 Phone?" may be left out. */
function shown(definition: unknown): string[] {
  const fields = recoverForm(definition)?.fields ?? []
  return fields.map(({ section, label, choices, isRequired }) => {
    const listed = choices.length > 0 ? ` (${choices.join(', ')})` : ''
    return `${section} ${label}${listed}${isRequired ? '' : '?'}`
  })
}

const [name, email, phone, size, comments] = shown(BUILT)

describe('an instruction in other words', () => {
  const EDITS: [instruction: string, fields: (string | undefined)[]][] = [
    ['Phone is no longer needed', [name, email, size, comments]],
    ["The phone isn't needed anymore", [name, email, size, comments]],
    ['The comments are no longer required', [name, email, phone, size, '0 Comments?']],
    ["The comments don't need to be mandatory", [name, email, phone, size, '0 Comments?']],
    ['Make it so the phone must be filled in', [name, email, '0 Phone', size, comments]],
    ['Make sure that phone is required, please', [name, email, '0 Phone', size, comments]],
    ['Make phone required and name required too', [name, email, '0 Phone', size, comments]],
    [
      'Split the name into first and last name',
      ['0 First name', '0 Last name', email, phone, size, comments],
    ],
    [
      'The size should be a dropdown with XS to L',
      [name, email, phone, '0 Size (XS, S, M, L)', comments],
    ],
    ['Add a photo after size, optional', [name, email, phone, size, '0 Photo?', comments]],
    ['Add the age and make it optional', [name, email, phone, size, comments, '0 Age?']],
    [
      'Ask how many guests there will be',
      [name, email, phone, size, comments, '0 How many guests there will be'],
    ],
    [
      'Add a question: Should it come before noon?',
      [name, email, phone, size, comments, '0 Should it come before noon? (Yes, No)'],
    ],
    ['The email should come before the name', [email, name, phone, size, comments]],
    [
      'Put name and size on the first screen and the rest on the second',
      [name, size, '1 Email', '1 Phone?', '1 Comments'],
    ],
    [
      'Move everything after email to a second screen',
      [name, email, '1 Phone?', '1 Size (S, M, L)', '1 Comments'],
    ],
    ['Everything on one page please', [name, email, phone, size, comments]],
    ['I’d like the comments to be before the email', [name, comments, email, phone, size]],
    ['Put size first and name last', [size, email, phone, comments, name]],
    ['Move size up', [name, email, size, phone, comments]],
    ['Move the name down one place', [email, name, phone, size, comments]],
    ['Do not require the email', [name, '0 Email?', phone, size, comments]],
    ['Replace S with XS in size', [name, email, phone, '0 Size (XS, M, L)', comments]],
    ['Sort the sizes alphabetically', [name, email, phone, '0 Size (L, M, S)', comments]],
    ['Duplicate the email as work email', [name, email, '0 Work email', phone, size, comments]],
    [
      'Can you make the email optional and add a phone confirmation field?',
      [name, '0 Email?', phone, size, comments, '0 Phone confirmation'],
    ],
  ]
  it.each(EDITS)('%j is done as it is meant', (instruction, fields) => {
    const updated = updateByRules(BUILT, instruction)
    expect(shown(updated)).toEqual(fields)
    expect(publishingFaults(updated)).toEqual([])
  })

  it.each([
    'I want customers to confirm before sending',
    'Customers should review their answers before submitting',
  ])('%j brings the review back', (instruction) => {
    const bare = updateByRules(BUILT, 'without confirmation')
    expect(recoverForm(bare)?.isReviewed).toBe(false)
    expect(recoverForm(updateByRules(bare, instruction))?.isReviewed).toBe(true)
  })

  it.each([
    'Move everything to the second screen',
    'Put colour and email on the first screen and the rest on the second',
    'Split the colour into red and blue',
    'Move name up',
    'Duplicate the email as phone',
    'Sort the comments alphabetically',
    'Replace XL with XS in size',
  ])('%j, which is not understood or impossible, changes nothing', (instruction) => {
    expect(updateByRules(BUILT, instruction)).toMatch(/^the instruction was not understood/)
  })
})
