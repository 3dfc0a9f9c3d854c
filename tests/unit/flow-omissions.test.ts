import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('what a prompt says is not to be asked for', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      "Survey on: satisfaction (1 to 10), biggest challenge. Don't ask for names.",
      ['Satisfaction: one_of 1|2|3|4|5|6|7|8|9|10', 'Biggest challenge: text'],
    ],
    [
      'Contact form: email, message. Do not ask for the phone number.',
      ['Email: email', 'Message: paragraph'],
    ],
    ['Contact form without phone.', ['Name: text', 'Email: email', 'Message: paragraph']],
    [
      "Contact form but don't ask for email.",
      ['Name: text', 'Phone?: phone', 'Message: paragraph'],
    ],
    [
      'Encuesta: satisfacción (1 al 5), comentario. No preguntes el nombre.',
      ['Satisfacción: one_of 1|2|3|4|5', 'Comentario: paragraph'],
    ],
    [
      'Survey about our service with a rating and a comment, no personal data.',
      ['Rating: one_of 1|2|3|4|5', 'Comment: paragraph'],
    ],
    ['Anonymous complaint form', ['Order number?: text', 'Complaint: paragraph']],
    [
      "Order: name, product, address, delivery method (delivery, pickup). Don't ask for the address if they choose pickup.",
      [
        'Name: text',
        'Product: text',
        'Delivery method: one_of delivery|pickup',
        'Address: text if delivery_method is delivery',
      ],
    ],
    [
      "Name, email. We don't need the phone. Message.",
      ['Name: text', 'Email: email', 'Message: paragraph'],
    ],
    ['Lead form, no phone needed', ['Name: text', 'Company?: text', 'Email: email']],
    [
      "Registration form with name, email and t-shirt size (S, M, L), but don't ask for phone numbers.",
      ['Name: text', 'Email: email', 'T-shirt size: one_of S|M|L'],
    ],
    [
      'Pedido: nombre, dirección, entrega (domicilio, tienda). No pidas la dirección si eligen tienda.',
      [
        'Nombre: text',
        'Entrega: one_of domicilio|tienda',
        'Dirección: text if entrega is domicilio',
      ],
    ],
    [
      'Feedback form: rating, comment. Please do not include any personal questions.',
      ['Rating: one_of 1|2|3|4|5', 'Comment: paragraph'],
    ],
    [
      "Name, email, phone. Don't require the phone.",
      ['Name: text', 'Email: email', 'Phone?: phone'],
    ],
    [
      'A checkbox "Do not contact me", name, email',
      ['Do not contact me?: consent', 'Name: text', 'Email: email'],
    ],
    [
      "Survey (don't ask for names): rating, comment",
      ['Rating: one_of 1|2|3|4|5', 'Comment: paragraph'],
    ],
    [
      'Formulario de contacto sin teléfono',
      ['Nombre: text', 'Correo: email', 'Mensaje: paragraph'],
    ],
    [
      'Formulario de contacto sin pedir el correo',
      ['Nombre: text', 'Teléfono?: phone', 'Mensaje: paragraph'],
    ],
    ['Ask for name and email only, no phone.', ['Name: text', 'Email: email']],
    ['Name, phone, no email please.', ['Name: text', 'Phone: phone']],
    [
      'Quick poll, no names: which day suits you? Monday, Tuesday, Friday',
      ['Which day suits you?: one_of Monday|Tuesday|Friday'],
    ],
    [
      'Never ask for card details. Order form with product, quantity and notes.',
      ['Product: text', 'Quantity: number', 'Notes: paragraph'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('lists, steps and wishes as agents write them', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Name, industry (Retail, Food & Beverage, Services, Other)',
      ['Name: text', 'Industry: one_of Retail|Food & Beverage|Services|Other'],
    ],
    [
      'Name, department (Sales and Marketing, IT, HR)',
      ['Name: text', 'Department: one_of Sales and Marketing|IT|HR'],
    ],
    [
      'Name, industry: Retail, Food & Beverage, Services, Other. Email',
      ['Name: text', 'Industry: one_of Retail|Food & Beverage|Services|Other', 'Email: email'],
    ],
    [
      'Name, topics (multiple: health & beauty, sports, news and politics)',
      ['Name: text', 'Topics: some_of health & beauty|sports|news|politics'],
    ],
    [
      'Choose industry (Food & Beverage, Retail or Services), name',
      ['Industry: one_of Food & Beverage|Retail|Services', 'Name: text'],
    ],
    [
      'Fields: name & phone, parking & towing, address',
      ['Name: text', 'Phone: phone', 'Parking & towing: text', 'Address: text'],
    ],
    [
      'Nombre, área (ventas y marketing, sistemas, recursos humanos)',
      ['Nombre: text', 'Área: one_of ventas y marketing|sistemas|recursos humanos'],
    ],
    [
      'Do they have pets - if yes, how many? Name.',
      [
        'Do you have pets: one_of Yes|No',
        'How many?: number if do_they_have_pets is Yes',
        'Name: text',
      ],
    ],
    [
      'Let customers choose a size (S, M, L). Let them leave a comment.',
      ['Size: one_of S|M|L', 'Comment?: paragraph'],
    ],
    [
      'Survey: score 0-10, optional contact details (name, email), and a comment',
      [
        'Score: one_of 0|1|2|3|4|5|6|7|8|9|10',
        'Name?: text',
        'Email?: email',
        'Comment: paragraph',
      ],
    ],
    [
      'name and email (both optional), comment',
      ['Name?: text', 'Email?: email', 'Comment: paragraph'],
    ],
    [
      'Nombre, correo y teléfono (todos opcionales), comentario',
      ['Nombre?: text', 'Correo?: email', 'Teléfono?: phone', 'Comentario: paragraph'],
    ],
    [
      'Steps: 1) Contact: email, phone 2) Shipping: name, address',
      ['Email: email', 'Phone: phone', 'Name: text', 'Address: text'],
    ],
    [
      'A flow with 3 screens: Contact (email, phone), Shipping (name, address), Payment (card, cash)',
      ['Email: email', 'Phone: phone', 'Name: text', 'Address: text', 'Payment: one_of card|cash'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('steps and choices with names', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Make it short: name, pick-up or delivery, order details, time.',
      [
        'Name: text',
        'Pick-up or delivery: one_of pick-up|delivery',
        'Order details: paragraph',
        'Time: text',
      ],
    ],
    [
      'Please make the form in 3 steps: personal details (name, email, phone), trip details (destination, dates, travelers), and preferences (hotel stars 3/4/5, meal plan, notes).',
      [
        'Name: text',
        'Email: email',
        'Phone: phone',
        'Destination: text',
        'Dates: date',
        'Travelers: text',
        'Hotel stars: one_of 3|4|5',
        'Meal plan: text',
        'Notes: paragraph',
      ],
    ],
    [
      'reason (select: Damaged, Late), size (pick from S, M, L), plan (radio: Basic, Pro)',
      ['Reason: one_of Damaged|Late', 'Size: one_of S|M|L', 'Plan: one_of Basic|Pro'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('what is asked for beside what is not', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Encuesta: evaluar del 1 al 5: comida, servicio, ambiente.',
      ['Comida: one_of 1|2|3|4|5', 'Servicio: one_of 1|2|3|4|5', 'Ambiente: one_of 1|2|3|4|5'],
    ],
    ['Necesito nombre, correo y teléfono.', ['Nombre: text', 'Correo: email', 'Teléfono: phone']],
    [
      "Survey: name, why they don't ask for help, age",
      ['Name: text', "Why you don't ask for help: paragraph", 'Age: number'],
    ],
    [
      'Registration: name, email. I need the phone.',
      ['Name: text', 'Email: email', 'Phone: phone'],
    ],
    [
      'Feedback form without asking for the email: rating, comment',
      ['Rating: one_of 1|2|3|4|5', 'Comment: paragraph'],
    ],
    [
      'Formulario de quejas, sin pedir el teléfono: nombre, queja',
      ['Nombre: text', 'Queja: paragraph'],
    ],
    [
      "Contact form. Don't ask for the following: phone, name.",
      ['Email: email', 'Message: paragraph'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('groups with choices of their own', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Event registration in 2 steps: Contact (name, email), Ticket (type (General, VIP), notes optional). Do not ask for the phone.',
      ['Name: text', 'Email: email', 'Type: one_of General|VIP', 'Notes?: paragraph'],
    ],
    [
      'Contact (email, phone), Ticket (type (General, VIP), notes)',
      ['Contact: one_of email|phone', 'Type: one_of General|VIP', 'Notes: paragraph'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
