import { expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { asked } from '../support/flow-parts.ts'

const PROMPTS: [prompt: string, fields: string[]][] = [
  [
    "Enrollment form for parents - child's name, date of birth, parent email, and consent for photos",
    ['child_s_name:text', 'date_of_birth:date', 'parent_email:email', 'consent_for_photos:consent'],
  ],
  [
    'Order form for pizza. Toppings (choose up to 3): cheese, ham. Delivery or pickup. Address if delivery.',
    [
      'toppings:some_of(cheese|ham)',
      'delivery_or_pickup:one_of(Delivery|pickup)',
      'address_if_delivery:text?',
    ],
  ],
  [
    'Survey: how satisfied are you (very, hardly), would you recommend us, what would you change',
    [
      'how_satisfied_are_you:one_of(very|hardly)',
      'would_you_recommend_us:one_of(Yes|No)',
      'what_would_you_change:text',
    ],
  ],
  [
    'Car service: make, model, year, mileage, tire type, preferred date, and notes.',
    [
      ...['make:text', 'model:text', 'year:text', 'mileage:text', 'tire_type:text'],
      ...['preferred_date:date', 'notes:paragraph'],
    ],
  ],
  [
    '¿Cómo nos conociste? Opciones: Google, Instagram. ¿Nombre?',
    ['como_nos_conociste:one_of(Google|Instagram)', 'nombre:text'],
  ],
  [
    'What do you need? Options: a call, an email. Your name.',
    ['what_do_you_need:one_of(a call|an email)', 'name:text'],
  ],
  [
    'A form where the user enters their company name, selects their industry from a list (tech, retail), and uploads a logo',
    ['company_name:text', 'industry:one_of(tech|retail)', 'logo:photo'],
  ],
  ['Name, and upload the proof of purchase', ['name:text', 'proof_of_purchase:document']],
  ['Name, proof of purchase (photo or PDF)', ['name:text', 'proof_of_purchase:document']],
  ['Name, the damage (jpg, png)', ['name:text', 'damage:photo']],
  [
    'Please have them sign up with username, email and password',
    ['username:text', 'email:email', 'password:password'],
  ],
  [
    "Get the customer's name and phone number so we can call them back.",
    ['name:text', 'phone_number:phone'],
  ],
  [
    'Create a flow to collect customer feedback with a star rating, a comment box and their name',
    ['star_rating:one_of(1|2|3|4|5)', 'comment:paragraph', 'name:text'],
  ],
  [
    'A form to collect the name and email, with consent to the terms',
    ['name:text', 'email:email', 'consent_to_the_terms:consent'],
  ],
]

it.each(PROMPTS)('a prompt asks for what a reader would expect: %j', (prompt, fields) => {
  const definition = generateByRules('my_form', prompt)
  expect(publishingFaults(definition)).toEqual([])
  expect(asked(definition).sort()).toEqual([...fields].sort())
})
