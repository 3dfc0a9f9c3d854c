import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

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
    [
      'Trip planner: destination, number of travelers (adults/children), budget per person',
      [
        'Destination: text',
        'Number of adults: number',
        'Number of children: number',
        'Budget per person: number',
      ],
    ],
    [
      'Limpieza: dirección, m2, día y hora preferidos',
      ['Dirección: text', 'M2: number', 'Día preferido: date', 'Hora preferida: text'],
    ],
    [
      'Tutoring: subject, parent name & contact',
      ['Subject: text', 'Parent name: text', 'Parent phone: phone'],
    ],
    [
      'Evento corporativo: empresa, fecha tentativa, datos de contacto',
      [
        'Empresa: text',
        'Fecha tentativa: date',
        'Nombre: text',
        'Teléfono: phone',
        'Correo: email',
      ],
    ],
    [
      "Babysitting request: child's name and age, number & ages of children, date, from time to time, address",
      [
        "Child's name: text",
        "Child's age: number",
        'Number of children: number',
        'Ages of children: text',
        'Date: date',
        'Start time: text',
        'End time: text',
        'Address: text',
      ],
    ],
    [
      'Form with DOB, two references with name and email, transcript upload',
      [
        'DOB: date',
        'Reference 1 name: text',
        'Reference 1 email: email',
        'Reference 2 name: text',
        'Reference 2 email: email',
        'Transcript upload: document',
      ],
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
    [
      'Equipment request: employee name, equipment (laptop, monitor, mouse - multiple), justification',
      [
        'Employee name: text',
        'Equipment: some_of laptop|monitor|mouse',
        'Justification: paragraph',
      ],
    ],
    [
      'Custom furniture quote: deadline, inspiration photos up to 3, delivery address',
      ['Deadline: date', 'Inspiration photos: photo ..3', 'Delivery address: text'],
    ],
    [
      'Photo contest entry: name, email, confirm you own the rights',
      ['Name: text', 'Email: email', 'I confirm that I own the rights: consent'],
    ],
    [
      'Membership cancellation: member number, what could we have done better, effective date',
      ['Member number: text', 'What could we have done better: paragraph', 'Effective date: date'],
    ],
    [
      'Pizza order. Size S/M/L. Crust thin or thick. Toppings pepperoni, mushrooms, extra cheese. Phone.',
      [
        'Size: one_of S|M|L',
        'Crust: one_of thin|thick',
        'Toppings: some_of pepperoni|mushrooms|extra cheese',
        'Phone: phone',
      ],
    ],
    [
      'Music lessons: instrument (piano, guitar), lesson length 30/45/60 minutes',
      ['Instrument: one_of piano|guitar', 'Lesson length: one_of 30 minutes|45 minutes|60 minutes'],
    ],
    [
      'Encuesta: comida, servicio y limpieza (calificar de 1 a 5), comentarios',
      [
        'Comida: one_of 1|2|3|4|5',
        'Servicio: one_of 1|2|3|4|5',
        'Limpieza: one_of 1|2|3|4|5',
        'Comentarios: paragraph',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('what belongs together stays together, and what does not is divided', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Can you create a form which asks new employees for their shirt size, bank account number and whether they need parking?',
      ['Shirt size: text', 'Bank account number: text', 'Do you need parking?: one_of Yes|No'],
    ],
    [
      'Massage client intake. Full name. Areas of discomfort (neck, shoulders). Pregnant?',
      [
        'Full name: text',
        'Areas of discomfort: some_of neck|shoulders',
        'Pregnant?: one_of Yes|No',
      ],
    ],
    [
      'Trade-in: year, make, model, mileage, photos inside and out',
      [
        'Year: text',
        'Make: text',
        'Model: text',
        'Mileage: number',
        'Photos inside and out: photo',
      ],
    ],
    [
      'Tell us how we did: rate from 1 to 5 stars the check-in, room and staff; what did you enjoy; what should we fix',
      [
        'Rate the check-in: one_of 1|2|3|4|5',
        'Room: one_of 1|2|3|4|5',
        'Staff: one_of 1|2|3|4|5',
        'What did you enjoy: paragraph',
        'What should we fix: paragraph',
      ],
    ],
    [
      'Request a callback: name, number, best time (morning/afternoon), topic',
      ['Name: text', 'Phone number: phone', 'Best time: one_of morning|afternoon', 'Topic: text'],
    ],
    [
      'Questionnaire: names of bride and groom, ceremony location and time, reception location and time',
      [
        'Names of bride and groom: text',
        'Ceremony location: text',
        'Ceremony time: text',
        'Reception location: text',
        'Reception time: text',
      ],
    ],
    [
      'Permission slip: student name, dietary/medical needs, I give permission for my child to attend, signature (type name)',
      [
        'Student name: text',
        'Dietary/medical needs: text',
        'I give permission for my child to attend: consent',
        'Signature: text',
      ],
    ],
    [
      'Course evaluation - instructor, course code, clarity 1-5, would take again yes/no, comments',
      [
        'Instructor: text',
        'Course code: text',
        'Clarity: one_of 1|2|3|4|5',
        'Would take again: one_of yes|no',
        'Comments: paragraph',
      ],
    ],
    [
      'Encuesta: ¿qué cambiarías?, ¿nos calificas del 1 al 10?, correo para el cupón',
      [
        '¿Qué cambiarías?: paragraph',
        '¿Nos calificas del 1 al 10?: one_of 1|2|3|4|5|6|7|8|9|10',
        'Correo para el cupón: email',
      ],
    ],
    [
      'Denuncia vecinal: tipo (ruido, basura), calle y número, colonia, ¿deseas permanecer anónimo?',
      [
        'Tipo: one_of ruido|basura',
        'Calle y número: text',
        'Colonia: text',
        '¿Deseas permanecer anónimo?: one_of Sí|No',
      ],
    ],
    [
      'Encuesta de opinión: edad, ciudad, ¿votaría por el candidato A, B o C?',
      ['Edad: number', 'Ciudad: text', '¿Votaría por el candidato A, B o C?: one_of A|B|C'],
    ],
    [
      'Ficha física: edad, % grasa, ingreso mensual, headshot',
      ['Edad: number', '% grasa: number', 'Ingreso mensual: number', 'Headshot: photo'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
