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
