import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked } from '../support/flow-parts.ts'

const FIVE = '(1|2|3|4|5)'

describe('a prompt in Spanish', () => {
  const PROMPTS: [prompt: string, fields: string[]][] = [
    [
      'Encuesta: ¿el producto llegó en buen estado? ¿cómo nos conociste? (Google, un amigo) puntúa la entrega del 1 al 5',
      [
        'el_producto_llego_en_buen_estado:one_of(Sí|No)',
        'como_nos_conociste:one_of(Google|un amigo)',
        `puntua_la_entrega:one_of${FIVE}`,
      ],
    ],
    [
      'Encuesta de clima: del 1 al 5 liderazgo y ambiente; ¿qué mejorarías?',
      [`califica_liderazgo:one_of${FIVE}`, `ambiente:one_of${FIVE}`, 'que_mejorarias:paragraph'],
    ],
    [
      'Registro: nombre, ¿requiere factura?, correo, ¿asistirá?',
      ['nombre:text', 'requiere_factura:one_of(Sí|No)', 'correo:email', 'asistira:one_of(Sí|No)'],
    ],
    [
      'Confirmar asistencia: nombre, ¿vienes? sí/no, número de acompañantes',
      ['nombre:text', 'vienes:one_of(Sí|No)', 'numero_de_acompanantes:number'],
    ],
    [
      'Formulario: teléfono, presupuesto y si quiere comprar o rentar',
      ['telefono:phone', 'presupuesto:number', 'quiere_comprar_o_rentar:one_of(comprar|rentar)'],
    ],
    [
      'Ficha: alergias, contacto de emergencia (nombre y teléfono)',
      [
        'alergias:text',
        'nombre_del_contacto_de_emergencia:text',
        'telefono_del_contacto_de_emergencia:phone',
      ],
    ],
    [
      'Solicitud de empleo con datos personales (nombre, edad, correo) y CV en PDF',
      ['nombre:text', 'edad:number', 'correo:email', 'cv_en_pdf:document'],
    ],
    [
      'Encuesta con estrellas de 1 a 5 para la comida, el servicio y el ambiente, y un campo de sugerencias',
      [
        `califica_la_comida:one_of${FIVE}`,
        `servicio:one_of${FIVE}`,
        `ambiente:one_of${FIVE}`,
        'sugerencias:paragraph',
      ],
    ],
    [
      'Formulario de satisfacción: atención, limpieza (del 1 al 5 cada uno), comentarios',
      [`atencion:one_of${FIVE}`, `limpieza:one_of${FIVE}`, 'comentarios:paragraph'],
    ],
    [
      'Quisiera un formulario de feedback: qué te gustó, qué mejorarías, y nota del 1 al 5',
      ['que_te_gusto:paragraph', 'que_mejorarias:paragraph', `nota:one_of${FIVE}`],
    ],
    [
      'Pide el nombre del cliente y su correo; el teléfono es opcional',
      ['nombre:text', 'correo:email', 'telefono:phone?'],
    ],
    [
      'Agenda de visitas: nombre, fecha de visita (de lunes a viernes)',
      ['nombre:text', 'fecha_de_visita:date'],
    ],
  ]
  it.each(PROMPTS)('%j is read as it is meant', (prompt, fields) => {
    const definition = generateByRules('form', prompt)
    expect([...asked(definition)].sort()).toEqual([...fields].sort())
    expect(publishingFaults(definition)).toEqual([])
  })
})

describe('a prompt in English', () => {
  const PROMPTS: [prompt: string, fields: string[]][] = [
    [
      'Order form. Product (Mug, Cap) - quantity - colour (black/white) - name - shipping address',
      [
        'product:one_of(Mug|Cap)',
        'quantity:number',
        'colour:one_of(black|white)',
        'name:text',
        'shipping_address:text',
      ],
    ],
    [
      'Pharmacy: prescription number, pickup or delivery, if delivery then address, birthdate',
      [
        'prescription_number:text',
        'pickup_or_delivery:one_of(pickup|delivery)',
        'address:text',
        'birthdate:date',
      ],
    ],
    [
      'Ask them to rate the app (1-5) and if they rate it low, ask what went wrong',
      [`rate_the_app:one_of${FIVE}`, 'what_went_wrong:paragraph?'],
    ],
    [
      'A form with the fields name, email and a big text box for the message',
      ['name:text', 'email:email', 'message:paragraph'],
    ],
    [
      'Daily log: temperature, heart rate, freeze duration in weeks, box type (vegan, classic)',
      [
        'temperature:number',
        'heart_rate:number',
        'freeze_duration_in_weeks:number',
        'box_type:one_of(vegan|classic)',
      ],
    ],
    ['Form fields -> name, arrival; departure', ['name:text', 'arrival:date', 'departure:date']],
    ["I need people's names and emails", ['names:text', 'emails:email']],
    [
      'Do you have any allergies? If yes, list them. Are you vegetarian?',
      [
        'do_you_have_any_allergies:one_of(Yes|No)',
        'list_them:text',
        'are_you_vegetarian:one_of(Yes|No)',
      ],
    ],
    [
      'I want to run a giveaway. Entrants should provide their name and confirm they are 18 or older.',
      ['name:text', 'confirm_they_are_18_or_older:consent'],
    ],
    [
      'Could you build something to capture the email of people, with their city and age?',
      ['email_of_people:email', 'city:text', 'age:number'],
    ],
    [
      'Donation form: one-time or monthly, from address, to address, pick up date',
      [
        'one_time_or_monthly:one_of(one-time|monthly)',
        'from_address:text',
        'to_address:text',
        'pick_up_date:date',
      ],
    ],
    [
      'Ask customers to rate their stay: room, food and staff out of 5, then comments',
      [`room:one_of${FIVE}`, `food:one_of${FIVE}`, `staff:one_of${FIVE}`, 'comments:paragraph'],
    ],
    ['Budget: Q1 revenue, Q2 revenue', ['q1_revenue:number', 'q2_revenue:number']],
    ['Street, number, city', ['street:text', 'number:text', 'city:text']],
    [
      'age (number), number of dogs, lucky number',
      ['age:number', 'number_of_dogs:number', 'lucky_number:number'],
    ],
  ]
  it.each(PROMPTS)('%j is read as it is meant', (prompt, fields) => {
    const definition = generateByRules('form', prompt)
    expect([...asked(definition)].sort()).toEqual([...fields].sort())
  })

  it.each([
    ['Emergency contact (name and phone)', ['emergency_contact_name', 'emergency_contact_phone']],
    ['Stars from 1 to 5 for the food, service and staff', ['food', 'service', 'staff']],
  ])('%j names each thing', (list, names) => {
    const definition = generateByRules('form', `Ask for the name. ${list}`)
    const others = asked(definition).map((field) => field.replace(/:.*/, ''))
    expect(others).toEqual(['name', ...names])
  })

  it('keeps what is quoted as it is written', () => {
    const prompt = 'Ask for the name and "Start and end dates"'
    const labels = recoverForm(generateByRules('form', prompt))?.fields.map(({ label }) => label)
    expect(labels).toEqual(['Name', 'Start and end dates'])
  })

  const LABELS: [prompt: string, labels: string[]][] = [
    [
      'We want to know: 1) the branch, 2) would they recommend us, 3) how often do they visit',
      ['Branch', 'Would you recommend us', 'How often do you visit'],
    ],
    ['RSVP: guest names, will you attend?', ['Guest names', 'Will you attend?']],
    [
      'Ask parents: allergies, emergency contact name and phone',
      ['Allergies', 'Emergency contact name', 'Emergency contact phone'],
    ],
    [
      'Booking: room type - single, double, suite; check-in; breakfast included?',
      ['Room type', 'Check-in', 'Breakfast included?'],
    ],
  ]
  it.each(LABELS)('%j asks in the words that are meant', (prompt, labels) => {
    const form = recoverForm(generateByRules('form', prompt))
    expect(form?.fields.map(({ label }) => label)).toEqual(labels)
  })

  it('has a label in the language of its prompt where it names alternatives', () => {
    const form = recoverForm(generateByRules('form', 'Encuesta: nombre, recogida o envío'))
    expect(form?.fields.at(-1)?.label).toBe('Recogida o envío')
  })

  it('says of one thing that it is optional behind a semicolon', () => {
    const definition = generateByRules('form', 'Ask for name and email; phone is optional')
    expect(asked(definition)).toEqual(['name:text', 'email:email', 'phone:phone?'])
  })
})
