import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'
import { FOUR } from '../support/flow-parts.ts'

/** The longest prompt that the contract allows. */
const PROMPT_MOST = 4_000

/** The labels of a form's fields in their order. */
function labels(definition: unknown): string[] {
  expect(publishingFaults(definition)).toEqual([])
  const { fields = [] } = recoverForm(definition) ?? {}
  return fields.map(({ label }) => label)
}

const asks = (prompt: string) => labels(generateByRules('form', prompt))

const PARCEL = ['Sender name', 'Sender phone', 'Recipient name', 'Recipient phone']
const FAMILY = ['Parent name', 'Parent email', 'Child name', 'Child age']

describe('what is asked of several people is asked of each, with a word that tells whose it is', () => {
  it.each<[prompt: string, labels: string[]]>([
    ['Ship a parcel: sender (name, phone), recipient (name, phone)', PARCEL],
    ['Sender: name, phone. Recipient: name, phone.', PARCEL],
    ['Sender: name, phone; recipient: name, phone', PARCEL],
    ['Sender details: name and phone\nRecipient details: name and phone', PARCEL],
    ['sender details (name, phone), recipient details (name, phone)', PARCEL],
    ['Sender:\n- Name\n- Phone\nRecipient:\n- Name\n- Phone', PARCEL],
    ['- Sender:\n  - name\n  - phone\n- Recipient:\n  - name\n  - phone', PARCEL],
    ['Sender\nName\nPhone\n\nRecipient\nName\nPhone', PARCEL],
    ['**Sender**\n- Name\n- Phone\n\n**Recipient**\n- Name\n- Phone', PARCEL],
    ['## Sender\nName\nPhone\n## Recipient\nName\nPhone', PARCEL],
    ['- Sender name\n- Phone\n- Recipient name\n- Phone', PARCEL],
    ['sender name, phone, recipient name, phone', PARCEL],
    ['First screen: sender name, phone. Second screen: recipient name, phone.', PARCEL],
    ['The name and phone of the sender, the name and phone of the recipient', PARCEL],
    [
      'sender:\n  name: string\n  phone: string\nrecipient:\n  name: string\n  phone: string',
      PARCEL,
    ],
    [
      '{"sender": {"name": "string", "phone": "string"}, "recipient": {"name": "", "phone": ""}}',
      PARCEL,
    ],
    [
      '{"screens": [{"title": "Sender", "fields": ["name", "phone"]}, {"title": "Recipient", "fields": ["name", "phone"]}]}',
      PARCEL,
    ],
    ['Section 1 - Parent: name, email\nSection 2 - Child: name, age', FAMILY],
    ['Step 1: Parent info: name, email\nStep 2: Child info: name, age', FAMILY],
    ['Parent - name, email\nChild - name, age', FAMILY],
    ['Page 1: about the parent (name, email). Page 2: about the child (name, age).', FAMILY],
    [
      "the applicant's name, email and income, and the spouse's name, email and income",
      [
        "Applicant's name",
        "Applicant's email",
        "Applicant's income",
        "Spouse's name",
        "Spouse's email",
        "Spouse's income",
      ],
    ],
    [
      'Name, email. Emergency contact: name, phone.',
      ['Name', 'Email', 'Emergency contact name', 'Emergency contact phone'],
    ],
    [
      'Employee form: emergency contact (name, relationship, phone), start date',
      [
        'Emergency contact name',
        'Emergency contact relationship',
        'Emergency contact phone',
        'Start date',
      ],
    ],
    [
      'Two references (name, phone) and a start date',
      [
        'Reference 1 name',
        'Reference 1 phone',
        'Reference 2 name',
        'Reference 2 phone',
        'Start date',
      ],
    ],
    [
      'Players: name, age. Coaches: name, age.',
      ['Player name', 'Player age', 'Coach name', 'Coach age'],
    ],
    [
      'Contact 1: name, phone\nContact 2: name, phone',
      ['Contact 1 name', 'Contact 1 phone', 'Contact 2 name', 'Contact 2 phone'],
    ],
    [
      'Padre (nombre, teléfono), madre (nombre, teléfono)',
      ['Nombre del padre', 'Teléfono del padre', 'Nombre de la madre', 'Teléfono de la madre'],
    ],
    [
      'Datos del remitente: nombre, teléfono. Datos del destinatario: nombre, teléfono.',
      [
        'Nombre del remitente',
        'Teléfono del remitente',
        'Nombre del destinatario',
        'Teléfono del destinatario',
      ],
    ],
    [
      'Pide el nombre y teléfono del remitente y el nombre y teléfono del destinatario',
      [
        'Nombre del remitente',
        'Teléfono del remitente',
        'Nombre del destinatario',
        'Teléfono del destinatario',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

describe('what is asked of several things is asked of each', () => {
  it.each<[prompt: string, labels: string[]]>([
    [
      'Home team: name, city. Away team: name, city.',
      ['Home team name', 'Home team city', 'Away team name', 'Away team city'],
    ],
    [
      'Work: company, title, start date, end date. Education: school, degree, start date, end date.',
      [
        ...['Work company', 'Work title', 'Work start date', 'Work end date'],
        ...['Education school', 'Education degree', 'Education start date', 'Education end date'],
      ],
    ],
    [
      'Departure: city, date. Arrival: city, date. Passengers: number',
      ['Departure city', 'Departure date', 'Arrival city', 'Arrival date', 'Passengers'],
    ],
    [
      'Bank account (IBAN, holder name), amount',
      ['Bank account IBAN', 'Bank account holder name', 'Amount'],
    ],
    ['Seller info - name, phone. Item info - title, price.', ['Name', 'Phone', 'Title', 'Price']],
    [
      'Pickup: address, date. Delivery: address, date.',
      ['Pickup address', 'Pickup date', 'Delivery address', 'Delivery date'],
    ],
    [
      'shipping address (street, city), billing address (street, city)',
      ['Shipping street', 'Shipping city', 'Billing street', 'Billing city'],
    ],
    ['Shipping address with street and city, notes', ['Street', 'City', 'Notes']],
    [
      'driver (name, license number), vehicle (make, model, year)',
      ['Driver name', 'Driver license number', 'Vehicle make', 'Vehicle model', 'Vehicle year'],
    ],
    ['vehicle details (make, model, year)', ['Make', 'Model', 'Year']],
    [
      'Transfer form: from account (number, bank), to account (number, bank), amount',
      [
        'From account number',
        'From account bank',
        'To account number',
        'To account bank',
        'Amount',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

describe('what is named twice, and is the same, is asked once', () => {
  it.each<[prompt: string, labels: string[]]>([
    ['Name and email. The name is required, the email optional.', ['Name', 'Email']],
    ['Personal details: name, email. Contact details: email, phone.', ['Name', 'Email', 'Phone']],
    ['Name, phone, email. Feedback: rating, email', ['Name', 'Phone', 'Email', 'Rating']],
    ['Required: name, email. Optional: name', ['Name', 'Email']],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

it('the answers are named as the labels are, and what data call them stands behind whose they are', () => {
  const definition = generateByRules(
    'form',
    '{"buyer": {"fullName": "", "mail": "email"}, "seller": {"fullName": "", "mail": "email"}}',
  )
  expect(recoverForm(definition)?.fields.map(({ name }) => name)).toEqual([
    'buyer_fullName',
    'buyer_mail',
    'seller_fullName',
    'seller_mail',
  ])
})

it('choices in brackets stay choices, though they may be words for fields', () => {
  const definition = generateByRules(
    'form',
    'contact method (phone, email, text), sort by (name, date)',
  )
  expect(recoverForm(definition)?.fields.map(({ choices }) => choices)).toEqual([
    ['phone', 'email', 'text'],
    ['name', 'date'],
  ])
})

it('what may be left out of someone’s things may all be left out', () => {
  const definition = generateByRules('form', 'Name, guardian (name, phone) (optional)')
  expect(
    recoverForm(definition)?.fields.map(({ label, isRequired }) => [label, isRequired]),
  ).toEqual([
    ['Name', true],
    ['Guardian name', false],
    ['Guardian phone', false],
  ])
})

it('of two things with nothing else, both are asked for, though only one is known', () => {
  expect(asks('Name, email. Diet and allergies.')).toEqual(['Name', 'Email', 'Diet', 'Allergies'])
})

it('the only Markdown heading before a prompt is the title of its form', () => {
  const form = recoverForm(
    generateByRules('form', '# Customer feedback\nCollect a rating and comments.'),
  )
  expect(form?.title).toBe('Customer feedback')
  expect(form?.fields.map(({ label }) => label)).toEqual(['Rating', 'Comments'])
})

describe('an instruction adds what is someone else’s beside what the form asks already', () => {
  const before = ['Name', 'Email', 'Phone', 'Size']
  it.each<[instruction: string, added: string[]]>([
    [
      'Add an emergency contact (name, phone)',
      ['Emergency contact name', 'Emergency contact phone'],
    ],
    [
      'Add guardian details: name, phone, relationship',
      ['Guardian name', 'Guardian phone', 'Guardian relationship'],
    ],
    [
      "Ask for the partner's name, email and phone",
      ["Partner's name", "Partner's email", "Partner's phone"],
    ],
    ['Add a second screen for the guardian: name, phone', ['Guardian name', 'Guardian phone']],
    ['Add a shipping address with street, city and zip', ['Street', 'City', 'Zip']],
  ])('%j', (instruction, added) => {
    expect(labels(updateByRules(generateByRules('form', FOUR), instruction))).toEqual([
      ...before,
      ...added,
    ])
  })
})

it.each([
  'sender (name, phone) ',
  'a: name, phone; ',
  'sender name, phone, ',
  '# a\n',
  '## a\nname\n',
])('a prompt is read in time that grows with its length when it repeats %j', async (part) => {
  const growth = await growthOf(Math.ceil(PROMPT_MOST / 16 / part.length), (times) => {
    const prompt = `name, ${part.repeat(times)}`
    return () => expect(generateByRules('form', prompt)).toEqual(expect.anything())
  })
  expect(growth).toBeLessThan(LINEAR_MOST)
})
