import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('what is asked for is found where it stands', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      "I need to know from my gym members why they are leaving. Options: price, location, other. Also how long they were a member and if they'd consider coming back.",
      [
        'Why you are leaving: one_of price|location|other',
        'How long you were a member: text',
        'Would you consider coming back?: one_of Yes|No',
      ],
    ],
    [
      'collect name, company and what they want to talk about for a demo booking, with a preferred date & time',
      [
        'Name: text',
        'Company: text',
        'What you want to talk about for a demo booking: text',
        'Preferred date: date',
        'Preferred time: text',
      ],
    ],
    [
      'survey for teens, ages 13-19: favourite social network, hours per day on phone, comments',
      ['Favourite social network: text', 'Hours per day on phone: number', 'Comments: paragraph'],
    ],
    [
      'Ask new employees for bank details: account holder, IBAN. Also emergency contact: name, relationship and phone.',
      [
        'Account holder: text',
        'IBAN: text',
        'Emergency contact name: text',
        'Emergency contact relationship: text',
        'Emergency contact phone: phone',
      ],
    ],
    [
      'Landscaping: lot size, address, when do you want it done, budget',
      ['Lot size: text', 'Address: text', 'When do you want it done: date', 'Budget: number'],
    ],
    [
      'Survey after a webinar: which topic would you like next, may we contact you? if yes leave email',
      [
        'Which topic would you like next: text',
        'May we contact you?: one_of Yes|No',
        'Email: email if may_we_contact_you is Yes',
      ],
    ],
    [
      'Let customers report damaged packages with tracking number, photos of the box and the item',
      ['Tracking number: text', 'Photos of box: photo', 'Photos of item: photo'],
    ],
    [
      'Pet sitting: type and number of pets, feeding instructions',
      ['Type of pets: text', 'Number of pets: number', 'Feeding instructions: paragraph'],
    ],
    [
      'Please generate a form to collect RSVPs for our company dinner on Dec 12. Ask for name and attending yes/no',
      ['Name: text', 'Attending: one_of yes|no'],
    ],
    [
      'Hey, could you set up something so people can request a quote for window cleaning? We need to know how many windows and their zip code.',
      ['How many windows: number', 'Zip code: text'],
    ],
    [
      "Intake: child's first name, has the child had a hearing test (yes/no)",
      ["Child's first name: text", 'Has the child had a hearing test: one_of yes|no'],
    ],
    [
      'Ficha técnica cliente: nombre comercial, rubro, contacto de pagos: nombre, mail, teléfono',
      [
        'Nombre comercial: text',
        'Rubro: text',
        'Nombre del contacto de pago: text',
        'Mail del contacto de pago: email',
        'Teléfono del contacto de pago: phone',
      ],
    ],
    [
      "I have a mobile mechanic business. Customers should tell me car make, model and year, mileage, what's wrong with it and a photo if possible.",
      [
        'Car make: text',
        'Model: text',
        'Year: text',
        'Mileage: number',
        "What's wrong with it: paragraph",
        'Photo?: photo',
      ],
    ],
    [
      'Dance school enrolment (all fields required except notes): student full name, age, dance style - ballet, hip hop, jazz; notes',
      [
        'Student full name: text',
        'Age: number',
        'Dance style: one_of ballet|hip hop|jazz',
        'Notes?: paragraph',
      ],
    ],
    [
      'Coffee order! Drink (latte, americano), sugar 0-3, name for the cup',
      ['Drink: one_of latte|americano', 'Sugar: one_of 0|1|2|3', 'Name for the cup: text'],
    ],
    [
      'Please create a survey for our co-working space members covering wifi quality, noise level, coffee (rate all from 1 to 5), favorite area and suggestions',
      [
        'Wifi quality: one_of 1|2|3|4|5',
        'Noise level: one_of 1|2|3|4|5',
        'Coffee: one_of 1|2|3|4|5',
        'Favorite area: text',
        'Suggestions: paragraph',
      ],
    ],
    [
      'Create a form for my Airbnb guests to tell me arrival time, mode of transport (car, train, plane), need for crib yes/no',
      [
        'Arrival time: text',
        'Mode of transport: one_of car|train|plane',
        'Need for crib: one_of yes|no',
      ],
    ],
    [
      'Sales visit report: rep name, visit date, next step, next visit date, competitor seen?, notes',
      [
        'Rep name: text',
        'Visit date: date',
        'Next step: text',
        'Next visit date: date',
        'Competitor seen?: one_of Yes|No',
        'Notes: paragraph',
      ],
    ],
    [
      'Grading appeal: student ID, course, assignment, grade received, explanation, supporting document',
      [
        'Student ID: text',
        'Course: text',
        'Assignment: text',
        'Grade received: text',
        'Explanation: paragraph',
        'Supporting document: document',
      ],
    ],
    [
      'Shift swap request: shift date, person you swap with, reason',
      ['Shift date: date', 'Person you swap with: text', 'Reason: paragraph'],
    ],
    [
      'Survey about remote work, 5 questions: days per week at home, productivity (1-5), biggest distraction',
      [
        'Days per week at home: text',
        'Productivity: one_of 1|2|3|4|5',
        'Biggest distraction: text',
      ],
    ],
    [
      'Home inspection booking - property address, realtor name & phone, preferred dates',
      [
        'Property address: text',
        'Realtor name: text',
        'Realtor phone: phone',
        'Preferred dates: date',
      ],
    ],
    [
      'Visita médica: paciente, médico, especialidad, síntomas, temperatura, ¿trae estudios?, adjuntar estudios',
      [
        'Paciente: text',
        'Médico: text',
        'Especialidad: text',
        'Síntomas: paragraph',
        'Temperatura: number',
        '¿Trae estudios?: one_of Sí|No',
        'Estudios: document',
      ],
    ],
    [
      'An evaluation with these questions: "The course was clear", "The materials were useful" - each from strongly disagree to strongly agree. And an open question for suggestions.',
      [
        'The course was clear: one_of strongly disagree|disagree|neutral|agree|strongly agree',
        'The materials were useful: one_of strongly disagree|disagree|neutral|agree|strongly agree',
        'Suggestions: paragraph',
      ],
    ],
    [
      'Send a form after the appointment asking for: rating of the doctor (1-5), whether they got all their questions answered',
      [
        'Rating of the doctor: one_of 1|2|3|4|5',
        'Did you get all your questions answered?: one_of Yes|No',
      ],
    ],
    [
      'Legal consultation booking: full name, area of law: civil, labor, tax; summary of the issue; preferred date',
      [
        'Full name: text',
        'Area of law: one_of civil|labor|tax',
        'Summary of the issue: paragraph',
        'Preferred date: date',
      ],
    ],
    [
      'ask for city, number of rooms, adults and children per room',
      ['City: text', 'Number of rooms: number', 'Adults: number', 'Children per room: number'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a word for one thing is none for another', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Create a flow for late check-out requests. The guest should give their room number and accept the extra fee of $20.',
      ['Room number: text', 'I accept the extra fee of $20: consent'],
    ],
    [
      'Intake form: age, foods you dislike and a typical day of eating',
      ['Age: number', 'Foods you dislike: text', 'Typical day of eating: text'],
    ],
    [
      'Pedido mayorista: producto, fecha requerida, observaciones',
      ['Producto: text', 'Fecha requerida: date', 'Observaciones: paragraph'],
    ],
    [
      'New patients: full name, chronic conditions like diabetes or hypertension, water intake (glasses per day)',
      [
        'Full name: text',
        'Chronic conditions: text (Like diabetes or hypertension)',
        'Water intake: number',
      ],
    ],
    [
      'Submit a recipe: recipe name, ingredients, steps, photo of the dish',
      [
        'Recipe name: text',
        'Ingredients: paragraph',
        'Steps: paragraph',
        'Photo of the dish: photo',
      ],
    ],
    [
      'Used car valuation: mileage, photos (front, back, interior), name',
      ['Mileage: number', 'Photos: photo (Front, back, interior)', 'Name: text'],
    ],
    [
      "Event volunteer survey: name, roles you'd like (registration, parking, food)",
      ['Name: text', "Roles you'd like: some_of registration|parking|food"],
    ],
    [
      'Registro para sorteo: nombre, acepto bases y condiciones, ¿querés recibir novedades?',
      [
        'Nombre: text',
        'Acepto bases y condiciones: consent',
        '¿Querés recibir novedades?: one_of Sí|No',
      ],
    ],
    [
      'Ficha de ingreso: nombre del niño/a, alergias',
      ['Nombre del niño/a: text', 'Alergias: text'],
    ],
    [
      'Equipment rental: company name and tax ID, contact person name and phone',
      [
        'Company name: text',
        'Tax ID: text',
        'Contact person name: text',
        'Contact person phone: phone',
      ],
    ],
    [
      'Business loan: business name, years in operation, units in storage',
      ['Business name: text', 'Years in operation: number', 'Units in storage: number'],
    ],
    [
      'Create a form for feedback on a mobile app with questions on usability (1-5), design (1-5) and bugs encountered.',
      ['Usability: one_of 1|2|3|4|5', 'Design: one_of 1|2|3|4|5', 'Bugs encountered: text'],
    ],
    [
      'Torneo: edad, pago inscripción (comprobante), minutos de viaje',
      ['Edad: number', 'Pago inscripción: document', 'Minutos de viaje: number'],
    ],
    [
      'Ski resort: shoe size, height, lessons?',
      ['Shoe size: text', 'Height: number', 'Lessons?: one_of Yes|No'],
    ],
    [
      'Business cards: sides (single or double), text to print, store, employee name (if known)',
      ['Sides: one_of single|double', 'Text to print: text', 'Store: text', 'Employee name?: text'],
    ],
    [
      "Get applicants' phone, expected pay per hour and resume",
      ["Applicants' phone: phone", 'Expected pay per hour: number', 'Resume: document'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
