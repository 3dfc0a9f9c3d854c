import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'

/** What a form asks, each thing with its kind or choices; a question mark behind that if it may be left out. */
function asks(prompt: string): string[] {
  const definition = generateByRules('form', prompt)
  expect(publishingFaults(definition)).toEqual([])
  const fields = recoverForm(definition)?.fields ?? []
  return fields.map(({ label, kind, choices, isRequired }) => {
    const answered = choices.length > 0 ? choices.join('|') : kind
    return `${label}: ${answered}${isRequired ? '' : '?'}`
  })
}

describe('a form as a business asks for it', () => {
  const PROMPTS: [prompt: string, asked: string[]][] = [
    [
      'I run a dental clinic. New patients should give us their full name, any medications, and sign that they’ve read the privacy notice.',
      [
        'Full name: text',
        'Any medications: text?',
        'I confirm that I have read the privacy notice: consent',
      ],
    ],
    [
      'Table booking: name, party size, high chair needed (y/n)',
      ['Name: text', 'Party size: number', 'High chair needed: Yes|No'],
    ],
    [
      'Survey: Q1 How easy was checkout (1=hard, 3=easy)? Q2 Was anything missing?',
      ['How easy was checkout?: 1|2|3', 'Was anything missing?: Yes|No'],
    ],
    [
      'Ask for a delivery slot: today, tomorrow, or a specific date',
      ['Delivery slot: today|tomorrow|a specific date'],
    ],
    [
      'Donation: amount ($10, $25), name, anonymous? okay to text you? message to the team',
      [
        'Amount: $10|$25',
        'Name: text',
        'Anonymous?: Yes|No',
        'Okay to text you?: Yes|No',
        'Message to the team: paragraph',
      ],
    ],
    [
      'Ticket: subject, category - billing, technical, other - priority low/high, description',
      [
        'Subject: text',
        'Category: billing|technical|other',
        'Priority: low|high',
        'Description: paragraph',
      ],
    ],
    [
      'Please make a form where the customer types their account number, picks a reason (billing, outage), and describes the problem',
      ['Account number: text', 'Reason: billing|outage', 'Describe the problem: paragraph'],
    ],
    [
      'Order: extras (bacon, egg - choose any), eat in / take away, notes',
      ['Extras: bacon|egg', 'Eat in or take away: eat in|take away', 'Notes: paragraph'],
    ],
    [
      'Rent application with full name, employer, move-in date, pets? if yes what kind, references',
      [
        'Full name: text',
        'Employer: text',
        'Move-in date: date',
        'Pets?: Yes|No',
        'What kind?: paragraph',
        'References: text',
      ],
    ],
    [
      'Cuestionario: edad, ¿fuma?, ¿toma medicamentos? ¿cuáles? ¿podemos llamarlo?',
      [
        'Edad: number',
        '¿Fuma?: Sí|No',
        '¿Toma medicamentos?: Sí|No',
        '¿Cuáles?: text?',
        '¿Podemos llamarlo?: Sí|No',
      ],
    ],
    [
      'Clinic intake (all required): name, sex at birth, pain 0-2, notes (optional)',
      ['Name: text', 'Sex at birth: text', 'Pain: 0|1|2', 'Notes: paragraph?'],
    ],
    [
      'Registro (todos obligatorios): nombre, edad, motivo',
      ['Nombre: text', 'Edad: number', 'Motivo: paragraph'],
    ],
    [
      'Hackathon registration: team name, team members (up to 4), project idea, tech stack, need a mentor?',
      [
        'Team name: text',
        'Team members: text',
        'Project idea: text',
        'Tech stack: text',
        'Do you need a mentor?: Yes|No',
      ],
    ],
    [
      'Feedback: thumbs up or down, plus a comment',
      ['Feedback: thumbs up|thumbs down', 'Comment: paragraph'],
    ],
    [
      'Collect the VIN, photos of the car (front, back), and whether we may keep photos of it (yes/no)',
      ['VIN: text', 'Photos of the car: photo', 'May we keep photos of it?: yes|no'],
    ],
    [
      'Form with a heading "About you", then name, and hobbies (select many: reading, music)',
      ['Name: text', 'Hobbies: reading|music'],
    ],
    [
      'Pizza: ingredientes (elige hasta 3: jamón, piña), ¿recoger o envío?, ¿fuma o bebe?',
      ['Ingredientes: jamón|piña', '¿Recoger o envío?: recoger|envío', '¿Fuma o bebe?: text'],
    ],
    [
      'Req: fname, addr, ph, delivery dt, qty, pH level, msg (opt.), opt in to marketing',
      [
        'First name: text',
        'Address: text',
        'Phone: phone',
        'Delivery date: date',
        'Quantity: number',
        'PH level: text',
        'Message: paragraph?',
        'Opt in to marketing: consent?',
      ],
    ],
    [
      'A form with name and email; add the phone too. Please also add an optional notes field at the end.',
      ['Name: text', 'Email: email', 'Phone: phone', 'Notes: paragraph?'],
    ],
    [
      'Formulario con nombre. Agrega también un campo de comentarios.',
      ['Nombre: text', 'Comentarios: paragraph'],
    ],
    [
      'Name, email. Add a checkbox for the terms. Add a confirmation screen.',
      ['Name: text', 'Email: email', 'I accept the terms and conditions: consent'],
    ],
    [
      'Book club vote: pick one: Dune, Emma. Then say why.',
      ['Book club vote: Dune|Emma', 'Why: paragraph'],
    ],
    [
      'Travel: from where, to where, arrival & departure time, bedrooms, hours per week',
      [
        'From where: text',
        'To where: text',
        'Arrival time: text',
        'Departure time: text',
        'Bedrooms: number',
        'Hours per week: number',
      ],
    ],
    [
      'Ask for the delivery time: as soon as possible or at a certain time',
      ['Delivery time: as soon as possible|at a certain time'],
    ],
    [
      'Survey: how long did you wait? what went wrong?',
      ['How long did you wait?: text', 'What went wrong?: paragraph'],
    ],
    [
      'Encuesta: ¿Qué productos compra? (frutas, lácteos) ¿Con qué frecuencia?',
      ['¿Qué productos compra?: frutas|lácteos', '¿Con qué frecuencia?: text'],
    ],
    [
      'Pedido: nombre, comer aquí / para llevar, factura (s/n)',
      ['Nombre: text', 'Comer aquí o para llevar: comer aquí|para llevar', 'Factura: Sí|No'],
    ],
    [
      'NPS survey: How likely are you to recommend us (0-2)? Why did you give that score?',
      ['How likely are you to recommend us?: 0|1|2', 'Why did you give that score?: paragraph'],
    ],
    [
      'Please make a quick poll asking which day works best - Monday, Wednesday or Friday - and whether they prefer morning or evening',
      ['Which day works best: Monday|Wednesday|Friday', 'Morning or evening: morning|evening'],
    ],
    [
      'Name, email, special requests (optional)',
      ['Name: text', 'Email: email', 'Special requests: paragraph?'],
    ],
    [
      'Feedback about our webinar. Rate the content and the speaker (1-3). Would you attend again?',
      ['Rate the content: 1|2|3', 'Speaker: 1|2|3', 'Would you attend again?: Yes|No'],
    ],
    ['Feedback about our webinar.', ['Feedback about our webinar: paragraph']],
    [
      'Car service: plate number, service needed (oil, brakes) multiple allowed, need a tow truck?, what happened',
      [
        'Plate number: text',
        'Service needed: oil|brakes',
        'Do you need a tow truck?: Yes|No',
        'What happened: paragraph',
      ],
    ],
    [
      'Collect the shipping address as street, city and zip, all required, plus delivery notes (optional)',
      ['Street: text', 'City: text', 'Zip: text', 'Delivery notes: paragraph?'],
    ],
    [
      'Rate food and service from 1 to 3, tell us what we can improve, and leave your email if you want a reply',
      ['Rate food: 1|2|3', 'Service: 1|2|3', 'What we can improve: paragraph', 'Email: email?'],
    ],
    [
      'Repair: apartment number, photo, permission to enter',
      ['Apartment number: text', 'Photo: photo', 'Permission to enter: consent'],
    ],
    [
      'Para mi restaurante: nombre, experiencia (en años), ¿alguna alergia?, horario (mañana, tarde; puede elegir varias)',
      ['Nombre: text', 'Experiencia: number', '¿Alguna alergia?: text?', 'Horario: mañana|tarde'],
    ],
    [
      'Quiero que el cliente deje su nombre y correo, elija un plan (básico, pro) y acepte los términos',
      [
        'Nombre: text',
        'Correo: email',
        'Plan: básico|pro',
        'Acepto los términos y condiciones: consent',
      ],
    ],
    [
      "We're hiring! Name, phone, position (driver, cook), do you have a license?, availability, upload CV",
      [
        'Name: text',
        'Phone: phone',
        'Position: driver|cook',
        'Do you have a license?: Yes|No',
        'Availability: text',
        'CV: document',
      ],
    ],
    [
      'What service do you want? Haircut, Color, Styling. Your name and phone please.',
      ['What service do you want?: Haircut|Color|Styling', 'Name: text', 'Phone: phone'],
    ],
    [
      'Book a viewing: your name, are you a first time buyer? mortgage in principle (y/n)',
      ['Name: text', 'Are you a first time buyer?: Yes|No', 'Mortgage in principle: Yes|No'],
    ],
    [
      "Car rental: pick-up location & date, return location & date, owner's name & number",
      [
        'Pick-up location: text',
        'Pick-up date: date',
        'Return location: text',
        'Return date: date',
        "Owner's name: text",
        "Owner's phone number: phone",
      ],
    ],
    [
      'Could I get a form with: a text box for the subject, a text area for the issue, and a file upload?',
      ['Subject: text', 'Issue: paragraph', 'File upload: document'],
    ],
    [
      'Get the name, then their favorite color from red/blue, then a short bio',
      ['Name: text', 'Favorite color: red|blue', 'Short bio: paragraph'],
    ],
    ['pls make a form -> name / phone / email', ['Name: text', 'Phone: phone', 'Email: email']],
    [
      'Feedback on delivery: was it on time, was packaging ok, extra comments',
      ['Was it on time: Yes|No', 'Was packaging ok: Yes|No', 'Extra comments: paragraph'],
    ],
    [
      'Survey for our users - How often do you use the app? (Daily / Rarely) - What feature do you use most? - Any bugs?',
      [
        'How often do you use the app?: Daily|Rarely',
        'What feature do you use most?: paragraph',
        'Any bugs?: text?',
      ],
    ],
    [
      'The customer gives the order number, selects the type of problem from damaged, missing, late, and explains what happened.',
      [
        'Order number: text',
        'Type of problem: damaged|missing|late',
        'Explain what happened: paragraph',
      ],
    ],
    [
      'name, id, dob, country - all mandatory; phone optional',
      ['Name: text', 'Id: text', 'Dob: date', 'Country: text', 'Phone: phone?'],
    ],
    ['Form: "Party". Questions: Will you attend? (Yes, Maybe)', ['Will you attend?: Yes|Maybe']],
    [
      'Collect feedback after delivery with a star rating and a multi-line comment',
      ['Star rating: 1|2|3|4|5', 'Comment: paragraph'],
    ],
    [
      'Please let customers (1) choose a service: shave, both; (2) leave name & phone',
      ['Service: shave|both', 'Name: text', 'Phone: phone'],
    ],
    [
      'Photo contest: title of photo, photo, I confirm this is my own work, what should we improve',
      [
        'Title of photo: text',
        'Photo: photo',
        'I confirm this is my own work: consent',
        'What should we improve: paragraph',
      ],
    ],
    [
      'Encuesta de clima laboral con escala 1 a 3 para: liderazgo, ambiente; y una pregunta abierta de sugerencias',
      ['Liderazgo: 1|2|3', 'Ambiente: 1|2|3', 'Sugerencias: paragraph'],
    ],
    [
      'Formulario: nombre del padre o tutor, alergias (si tiene), por qué quieres participar, y que suban el comprobante en PDF',
      [
        'Nombre del padre o tutor: text',
        'Alergias: text?',
        'Por qué quieres participar: paragraph',
        'Comprobante en PDF: document',
      ],
    ],
    [
      'Property valuation request. Address, condition (1 poor - 3 excellent), contact number',
      ['Address: text', 'Condition: 1|2|3', 'Contact number: phone'],
    ],
    [
      'Please provide a way for tenants to report repairs. They should enter unit number and a photo.',
      ['Unit number: text', 'Photo: photo'],
    ],
    [
      'Get feedback on the new menu. What dish did you try? Any suggestions?',
      ['What dish did you try?: paragraph', 'Any suggestions?: paragraph?'],
    ],
    [
      'Name; would you like a callback? (yes/no) if yes, best time',
      ['Name: text', 'Would you like a callback?: yes|no', 'Best time: text'],
    ],
    [
      'Let people suggest a song: song, artist, why this song (optional)',
      ['Song: text', 'Artist: text', 'Why this song: paragraph?'],
    ],
    [
      'Daycare form with child name, half or full day, access instructions',
      ['Child name: text', 'Half or full day: half day|full day', 'Access instructions: paragraph'],
    ],
    // That one may have none goes without saying, and says nothing of the others.
    ['Name (required), city, any allergies', ['Name: text', 'City: text?', 'Any allergies: text?']],
    [
      'You can select any colour: red, blue. Ask whether anything has changed.',
      ['Any colour: red|blue', 'Anything has changed: Yes|No'],
    ],
    [
      'Encuesta breve: del 1 al 3 qué tal la comida y el servicio; comentarios',
      ['Califica la comida: 1|2|3', 'Servicio: 1|2|3', 'Comentarios: paragraph'],
    ],
  ]
  it.each(PROMPTS)('%j is read as it is meant', (prompt, asked) => {
    expect(asks(prompt)).toEqual(asked)
  })
})
