import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('a prompt of a weekday', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      "Please make a form for patients to request a copy of their medical records. It should have patient full name, DOB, phone, which records they need (lab results, imaging, visit notes, all) and how they'd like to receive them: email, pickup or mail",
      [
        'Full name: text',
        'DOB: date',
        'Phone: phone',
        'Which records you need: one_of lab results|imaging|visit notes|all',
        "How you'd like to receive them: one_of email|pickup|mail",
      ],
    ],
    [
      'Create a flow to collect proof of delivery problems. Ask for tracking number, what went wrong (late, damaged, missing items, wrong item), upload a photo if damaged, and preferred solution (refund, replacement)',
      [
        'Tracking number: text',
        'What went wrong: one_of late|damaged|missing items|wrong item',
        'Photo?: photo (Only if: damaged)',
        'Preferred solution: one_of refund|replacement',
      ],
    ],
    [
      "School absence report: student's name, class, date of absence from/to, reason, parent's name and signature checkbox",
      [
        "Student's name: text",
        'Class: text',
        'Date of absence from: date',
        'Date of absence to: date',
        'Reason: paragraph',
        "Parent's name: text",
        'Signature: consent',
      ],
    ],
    [
      'Request a taxi: pickup address, destination, pickup time, number of passengers, luggage? and payment method cash/card',
      [
        'Pickup address: text',
        'Destination: text',
        'Pickup time: text',
        'Number of passengers: number',
        'Luggage?: one_of Yes|No',
        'Payment method: one_of cash|card',
      ],
    ],
    [
      'A patient satisfaction survey after discharge: overall rating of your stay, were nurses courteous, cleanliness of room (excellent, good, fair, poor), did you understand your discharge instructions, comments',
      [
        'Overall rating of your stay: one_of 1|2|3|4|5',
        'Were nurses courteous: one_of Yes|No',
        'Cleanliness of room: one_of excellent|good|fair|poor',
        'Did you understand your discharge instructions: one_of Yes|No',
        'Comments: paragraph',
      ],
    ],
    [
      "Hi! I'd like customers to be able to report a streetlight that's broken. They should give the street and number, describe the problem, attach a photo, and optionally leave their name and phone so we can follow up.",
      [
        'Street: text',
        'Number: text',
        'Describe the problem: paragraph',
        'Photo: photo',
        'Name?: text',
        'Phone?: phone',
      ],
    ],
    [
      'Customer onboarding checklist: Upload passport, upload proof of address (utility bill or bank statement, not older than 3 months), selfie, tax residency country, and I confirm the information is true',
      [
        'Passport: document',
        'Proof of address: document (Utility bill, bank statement, not older than 3 months)',
        'Selfie: photo',
        'Tax residency country: text',
        'I confirm the information is true: consent',
      ],
    ],
    [
      'Make a quiz with 3 questions: What is the capital of France? (Paris, Rome, Madrid). Which planet is red? (Mars, Venus, Jupiter). 2+2=? (3, 4, 5)',
      [
        'What is the capital of France?: one_of Paris|Rome|Madrid',
        'Which planet is red?: one_of Mars|Venus|Jupiter',
        '2+2=?: one_of 3|4|5',
      ],
    ],
    [
      'Car service booking: registration plate, make and model, mileage, service type (oil change, brakes, tyres, full service) multiple, drop-off date and time, need a courtesy car?',
      [
        'Registration plate: text',
        'Make: text',
        'Model: text',
        'Mileage: number',
        'Service type: some_of oil change|brakes|tyres|full service',
        'Drop-off date: date',
        'Drop-off time: text',
        'Do you need a courtesy car?: one_of Yes|No',
      ],
    ],
    [
      'Driver application — first name, last name, licence number, licence expiry date, years of driving experience, vehicle type (car, van, truck, motorcycle), criminal record? upload licence front & back',
      [
        'First name: text',
        'Last name: text',
        'Licence number: text',
        'Licence expiry date: date',
        'Years of driving experience: number',
        'Vehicle type: one_of car|van|truck|motorcycle',
        'Criminal record?: one_of Yes|No',
        'Photo of licence front: photo',
        'Photo of licence back: photo',
      ],
    ],
    [
      "Food allergy form for kids camp: child's name, age, allergies (nuts, dairy, gluten, eggs, none), severity, medication, parent's phone number, doctor's name and phone",
      [
        "Child's name: text",
        'Age: number',
        'Allergies: some_of nuts|dairy|gluten|eggs|none',
        'Severity: text',
        'Medication: text',
        "Parent's phone number: phone",
        "Doctor's name: text",
        "Doctor's phone: phone",
      ],
    ],
    [
      'Interest form: which courses interest you? Excel, Power BI, Python, SQL - can pick more than one. Name. Work email. Company size: 1-10, 11-50, 51-200, 200+.',
      [
        'Which courses interest you?: some_of Excel|Power BI|Python|SQL',
        'Name: text',
        'Work email: email',
        'Company size: one_of 1-10|11-50|51-200|200+',
      ],
    ],
    [
      'Moving quote: moving from (city, floor, elevator?), moving to (city, floor, elevator?), move date, apartment size (studio, 1 bed, 2 bed, 3+ bed), boxes needed, special items like piano',
      [
        'Moving from city: text',
        'Moving from floor: text',
        'Moving from elevator: one_of yes|no',
        'Moving to city: text',
        'Moving to floor: text',
        'Moving to elevator: one_of yes|no',
        'Move date: date',
        'Apartment size: one_of studio|1 bed|2 bed|3+ bed',
        'Boxes needed: text',
        'Special items like piano: text',
      ],
    ],
    [
      'we need a lead form for our solar company: name, postcode, own or rent home, average monthly electricity bill, roof type (tile, metal, flat), best time to call',
      [
        'Name: text',
        'Postcode: text',
        'Own or rent: one_of own|rent',
        'Average monthly electricity bill: number',
        'Roof type: one_of tile|metal|flat',
        'Best time to call: text',
      ],
    ],
    [
      'Solicitud de préstamo: nombre, DNI, ingresos mensuales, monto solicitado, plazo en meses (6, 12, 24), foto del DNI por ambos lados, acepto que consulten mi historial',
      [
        'Nombre: text',
        'DNI: text',
        'Ingresos mensuales: number',
        'Monto solicitado: number',
        'Plazo en meses: one_of 6|12|24',
        'Foto del DNI frente: photo',
        'Foto del DNI reverso: photo',
        'Acepto que consulten mi historial: consent',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
