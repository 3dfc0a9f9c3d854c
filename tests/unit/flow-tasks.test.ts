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
