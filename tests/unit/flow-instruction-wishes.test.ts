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

describe('an instruction that adds choices of which several may be chosen', () => {
  const form = generateByRules('f', 'Form with name and email')
  const CASES: [instruction: string, changes: string[]][] = [
    ['Add sides (multi): fries, salad, rice', ['Sides: some_of(fries|salad|rice)']],
    [
      'Add a question: which sides? They can choose several: fries, salad, rice',
      ['Which sides?: some_of(fries|salad|rice)'],
    ],
    ['Add sides, max 2: fries, salad, rice', ['Sides: some_of(fries|salad|rice)[..2]']],
    [
      'Add exactly two toppings from cheese, ham, olives',
      ['Toppings: some_of(cheese|ham|olives)[2..2]'],
    ],
    ['Add color (dropdown): red, blue, green', ['Color: one_of(red|blue|green)']],
    [
      'Agrega ingredientes, máximo 2: queso, jamón, piña',
      ['Ingredientes: some_of(queso|jamón|piña)[..2]'],
    ],
    ['Agrega una lista desplegable de color: rojo, azul', ['Color: one_of(rojo|azul)']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction for a screen of its own for each question', () => {
  const form = generateByRules('f', 'Form with name, email and size (S, M, L)')
  const CASES: [instruction: string, changes: string[]][] = [
    ['One question per screen', ['screens: name | email | size']],
    ['Put each question on its own screen', ['screens: name | email | size']],
    ['Show one question per page', ['screens: name | email | size']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
