import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('a prompt whose questions have no marks, and headings in brackets', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Feedback form with comments and may we contact you',
      ['Comments: paragraph', 'May we contact you: one_of Yes|No'],
    ],
    [
      'Survey: rate us 1-5. Is there anything else you want to tell us?',
      ['Rate us: one_of 1|2|3|4|5', 'Is there anything else you want to tell us??: paragraph'],
    ],
    [
      'Ask: name, is there anything we should know',
      ['Name: text', 'Is there anything we should know?: paragraph'],
    ],
    [
      'Ask: name, phone, should we call before delivery',
      ['Name: text', 'Phone: phone', 'Should we call before delivery: one_of Yes|No'],
    ],
    [
      "Survey: what did you like, what didn't you like, would you come back, and do you want a reply",
      [
        'What did you like: paragraph',
        "What didn't you like: paragraph",
        'Would you come back: one_of Yes|No',
        'Do you want a reply: one_of Yes|No',
      ],
    ],
    [
      'Encuesta: recomendarías nuestro servicio, qué no te gustó, podríamos llamarle, volvería a visitarnos',
      [
        'Recomendarías nuestro servicio: one_of Sí|No',
        'Qué no te gustó: paragraph',
        'Podríamos llamarle: one_of Sí|No',
        'Volvería a visitarnos: one_of Sí|No',
      ],
    ],
    [
      'Encuesta: ¿volverías?, ¿hay algo más que quieras decirnos?',
      ['¿Volverías?: one_of Sí|No', '¿Hay algo más que quieras decirnos??: paragraph'],
    ],
    [
      'Formulario: nombre, secretaría, librería preferida',
      ['Nombre: text', 'Secretaría: text', 'Librería preferida: text'],
    ],
    [
      'Job form: upload your CV and cover letter, name',
      ['CV: document', 'Cover letter: paragraph', 'Name: text'],
    ],
    ['Apply: name, cover letter (PDF)', ['Name: text', 'Cover letter: document']],
    [
      'Mortgage check: annual income, monthly debts, down payment, first-time buyer',
      [
        'Annual income: number',
        'Monthly debts: number',
        'Down payment: number',
        'First-time buyer: one_of Yes|No',
      ],
    ],
    [
      'Password reset: email, last 4 digits of your phone, date of birth',
      ['Email: email', 'Last 4 digits of your phone: text', 'Date of birth: date'],
    ],
    [
      'Cake: message on the card up to 40 characters, comments up to 400 characters',
      ['Message on the card: text ..40', 'Comments: paragraph ..400'],
    ],
    [
      'Job posting application (warehouse): name, phone, available shifts (day, night)',
      ['Name: text', 'Phone: phone', 'Available shifts: some_of day|night'],
    ],
    [
      'Booking form (spa): name, service (massage, facial), date',
      ['Name: text', 'Service: one_of massage|facial', 'Date: date'],
    ],
    [
      'Pedido (pizzería): tamaño (chica, grande), dirección',
      ['Tamaño: one_of chica|grande', 'Dirección: text'],
    ],
    ['T-shirt (cotton): red, blue or green', ['T-shirt: one_of red|blue|green']],
    [
      "Parent consent form: child's name, I give permission",
      ["Child's name: text", 'I give permission: consent'],
    ],
  ])('%j is read as it is meant', (prompt, asked) => {
    expect(shown(generateByRules('f', prompt))).toEqual(asked)
  })
})

describe('a prompt of things that are all yes or no, or documents', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Pre-visit questionnaire for covid: fever, cough, recent travel (yes/no each)',
      ['Fever: one_of yes|no', 'Cough: one_of yes|no', 'Recent travel: one_of yes|no'],
    ],
    [
      'Checklist for drivers: lights, brakes, tires (all yes/no) and notes',
      [
        'Lights: one_of yes|no',
        'Brakes: one_of yes|no',
        'Tires: one_of yes|no',
        'Notes: paragraph',
      ],
    ],
    [
      'Health: fever, cough and chills, each yes or no, and temperature',
      [
        'Fever: one_of yes|no',
        'Cough: one_of yes|no',
        'Chills: one_of yes|no',
        'Temperature: number',
      ],
    ],
    [
      'Salud: fiebre, tos, viaje reciente (sí/no cada uno)',
      ['Fiebre: one_of sí|no', 'Tos: one_of sí|no', 'Viaje reciente: one_of sí|no'],
    ],
    ['Project: name, deadline', ['Name: text', 'Deadline: date']],
    [
      'Alta de proveedores: razón social, RFC, giro, persona de contacto, teléfono, correo',
      [
        'Razón social: text',
        'RFC: text',
        'Giro: text',
        'Persona de contacto: text',
        'Teléfono: phone',
        'Correo: email',
      ],
    ],
    [
      'Consulta legal: nombre, resumen del caso y mejor hora para llamar',
      ['Nombre: text', 'Resumen del caso: paragraph', 'Mejor hora para llamar: text'],
    ],
    [
      'Formulario: comprobante de domicilio, comprobante de ingresos, constancia fiscal, carta de motivos',
      [
        'Comprobante de domicilio: document',
        'Comprobante de ingresos: document',
        'Constancia fiscal: document',
        'Carta de motivos: paragraph',
      ],
    ],
    ['Formulario: nombre, y al final un resumen de las respuestas', ['Nombre: text']],
    [
      "Bike repair: bike type, what's wrong with it, monthly sales, last visit",
      [
        'Bike type: text',
        "What's wrong with it: paragraph",
        'Monthly sales: number',
        'Last visit: date',
      ],
    ],
  ])('%j is read as it is meant', (prompt, asked) => {
    expect(shown(generateByRules('f', prompt))).toEqual(asked)
  })
})
