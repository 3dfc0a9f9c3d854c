import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction about what must be filled in', () => {
  const form = generateByRules('f', 'Form with name, email, phone (optional) and size (S, M, L)')
  const CASES: [instruction: string, changes: string[]][] = [
    ['Add company and job title, both optional', ['Company: text?', 'Job title: text?']],
    ['Add company and job title; both are optional', ['Company: text?', 'Job title: text?']],
    ['Add company and job title, neither required', ['Company: text?', 'Job title: text?']],
    ['Add two optional fields: company and job title', ['Company: text?', 'Job title: text?']],
    ['Agrega dos campos opcionales: empresa y cargo', ['Empresa: text?', 'Cargo: text?']],
    ['Can the phone be required and the email optional?', ['Email: email?', 'Phone: phone']],
    ['Could the email be optional?', ['Email: email?']],
    ["Don't make email mandatory", ['Email: email?']],
    ["It's ok if they don't give an email", ['Email: email?']],
    ["Customers don't have to give an email", ['Email: email?']],
    ['Let people submit without an email', ['Email: email?']],
    ["Email isn't needed to submit", ['Email: email?']],
    ['People should be able to skip the size', ['Size: one_of?(S|M|L)']],
    ['Nothing is mandatory', ['Name: text?', 'Email: email?', 'Size: one_of?(S|M|L)']],
    ['All fields are optional', ['Name: text?', 'Email: email?', 'Size: one_of?(S|M|L)']],
    ['All fields compulsory please', ['Phone: phone']],
    ['Everything is required', ['Phone: phone']],
    ['Make phone obligatory', ['Phone: phone']],
    ['Name is required; email is not', ['Email: email?']],
    ['The last one is optional', ['Size: one_of?(S|M|L)']],
    ['The last two are optional', ['Size: one_of?(S|M|L)']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
