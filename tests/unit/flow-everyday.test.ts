import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

const asks = (prompt: string) => shown(generateByRules('form', prompt))

/** Each thing with five answers. */
const rated = (...things: string[]) => things.map((thing) => `${thing}: one_of 1|2|3|4|5`)

describe('a survey asks about each thing that its scale is said of', () => {
  const ALL = rated('Food quality', 'Service speed', 'Cleanliness')
  it.each<[prompt: string, asked: string[]]>([
    ['Survey about food quality, service speed and cleanliness, each rated 1-5', ALL],
    ['5 questions about food quality, service speed and cleanliness, each rated 1-5', ALL],
    [
      'Create survey: 3 questions about food quality, service speed, and cleanliness, each rated 1 to 5',
      ALL,
    ],
    ['Cleanliness/staff/breakfast ratings out of 5', rated('Cleanliness', 'Staff', 'Breakfast')],
    ['Star ratings for delivery, packaging and product', rated('Delivery', 'Packaging', 'Product')],
    [
      'A survey with ratings for room and staff, plus would they come back',
      [...rated('Room', 'Staff'), 'Would you come back: one_of Yes|No'],
    ],
    [
      'Survey: rate food, drinks and music; comments',
      [...rated('Rate food', 'Drinks', 'Music'), 'Comments: paragraph'],
    ],
    ['Rate us on speed, quality and price (1-5)', rated('Rate speed', 'Quality', 'Price')],
    [
      'Three questions about the food, the service and the price',
      ['Food: text', 'Service: text', 'Price: number'],
    ],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

describe('choices are read whole, and no further than they go', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Name, service (cut, color, cut + color)',
      ['Name: text', 'Service: one_of cut|color|cut + color'],
    ],
    [
      'Name, availability (weekdays, weekends, weekdays and weekends)',
      ['Name: text', 'Availability: one_of weekdays|weekends|weekdays and weekends'],
    ],
    [
      'Name, plan (Basic $10, Plus $20, Pro $30)',
      ['Name: text', 'Plan: one_of Basic $10|Plus $20|Pro $30'],
    ],
    [
      '1. **Name**\n2. **Company size** – 1-10, 11-50, 51-200, 200+',
      ['Name: text', 'Company size: one_of 1-10|11-50|51-200|200+'],
    ],
    [
      'Build a flow where the user selects a plan from Gold, Silver, Bronze, enters number of dependents, and uploads a copy of their ID.',
      [
        'Plan: one_of Gold|Silver|Bronze',
        'Number of dependents: number',
        'Copy of your ID: document',
      ],
    ],
    [
      'Ask for their name, then let them choose between email or SMS for updates.',
      ['Name: text', 'Updates: one_of email|SMS'],
    ],
    [
      'Q: How did you hear about us?\nA: Google / Friend / Instagram\nQ: What is your name?',
      ['How did you hear about us?: one_of Google|Friend|Instagram', 'What is your name?: text'],
    ],
    [
      'Name, whether it’s pickup or delivery',
      ['Name: text', 'Is it pickup or delivery?: one_of pickup|delivery'],
    ],
    ['Express delivery y/n, address', ['Express delivery: one_of Yes|No', 'Address: text']],
    [
      'Bug report: steps to reproduce, expected result, screenshot, severity (S1-S4), app version',
      [
        'Steps to reproduce: paragraph',
        'Expected result: paragraph',
        'Screenshot: photo',
        'Severity: one_of S1|S2|S3|S4',
        'App version: text',
      ],
    ],
    ['Name, proof of purchase (upload)', ['Name: text', 'Proof of purchase: document']],
    [
      'Name, if we can contact them (if yes: phone)',
      [
        'Name: text',
        'Can we contact you?: one_of Yes|No',
        'Phone: phone if we_can_contact_them is Yes',
      ],
    ],
    [
      'Name, side effects (nausea, rash, none)',
      ['Name: text', 'Side effects: some_of nausea|rash|none'],
    ],
    [
      'Do they own the home? Average monthly electric bill? Flexible dates?',
      [
        'Do you own the home?: one_of Yes|No',
        'Average monthly electric bill?: number',
        'Flexible dates?: one_of Yes|No',
      ],
    ],
    [
      'The customer chooses a flavour from chocolate, vanilla or red velvet, picks a size (S, M), adds a message and chooses a date.',
      [
        'Flavour: one_of chocolate|vanilla|red velvet',
        'Size: one_of S|M',
        'Message: paragraph',
        'Date: date',
      ],
    ],
    [
      'How was the fit - too small, just right, too big? Would you buy again?',
      [
        'How was the fit?: one_of too small|just right|too big',
        'Would you buy again?: one_of Yes|No',
      ],
    ],
    ['Mood today (😀 😐 😞), comments', ['Mood today: one_of 😀|😐|😞', 'Comments: paragraph']],
    [
      'Which of these do you use? (A, B, C) - select all that apply',
      ['Which of these do you use?: some_of A|B|C'],
    ],
    [
      'Give your availability: Monday, Tuesday (multiple)',
      ['Availability: some_of Monday|Tuesday'],
    ],
    [
      'How old are you? under 18, 18-25, over 40',
      ['How old are you?: one_of under 18|18-25|over 40'],
    ],
    ['Name, level (A1-C2)', ['Name: text', 'Level: one_of A1|A2|B1|B2|C1|C2']],
    ['Nombre, grado (1° a 3°)', ['Nombre: text', 'Grado: one_of 1°|2°|3°']],
    ['Upload: passport, visa, photo', ['Passport: document', 'Visa: document', 'Photo: photo']],
    [
      'ID check: front of ID, back of ID, selfie',
      ['Front of ID: photo', 'Back of ID: photo', 'Selfie: photo'],
    ],
    [
      'RSVP: attending yes/no, if yes how many people, song request',
      [
        'Attending: one_of yes|no',
        'How many people?: number if attending is yes',
        'Song request: text',
      ],
    ],
    ['Membership: name, auto-renew?', ['Name: text', 'Auto-renew?: one_of Yes|No']],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

describe('what a prompt says before a list, or behind it, changes nothing of the things in it', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'We sell cakes. Customers should tell us: flavor, number of servings, date needed. If delivery, we need the address.',
      [
        'Flavor: text',
        'Number of servings: number',
        'Date needed: date',
        'Address if delivery?: text',
      ],
    ],
    [
      '* Full name - text\n* Phone - phone number\n* Date - date picker',
      ['Full name: text', 'Phone: phone', 'Date: date'],
    ],
    [
      'Name, whether they have a court date, and if so when.',
      [
        'Name: text',
        'Do you have a court date?: one_of Yes|No',
        'When?: date if they_have_a_court_date is Yes',
      ],
    ],
    [
      'Survey: how many days per week do you work from home, comments',
      ['How many days per week do you work from home: number', 'Comments: paragraph'],
    ],
    ['Quote: from zip, to zip, weight', ['From zip: text', 'To zip: text', 'Weight: number']],
    [
      'Item name, asking price, names of all guests',
      ['Item name: text', 'Asking price: number', 'Names of all guests: text'],
    ],
    [
      'Ask customers if they’re satisfied. If yes, ask for a review. If no, ask what went wrong.',
      [
        'Are you satisfied?: one_of Yes|No',
        'Review: paragraph if they_re_satisfied is Yes',
        'What went wrong: paragraph if they_re_satisfied is No',
      ],
    ],
    [
      'Petition: full name, allow us to display your name',
      ['Full name: text', 'Allow us to display your name: consent'],
    ],
    [
      'Name, photo upload, max 3, and a comment',
      ['Name: text', 'Photo upload: photo ..3', 'Comment: paragraph'],
    ],
    [
      'Goal: collect feedback after a call.\nAudience: existing customers.\nQuestions:\n1. Was it solved? (Yes / No / Partly)\n2. What is your name?',
      ['Was it solved?: one_of Yes|No|Partly', 'What is your name?: text'],
    ],
    ['Ask: name, company. Language: English.', ['Name: text', 'Company: text']],
    [
      'Ask for the name. They should also be able to tell us about any special needs.',
      ['Name: text', 'Any special needs?: text'],
    ],
    [
      'Ask for email, company size and role. Make company size a choice between 1-50, 51-200 and 200+.',
      ['Email: email', 'Company size: one_of 1-50|51-200|200+', 'Role: text'],
    ],
    [
      'A text field for the name, a dropdown for the country with Spain, Portugal and France, a date field for arrival',
      ['Name: text', 'Country: one_of Spain|Portugal|France', 'Arrival: date'],
    ],
    [
      'First step: name. In the second step the project: type (website, app), budget (low, high), deadline.',
      ['Name: text', 'Type: one_of website|app', 'Budget: one_of low|high', 'Deadline: date'],
    ],
    [
      'Simple: name + number + message',
      ['Name: text', 'Phone number: phone', 'Message: paragraph'],
    ],
    [
      'customer gives order no, picks reason from list: late, damaged; writes details; attaches pic',
      ['Order no: text', 'Reason: one_of late|damaged', 'Details: paragraph', 'Pic: photo'],
    ],
    [
      'name, phone, email all required; message optional',
      ['Name: text', 'Phone: phone', 'Email: email', 'Message?: paragraph'],
    ],
    ['fields = name, email', ['Name: text', 'Email: email']],
    [
      'Name, photo (upload), proof of address',
      ['Name: text', 'Photo: photo', 'Proof of address: document'],
    ],
    [
      'Are you buying or renting? preferred areas? night shifts ok?',
      [
        'Are you buying or renting?: one_of buying|renting',
        'Preferred areas?: text',
        'Night shifts ok?: one_of Yes|No',
      ],
    ],
    ['Visitor name, accept the NDA', ['Visitor name: text', 'I accept the NDA: consent']],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

describe('the same in Spanish', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Crea un flujo donde el cliente elige el servicio de Limpieza, Reparación o Instalación, escribe su dirección y sube una foto del problema',
      [
        'Servicio: one_of Limpieza|Reparación|Instalación',
        'Dirección: text',
        'Foto del problema: photo',
      ],
    ],
    [
      'Para inscribirse necesitamos el nombre del alumno, su grado y un correo',
      ['Nombre del alumno: text', 'Grado: text', 'Correo: email'],
    ],
    [
      'Quiero que me pidan el número de pedido y una foto',
      ['Número de pedido: text', 'Foto: photo'],
    ],
    ['Queremos saber: nombre, si fuma', ['Nombre: text', '¿Fuma?: one_of Sí|No']],
    [
      '1. ¿Cómo se llama?\n2. ¿Qué día prefiere?',
      ['¿Cómo se llama?: text', '¿Qué día prefiere?: date'],
    ],
    [
      'Encuesta sobre la comida y el servicio, cada uno calificado del 1 al 5',
      rated('Comida', 'Servicio'),
    ],
    [
      'Préstamo: datos del solicitante (nombre, cédula), datos del codeudor (nombre, cédula)',
      [
        'Nombre del solicitante: text',
        'Cédula del solicitante: text',
        'Nombre del codeudor: text',
        'Cédula del codeudor: text',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})

describe('what a prompt says once more of a thing is heeded, and asks for it once', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Form fields: name, email, phone. Required fields: name, email.',
      ['Name: text', 'Email: email', 'Phone?: phone'],
    ],
    [
      'Collect name, email, phone. Optional: phone',
      ['Name: text', 'Email: email', 'Phone?: phone'],
    ],
    ['Ask for name and phone. The phone must be filled in.', ['Name?: text', 'Phone: phone']],
    [
      'Name, email. The email must be a company email.',
      ['Name: text', 'Email: email (Must be a company email)'],
    ],
    ['Booking: name, phone. Confirmation: show name and phone', ['Name: text', 'Phone: phone']],
    [
      'Contact method: phone, email or post. Name.',
      ['Contact method: one_of phone|email|post', 'Name: text'],
    ],
  ])('%j', (prompt, expected) => {
    expect(asks(prompt)).toEqual(expected)
  })
})
