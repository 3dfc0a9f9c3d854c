import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('a prompt about what customers do', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Ask for delivery or pickup. If delivery, ask the address.',
      [
        'Delivery or pickup: one_of delivery|pickup',
        'Address: text if delivery_or_pickup is delivery',
      ],
    ],
    [
      'Ask for the name. Then ask for dine in or take away. Ask for comments.',
      ['Name: text', 'Dine in or take away: one_of dine in|take away', 'Comments: paragraph'],
    ],
    [
      'Ask for the name and ask for delivery or pickup',
      ['Name: text', 'Delivery or pickup: one_of delivery|pickup'],
    ],
    [
      'Que el cliente elija el tamaño (chica, mediana, grande), y si es para llevar o comer aquí',
      [
        'Tamaño: one_of chica|mediana|grande',
        '¿Es para llevar o comer aquí?: one_of para llevar|comer aquí',
      ],
    ],
    [
      'Ask customer for consent to marketing and which channels: SMS, email, WhatsApp',
      ['Consent to marketing?: consent', 'Which channels: some_of SMS|email|WhatsApp'],
    ],
    [
      'Tell us your preferred delivery window: morning (8-12), afternoon (12-16), evening (16-20)',
      ['Preferred delivery window: one_of morning 8-12|afternoon 12-16|evening 16-20'],
    ],
    [
      'Cancel a booking: booking reference, reason for cancelling - illness, change of plans, other',
      ['Booking reference: text', 'Reason for cancelling: one_of illness|change of plans|other'],
    ],
    [
      'Simple contact form with subject, message and email, in that order, all required',
      ['Subject: text', 'Message: paragraph', 'Email: email'],
    ],
    [
      'A form to reserve a table with number of people, time between 18:00 and 22:00, and seating preference inside/outside',
      [
        'Number of people: number',
        'Time between 18:00 and 22:00: text',
        'Seating preference: one_of inside|outside',
      ],
    ],
    [
      'Ask the time between 9:00 and 17:00 and the name',
      ['Time between 9:00 and 17:00: text', 'Name: text'],
    ],
    [
      'Report a power outage: address, meter number, since when, is anyone in danger',
      [
        'Address: text',
        'Meter number: text',
        'Since when: text',
        'Is anyone in danger: one_of Yes|No',
      ],
    ],
    [
      'Reporte de avería: dirección, número de cliente, desde cuándo, hay alguien en peligro',
      [
        'Dirección: text',
        'Número de cliente: text',
        'Desde cuándo: text',
        '¿Hay alguien en peligro?: one_of Sí|No',
      ],
    ],
    [
      "What's your T-shirt size? What's your shipping address?",
      ["What's your T-shirt size?: text", "What's your shipping address?: text"],
    ],
    [
      'Collect city, luggage count, sessions per week, days since start and gate code if there is one',
      [
        'City: text',
        'Luggage count: number',
        'Sessions per week: number',
        'Days since start: number',
        'Gate code?: text',
      ],
    ],
    [
      'Customer must upload passport scan, then type full name to sign',
      ['Passport scan: document', 'Full name: text'],
    ],
    [
      'Bug report with title, expected and actual result, screenshot',
      [
        'Title: text',
        'Expected result: paragraph',
        'Actual result: paragraph',
        'Screenshot: photo',
      ],
    ],
    [
      "Parent permission slip: child's name, I give permission for my child to attend the trip, parent signature",
      [
        "Child's name: text",
        'I give permission for my child to attend the trip: consent',
        'Parent signature: text',
      ],
    ],
    [
      'We need staff to log maintenance: machine ID, problem description, urgency low/medium/high, photo optional',
      [
        'Machine ID: text',
        'Problem description: paragraph',
        'Urgency: one_of low|medium|high',
        'Photo?: photo',
      ],
    ],
    [
      'Pregunta si necesita factura y en ese caso pide RFC y razón social',
      [
        '¿Necesita factura?: one_of Sí|No',
        'RFC: text if necesita_factura is Sí',
        'Razón social: text if necesita_factura is Sí',
      ],
    ],
    [
      'Ask whether they need an invoice and in that case ask for the VAT number',
      ['Do you need an invoice?: one_of Yes|No', 'VAT number: text if they_need_an_invoice is Yes'],
    ],
    ['A form to update their phone number', ['Phone number: phone']],
    [
      'Make a form where a customer can change their delivery address. Show a note that changes take 24 hours.',
      ['note: Changes take 24 hours', 'Delivery address: text'],
    ],
    ['A form where customers can update their email and phone', ['Email: email', 'Phone: phone']],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a prompt that lists what a task needs', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Guest list signup. Name, plus-ones (0-5), arrival before or after 9pm?',
      ['Name: text', 'Plus-ones: one_of 0|1|2|3|4|5', 'Arrival: one_of before 9pm|after 9pm'],
    ],
    [
      'Landlord reference request: tenant name, move in date, rent paid on time?, would you rent to them again?',
      [
        'Tenant name: text',
        'Move in date: date',
        'Rent paid on time?: one_of Yes|No',
        'Would you rent to them again?: one_of Yes|No',
      ],
    ],
    [
      'Order a custom T-shirt: size S-XXL, colour, text to print, front or back print, quantity',
      [
        'Size: one_of S|M|L|XL|XXL',
        'Colour: text',
        'Text to print: text',
        'Front or back print: one_of front|back print',
        'Quantity: number',
      ],
    ],
    [
      'Report lost card: last 4 digits, when lost, police report filed?',
      ['Last 4 digits: text', 'When lost: date', 'Police report filed?: one_of Yes|No'],
    ],
    [
      'Collect a testimonial with name, role, company, quote and permission to publish',
      [
        'Testimonial: paragraph',
        'Name: text',
        'Role: text',
        'Company: text',
        'Quote: text',
        'Permission to publish?: consent',
      ],
    ],
    [
      'Tour booking: tour (City, Museum, Food), date, participants adults/children, hotel pickup needed',
      [
        'Tour: one_of City|Museum|Food',
        'Date: date',
        'Number of adults: number',
        'Number of children: number',
        'Hotel pickup needed: one_of Yes|No',
      ],
    ],
    [
      'Register a pet: name, breed, age, vaccinated',
      ['Name: text', 'Breed: text', 'Age: number', 'Vaccinated: one_of Yes|No'],
    ],
    [
      'Grant application: organisation, summary max 200 words, amount requested, budget file',
      [
        'Organisation: text',
        'Summary: paragraph (At most 200 words)',
        'Amount requested: number',
        'Budget file: document',
      ],
    ],
    [
      'Article submission: title, summary, author',
      ['Title: text', 'Summary: paragraph', 'Author: text'],
    ],
    [
      'Interview availability. Offer slots Mon 10am, Tue 2pm, Wed 4pm. Ask for full name and LinkedIn URL',
      ['Slots: one_of Mon 10am|Tue 2pm|Wed 4pm', 'Full name: text', 'LinkedIn URL: text'],
    ],
    [
      'Inscripción a taller: nombre, correo, horario de mañana o tarde, experiencia previa sí/no',
      [
        'Nombre: text',
        'Correo: email',
        'Horario: one_of mañana|tarde',
        'Experiencia previa: one_of sí|no',
      ],
    ],
    [
      'Formulario para pedir una pizza: tamaño, masa fina o gruesa, bebida opcional, dirección',
      ['Tamaño: text', 'Masa: one_of fina|gruesa', 'Bebida?: text', 'Dirección: text'],
    ],
    [
      'Cuestionario médico: alergias, cirugías previas, ¿fuma?, ¿embarazada?',
      [
        'Alergias: text',
        'Cirugías previas: text',
        '¿Fuma?: one_of Sí|No',
        '¿Embarazada?: one_of Sí|No',
      ],
    ],
    [
      'Encuesta de clima laboral con escala del 1 al 5: liderazgo, comunicación, ambiente, y un comentario final',
      [
        'Liderazgo: one_of 1|2|3|4|5',
        'Comunicación: one_of 1|2|3|4|5',
        'Ambiente: one_of 1|2|3|4|5',
        'Comentario final: paragraph',
      ],
    ],
    [
      'Survey with a 1 to 3 scale: food, music, drinks',
      ['Food: one_of 1|2|3', 'Music: one_of 1|2|3', 'Drinks: one_of 1|2|3'],
    ],
    [
      'Registro de visita: nombre, empresa, a quién visita, hora de entrada, placa del vehículo si trae',
      [
        'Nombre: text',
        'Empresa: text',
        'A quién visita: text',
        'Hora de entrada: text',
        'Placa del vehículo?: text',
      ],
    ],
    [
      "Ask the name and, when married, the spouse's name",
      ['Name: text', "Spouse's name if married?: text"],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a prompt that names things together', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Customer onboarding for a bank: personal data (name, surname, DOB), contact (email, phone), employment (status, employer, income)',
      [
        'Name: text',
        'Surname: text',
        'DOB: date',
        'Email: email',
        'Phone: phone',
        'Status: text',
        'Employer: text',
        'Income: number',
      ],
    ],
    [
      'let them upload receipt and tell us amount and store',
      ['Receipt: document', 'Amount: number', 'Store: text'],
    ],
    [
      'Give customers three delivery options - standard, express, same day - and ask for the postal code',
      ['Delivery options: one_of standard|express|same day', 'Postal code: text'],
    ],
    ['Collect car make/model, colour', ['Car make: text', 'Car model: text', 'Colour: text']],
    [
      'Ask the reason of contact with options billing, technical, sales, other and if other a text',
      [
        'Reason of contact: one_of billing|technical|sales|other',
        'Please specify: text if reason_of_contact is other',
      ],
    ],
    [
      'Real estate lead: buy or rent, area, min and max price',
      ['Buy or rent: one_of buy|rent', 'Area: text', 'Min price: number', 'Max price: number'],
    ],
    [
      'Medication refill: patient name, medication, urgent?',
      ['Name: text', 'Medication: text', 'Urgent?: one_of Yes|No'],
    ],
    [
      "I'd like to ask two things: the name of their dog, and whether it's been vaccinated",
      ['Name of your dog: text', 'Has it been vaccinated?: one_of Yes|No'],
    ],
    [
      'Simple yes or no: are you coming to the party?',
      ['Are you coming to the party?: one_of Yes|No'],
    ],
    [
      'Necesitamos que el conductor reporte: unidad, kilometraje inicial y final, combustible cargado',
      [
        'Unidad: text',
        'Kilometraje inicial: number',
        'Kilometraje final: number',
        'Combustible cargado: text',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a date that is told of', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Ask the name, delivery date, not in the past, and email',
      ['Name: text', 'Delivery date: date (Not in the past)', 'Email: email'],
    ],
    [
      'Delivery date must be in the future, name',
      ['Delivery date: date (Must be in the future)', 'Name: text'],
    ],
    [
      'Pide la fecha de entrega, a partir de mañana, y el nombre',
      ['Fecha de entrega: date (A partir de mañana)', 'Nombre: text'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
