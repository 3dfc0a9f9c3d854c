import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

describe('what is only named is asked for, in sentences of its own, too', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Hotel pre check-in. Booking reference, arrival time, need parking? need airport transfer? passport photo',
      [
        'Booking reference: text',
        'Arrival time: text',
        'Do you need parking?: one_of Yes|No',
        'Do you need airport transfer?: one_of Yes|No',
        'Passport photo: photo',
      ],
    ],
    [
      'Please build me a lead form for my real estate agency. Ask if they are buying, selling or renting. Number of bedrooms. Preferred neighborhoods. When they plan to move. Contact details.',
      [
        'Are you buying, selling or renting?: one_of buying|selling|renting',
        'Number of bedrooms: number',
        'Preferred neighborhoods: text',
        'When you plan to move: date',
        'Name: text',
        'Phone: phone',
        'Email: email',
      ],
    ],
    ['Hat, size, foo', ['Hat: text', 'Size: text', 'Foo: text']],
    [
      'Tell us about your project, name, email',
      ['Tell us about your project: paragraph', 'Name: text', 'Email: email'],
    ],
    [
      'Job application for waiters. name, age, phone',
      ['Name: text', 'Age: number', 'Phone: phone'],
    ],
    [
      'Simple newsletter signup, just name and email plus consent',
      ['Name: text', 'Email: email', 'I accept the terms and conditions: consent'],
    ],
    [
      'We run a small bakery and want customers to be able to order custom cakes. They should tell us the occasion, the size (6", 8" or 10") and a photo for inspiration if they have one.',
      ['Occasion: text', 'Size: one_of 6″|8″|10″', 'Photo for inspiration?: photo'],
    ],
    [
      'Prescription refill: patient full name, DOB, medication name and dosage, pharmacy, Rx number, delivery or pickup',
      [
        'Full name: text',
        'DOB: date',
        'Medication name: text',
        'Dosage: text',
        'Pharmacy: text',
        'Rx number: text',
        'Delivery or pickup: one_of delivery|pickup',
      ],
    ],
    [
      'Lost and found report: what did you lose, where, when, colour/brand, contact number',
      [
        'What did you lose: paragraph',
        'Where: text',
        'When: date',
        'Colour/brand: text',
        'Contact number: phone',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a question may be put briefly', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Name, smoker?, own a car?, have children?',
      [
        'Name: text',
        'Smoker?: one_of Yes|No',
        'Do you own a car?: one_of Yes|No',
        'Do you have children?: one_of Yes|No',
      ],
    ],
    [
      'Donation pledge: donor name, dedicate this gift? , receipt email',
      ['Donor name: text', 'Dedicate this gift?: one_of Yes|No', 'Receipt email: email'],
    ],
    [
      'Name, are you buying, selling or renting?',
      ['Name: text', 'Are you buying, selling or renting?: one_of buying|selling|renting'],
    ],
    [
      'Ask for name and whether they are single, married or divorced.',
      ['Name: text', 'Are you single, married or divorced?: one_of single|married|divorced'],
    ],
    [
      'I need a quick poll for our team lunch: pizza, sushi or tacos? And which day works best, Thursday or Friday?',
      ['Team lunch: one_of pizza|sushi|tacos', 'Which day works best?: one_of Thursday|Friday'],
    ],
    [
      'Name, which day works best, Thursday or Friday?',
      ['Name: text', 'Which day works best?: one_of Thursday|Friday'],
    ],
    [
      'Medical history: do you smoke? any chronic diseases? list current medications; blood type',
      [
        'Do you smoke?: one_of Yes|No',
        'Any chronic diseases??: text',
        'Current medications: paragraph',
        'Blood type: text',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('one of several things, or both, may be given', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'They enter account number then new phone and/or new email and/or new address.',
      ['Account number: text', 'New phone?: phone', 'New email?: email', 'New address?: text'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('things that are named together are asked for one by one', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Picture of the front and back of the ID, name',
      ['Photo of ID front: photo', 'Photo of ID back: photo', 'Name: text'],
    ],
    [
      'Leave request: employee name, leave dates from/to, reason',
      ['Employee name: text', 'Leave date from: date', 'Leave date to: date', 'Reason: paragraph'],
    ],
    [
      'School absence notice: student name, dates of absence from and to',
      ['Student name: text', 'Date of absence from: date', 'Date of absence to: date'],
    ],
    [
      'Solicitud: nombre, fecha de ausencia desde/hasta',
      ['Nombre: text', 'Fecha de ausencia desde: date', 'Fecha de ausencia hasta: date'],
    ],
    [
      'For each child: full name, age. For parent: name, phone.',
      ['Child full name: text', 'Child age: number', 'Parent name: text', 'Parent phone: phone'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('choices and scales are read as such', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Survey: how satisfied are you? (very satisfied to very unsatisfied). Comments',
      [
        'How satisfied are you?: one_of very satisfied|satisfied|neutral|unsatisfied|very unsatisfied',
        'Comments: paragraph',
      ],
    ],
    [
      'Name, food (poor to excellent), visits (never to always), level (beginner to advanced)',
      [
        'Name: text',
        'Food: one_of poor|fair|good|very good|excellent',
        'Visits: one_of never|rarely|sometimes|often|always',
        'Level: one_of beginner|intermediate|advanced',
      ],
    ],
    [
      'Encuesta: nombre, ambiente (muy bueno a muy malo), comida (malo a excelente)',
      [
        'Nombre: text',
        'Ambiente: one_of muy bueno|bueno|neutral|malo|muy malo',
        'Comida: one_of malo|regular|bueno|muy bueno|excelente',
      ],
    ],
    [
      'Gym: full name, membership plan - monthly $30, quarterly $80, annual $300, start date',
      [
        'Full name: text',
        'Membership plan: one_of monthly $30|quarterly $80|annual $300',
        'Start date: date',
      ],
    ],
    [
      'Name, condition (used car, new car), languages spoken (English, French)',
      [
        'Name: text',
        'Condition: one_of used car|new car',
        'Languages spoken: some_of English|French',
      ],
    ],
    [
      'Nombre, estado (sin uso, usado, dañado), talla (S, M), dieta (vegana, sin gluten)',
      [
        'Nombre: text',
        'Estado: one_of sin uso|usado|dañado',
        'Talla: one_of S|M',
        'Dieta: one_of vegana|sin gluten',
      ],
    ],
    [
      'Quiero una encuesta de clima laboral con 5 preguntas del 1 al 5: ambiente, liderazgo y salario; más un comentario final',
      [
        'Ambiente: one_of 1|2|3|4|5',
        'Liderazgo: one_of 1|2|3|4|5',
        'Salario: one_of 1|2|3|4|5',
        'Comentario final: paragraph',
      ],
    ],
    [
      'I want customers to rate their delivery: overall rating 1-5, condition of package (perfect, slightly damaged), comments',
      [
        'Overall rating: one_of 1|2|3|4|5',
        'Condition of package: one_of perfect|slightly damaged',
        'Comments: paragraph',
      ],
    ],
    [
      'Cita para taller: placa, servicio requerido (frenos, otro), fecha, ¿necesita grúa?',
      [
        'Placa: text',
        'Servicio requerido: one_of frenos|otro',
        'Fecha: date',
        '¿Necesita grúa?: one_of Sí|No',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

const PROMPT_MOST = 4_000

it.each([
  'need a b c? ',
  'which a b, c or d? ',
  'are you a, b or c? ',
  'a and/or b ',
  ' - x $30, y $4',
  '(sin a, b, c) ',
  'very a to very b ',
  'Name. Abc def. ',
  'booking for a, ',
])(
  'takes no longer for each %j when there are many',
  async (part) => {
    const growth = await growthOf(Math.ceil(PROMPT_MOST / 16 / part.length), (times) => {
      const prompt = `Ask for email, type (a, b). ${part.repeat(times)}`
      return () => expect(generateByRules('form', prompt)).toEqual(expect.anything())
    })
    expect(growth).toBeLessThan(LINEAR_MOST)
  },
  60_000,
)
