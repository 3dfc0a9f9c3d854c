import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('a prompt of a task in sentences', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Photography inquiry. Event type? Hours needed? Budget?',
      ['Event type?: text', 'Hours needed?: text', 'Budget?: number'],
    ],
    [
      'Ask for the name, and the birthday only if they want a gift',
      ['Name: text', 'Birthday only if you want a gift?: date'],
    ],
    [
      'Rate our driver with stars and leave a comment',
      ['Rate our driver: one_of 1|2|3|4|5', 'Comment: paragraph'],
    ],
    [
      'Enquiry for a wedding cake - tiers, flavours, servings, date, venue and inspiration photos (max 5)',
      [
        'Tiers: text',
        'Flavours: text',
        'Servings: text',
        'Date: date',
        'Venue: text',
        'Inspiration photos: photo ..5',
      ],
    ],
    [
      'Ask if they are 18 or older, if they agree to the terms and their full name',
      [
        'Are you 18 or older?: one_of Yes|No',
        'I accept the terms and conditions: consent',
        'Full name: text',
      ],
    ],
    [
      "I'd like a booking form where the guest picks a room type out of Standard, Deluxe and Suite, gives arrival and departure, adults & kids, and leaves a note",
      [
        'Room type: one_of Standard|Deluxe|Suite',
        'Arrival: date',
        'Departure: date',
        'Adults: number',
        'Kids: number',
        'Note: paragraph',
      ],
    ],
    [
      'Which of our products do you own? Phone, Tablet, Laptop, Watch (pick all). How long have you owned them?',
      [
        'Which of our products do you own?: some_of Phone|Tablet|Laptop|Watch',
        'How long have you owned them?: text',
      ],
    ],
    [
      'Which of these do you own? Phone, Tablet, Watch. Your email?',
      ['Which of these do you own?: one_of Phone|Tablet|Watch', 'Your email?: email'],
    ],
    [
      "Get the patient's consent and signature for the procedure along with name and date",
      [
        'I accept the terms and conditions: consent',
        'Signature for the procedure: text',
        'Name: text',
        'Date: date',
      ],
    ],
    [
      'Poll for office lunch on Friday with pizza, sushi, burgers, salad and a comments field',
      ['Office lunch on Friday: one_of pizza|sushi|burgers|salad', 'Comments: paragraph'],
    ],
    ['Ask for address in separate fields', ['Street: text', 'City: text', 'Postal code: text']],
    [
      'Encuesta para padres: nombre del alumno, ¿está satisfecho con el profesor? (sí, no, más o menos), sugerencias',
      [
        'Nombre del alumno: text',
        '¿Está satisfecho con el profesor?: one_of sí|no|más o menos',
        'Sugerencias: paragraph',
      ],
    ],
    [
      'Name and email. What would you do if the product was not available?',
      [
        'Name: text',
        'Email: email',
        'What would you do if the product was not available?: paragraph',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a prompt of a task in few words', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Apartment viewing: which unit? when? any pets? contact number',
      ['Which unit?: text', 'When?: date', 'Any pets??: text', 'Contact number: phone'],
    ],
    [
      'Ask whether they prefer morning or evening classes and their level: beginner, intermediate, advanced',
      [
        'Morning or evening classes: one_of morning|evening classes',
        'Level: one_of beginner|intermediate|advanced',
      ],
    ],
    [
      'Make an RSVP. Yes / No / Maybe. Guests count.',
      ['Will you attend?: one_of Yes|No|Maybe', 'Guests count: number'],
    ],
    [
      'Ask the buyer for product code, colour, qty, and whether gift wrapping is needed',
      [
        'Product code: text',
        'Colour: text',
        'Quantity: number',
        'Is gift wrapping needed?: one_of Yes|No',
      ],
    ],
    [
      'Book a massage, 30/60/90 min, therapist gender preference, date and time',
      [
        'Duration: one_of 30 min|60 min|90 min',
        'Therapist gender preference: text',
        'Date: date',
        'Time: text',
      ],
    ],
    [
      'Return request with order no, reason from dropdown (too small, too big, faulty, other), photos',
      ['Order no: text', 'Reason: one_of too small|too big|faulty|other', 'Photos: photo'],
    ],
    [
      'Quote for printing: quantity, paper size A4/A5/A3, colour or black and white, upload design file',
      [
        'Quantity: number',
        'Paper size: one_of A4|A5|A3',
        'Colour or black and white: one_of colour|black and white',
        'Design file: document',
      ],
    ],
    [
      'Hotel checkout survey: cleanliness, comfort, breakfast (all 1 to 5 stars) + would you stay again + comments',
      [
        'Cleanliness: one_of 1|2|3|4|5',
        'Comfort: one_of 1|2|3|4|5',
        'Breakfast: one_of 1|2|3|4|5',
        'Would you stay again: one_of Yes|No',
        'Comments: paragraph',
      ],
    ],
    [
      'Evaluación del curso: contenido, instructor, instalaciones del 1 al 5 y sugerencias',
      [
        'Contenido: one_of 1|2|3|4|5',
        'Instructor: one_of 1|2|3|4|5',
        'Instalaciones: one_of 1|2|3|4|5',
        'Sugerencias: paragraph',
      ],
    ],
    [
      'Course evaluation: content, teacher, venue from 1 to 3, and suggestions',
      [
        'Content: one_of 1|2|3',
        'Teacher: one_of 1|2|3',
        'Venue: one_of 1|2|3',
        'Suggestions: paragraph',
      ],
    ],
    [
      'Reporte diario de ventas: sucursal, total vendido, número de clientes',
      ['Sucursal: text', 'Total vendido: number', 'Número de clientes: number'],
    ],
    [
      'Ask for the name and whether the driver was friendly',
      ['Name: text', 'Was the driver friendly?: one_of Yes|No'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a prompt of a task with its answers', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Ask if it is their first visit. If yes how did they hear about us. If no, when was the last visit',
      [
        'Is it your first visit?: one_of Yes|No',
        'How did you hear about us?: paragraph if it_is_their_first_visit is Yes',
        'When was the last visit?: date if it_is_their_first_visit is No',
      ],
    ],
    [
      'Get customer info then ask which product has a problem (Router, TV box, Phone) and describe the problem',
      [
        'Name: text',
        'Phone: phone',
        'Email: email',
        'Which product has a problem: one_of Router|TV box|Phone',
        'Describe the problem: paragraph',
      ],
    ],
    [
      'Allow guests to choose breakfast time 7, 8 or 9 and dietary restrictions',
      ['Breakfast time: one_of 7|8|9', 'Dietary restrictions: text'],
    ],
    [
      'Name please, plus your email and if you like a phone',
      ['Name: text', 'Email: email', 'Phone?: phone'],
    ],
    [
      "Ask for card type (visa, mastercard, amex) but don't ask for the card number",
      ['Card type: one_of visa|mastercard|amex'],
    ],
    [
      'Encuesta sobre transporte: ¿cómo llega al trabajo? auto, bus, bici; ¿cuánto tarda?',
      ['¿Cómo llega al trabajo?: one_of auto|bus|bici', '¿Cuánto tarda?: number'],
    ],
    [
      'Complaint form with severity slider 1-10, department dropdown, description textarea',
      ['Severity: one_of 1|2|3|4|5|6|7|8|9|10', 'Department: text', 'Description: paragraph'],
    ],
    [
      'Ask about the apartment: floor, lift y/n, number of rooms, access for trucks?',
      [
        'Floor: text',
        'Lift: one_of Yes|No',
        'Number of rooms: number',
        'Access for trucks?: one_of Yes|No',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
