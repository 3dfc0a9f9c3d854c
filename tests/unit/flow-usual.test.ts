import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'

/** The names of the fields that a prompt makes, those that may be left out with a question mark; null for none. */
function fieldsOf(prompt: string): string[] | null {
  const fields = recoverForm(generateByRules('form', prompt))?.fields
  return fields?.map(({ name, isRequired }) => (isRequired ? name : `${name}?`)) ?? null
}

const CONTACT = ['name', 'email', 'phone?', 'message']
const TABLE = ['name', 'phone', 'date', 'time', 'number_of_guests', 'notes?']
const APPOINTMENT = ['name', 'phone', 'date', 'time', 'notes?']
const NEWSLETTER = ['name', 'email', 'consent_to_receive_the_newsletter?']
const FEEDBACK = ['rating', 'comment?']
const LEAD = ['name', 'company?', 'email', 'phone']
const REGISTRATION = ['name', 'email', 'phone']
const COMPLAINT = ['name', 'email', 'order_number?', 'complaint']
const SUPPORT = ['name', 'email', 'subject', 'description']
const ORDER = ['name', 'phone', 'product', 'quantity', 'address']
const CITA = ['nombre', 'telefono', 'fecha', 'hora', 'notas?']
const MESA = ['nombre', 'telefono', 'fecha', 'hora', 'numero_de_personas', 'notas?']

const USUAL: [prompt: string, fields: string[]][] = [
  ['Build me a simple contact form', CONTACT],
  ['Contact us', CONTACT],
  ['I need a form for my customers to contact us', CONTACT],
  ['An enquiry form for our website.', CONTACT],
  ['Formulario de contacto', ['nombre', 'correo', 'telefono?', 'mensaje']],
  ['Book a table', TABLE],
  ['restaurant reservation', TABLE],
  ['Reserva de mesa', MESA],
  ['Appointment booking', APPOINTMENT],
  ['Create an appointment booking flow', APPOINTMENT],
  ['We want a flow so that patients can schedule an appointment with a dentist', APPOINTMENT],
  ['Book a demo', APPOINTMENT],
  ['Agendar una cita', CITA],
  ['Newsletter signup', NEWSLETTER],
  [
    'Crea un formulario para el boletín',
    ['nombre', 'correo', 'consentimiento_para_recibir_el_boletin?'],
  ],
  ['A feedback survey', FEEDBACK],
  ['customer satisfaction survey', FEEDBACK],
  ['Encuesta de experiencia', ['calificacion', 'comentario?']],
  ['Lead generation form', LEAD],
  ['Crea un formulario para captar leads', ['nombre', 'empresa?', 'correo', 'telefono']],
  ['Registration form for our event', REGISTRATION],
  ['sign up form', REGISTRATION],
  ['Formulario de inscripción', ['nombre', 'correo', 'telefono']],
  ['complaint form', COMPLAINT],
  ['Formulario de quejas', ['nombre', 'correo', 'numero_de_pedido?', 'queja']],
  ['support ticket form', SUPPORT],
  ['Reportar un problema', ['nombre', 'correo', 'asunto', 'descripcion']],
  ['callback request', ['name', 'phone', 'preferred_time?']],
  ['Solicitar una llamada', ['nombre', 'telefono', 'hora_preferida?']],
  ['Get a quote', ['name', 'email', 'phone', 'details']],
  ['Solicitar una cotización', ['nombre', 'correo', 'telefono', 'detalles']],
  ['order form', ORDER],
  ['Tomar pedidos', ['nombre', 'telefono', 'producto', 'cantidad', 'direccion']],
  ['job application form', ['name', 'email', 'phone', 'cv']],
  ['Solicitud de empleo', ['nombre', 'correo', 'telefono', 'curriculum']],
  ['Address update form', ['street', 'city', 'postal_code']],
  ['Formulario de envío', ['calle', 'ciudad', 'codigo_postal']],
]

describe('a prompt that names no fields', () => {
  it.each(USUAL)('but a usual form makes that form: %s', (prompt, fields) => {
    expect(fieldsOf(prompt)).toEqual(fields)
  })

  it.each([
    ['A contact form', 'Send'],
    ['Reserva de mesa', 'Enviar'],
  ])('speaks the language in which it names the form: %s', (prompt, button) => {
    expect(JSON.stringify(generateByRules('form', prompt))).toContain(`"${button}"`)
  })

  it('makes a form that has no review if it says so', () => {
    const form = recoverForm(generateByRules('form', 'A contact form without confirmation'))
    expect(form?.isReviewed).toBe(false)
  })

  it.each([
    'A form',
    'Create a survey',
    'Tell me a joke about a contact form',
    `${'Please make it nice. '.repeat(6)} Unlike a contact form.`,
  ])('and no usual form makes none: %s', (prompt) => {
    expect(fieldsOf(prompt)).toBeNull()
  })
})

describe('a prompt that names fields', () => {
  it.each([
    ['A contact form with name and city', ['name', 'city']],
    ['Appointment booking: date and email', ['date', 'email']],
    ['Formulario de contacto: nombre y correo', ['nombre', 'correo']],
  ])('makes those and no others: %s', (prompt, fields) => {
    expect(fieldsOf(prompt)).toEqual(fields)
  })
})
