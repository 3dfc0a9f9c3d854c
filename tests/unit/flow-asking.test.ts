import { expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked } from '../support/flow-parts.ts'

const PROMPTS: [prompt: string, fields: string[]][] = [
  [
    'Ask users which topics interest them: Sports, Music, Tech. They can pick several. Then ask for their email.',
    ['which_topics_interest_them:some_of(Sports|Music|Tech)', 'email:email'],
  ],
  [
    'Talla (S, M, L). Los clientes pueden elegir varias. Correo.',
    ['talla:some_of(S|M|L)', 'correo:email'],
  ],
  [
    'Vehicle service booking - registration number, service type (Oil change, Tyres), preferred date',
    ['registration_number:text', 'service_type:one_of(Oil change|Tyres)', 'preferred_date:date'],
  ],
  [
    'Create a flow for hotel guests to request room service. Ask for room number, and items (Breakfast, Dinner).',
    ['room_number:text', 'items:some_of(Breakfast|Dinner)'],
  ],
  [
    'A flow for guests to request the email and the phone. Ask also for the name.',
    ['email:email', 'phone:phone', 'name:text'],
  ],
  ['Sizes: S, M. They can pick several of them. Name', ['sizes:some_of(S|M)', 'name:text']],
  ['Sizes: S, M. You can choose as many as you like. Name', ['sizes:some_of(S|M)', 'name:text']],
  [
    'Topics: a, b. Customers may choose several options. Name',
    ['topics:some_of(a|b)', 'name:text'],
  ],
  [
    'Customers can pick several toppings: cheese, ham, olives. Name.',
    ['toppings:some_of(cheese|ham|olives)', 'name:text'],
  ],
  [
    'They can choose multiple colours (red, blue). Email.',
    ['colours:some_of(red|blue)', 'email:email'],
  ],
  ['You can select any colour: red, blue. Name', ['any_colour:one_of(red|blue)', 'name:text']],
  ['Email - required, name', ['email:email', 'name:text?']],
  ['Full name - text, email', ['full_name:text', 'email:email']],
  ['Name - first and last, phone', ['name_first:text', 'last:text', 'phone:phone']],
  ['Plan - Basic, Pro. Name.', ['plan:one_of(Basic|Pro)', 'name:text']],
  ['A form to request the address. Name', ['address:text', 'name:text']],
  ['A form to request name. Email', ['name:text', 'email:email']],
  ['Toppings: cheese, ham. You can choose any.', ['toppings:some_of(cheese|ham)']],
  [
    'A form for customers to request a refund. The order number and the reason.',
    ['order_number:text', 'reason:paragraph'],
  ],
  [
    "Enrollment form for parents - child's name, date of birth, parent email, and consent for photos",
    ['child_s_name:text', 'date_of_birth:date', 'parent_email:email', 'consent_for_photos:consent'],
  ],
  [
    'Order form for pizza. Toppings (choose up to 3): cheese, ham. Delivery or pickup. Address if delivery.',
    ['toppings:some_of(cheese|ham)', 'delivery_or_pickup:one_of(Delivery|pickup)', 'address:text'],
  ],
  [
    'Survey: how satisfied are you (very, hardly), would you recommend us, what would you change',
    [
      'how_satisfied_are_you:one_of(very|hardly)',
      'would_you_recommend_us:one_of(Yes|No)',
      'what_would_you_change:paragraph',
    ],
  ],
  [
    'Car service: make, model, year, mileage, tire type, preferred date, and notes.',
    [
      ...['make:text', 'model:text', 'year:text', 'mileage:number', 'tire_type:text'],
      ...['preferred_date:date', 'notes:paragraph'],
    ],
  ],
  [
    '¿Cómo nos conociste? Opciones: Google, Instagram. ¿Nombre?',
    ['como_nos_conociste:one_of(Google|Instagram)', 'nombre:text'],
  ],
  [
    'What do you need? Options: a call, an email. Your name.',
    ['what_do_you_need:one_of(a call|an email)', 'name:text'],
  ],
  [
    'A form where the user enters their company name, selects their industry from a list (tech, retail), and uploads a logo',
    ['company_name:text', 'industry:one_of(tech|retail)', 'logo:photo'],
  ],
  ['Name, and upload the proof of purchase', ['name:text', 'proof_of_purchase:document']],
  ['Name, proof of purchase (photo or PDF)', ['name:text', 'proof_of_purchase:document']],
  ['Name, the damage (jpg, png)', ['name:text', 'damage:photo']],
  [
    'Please have them sign up with username, email and password',
    ['username:text', 'email:email', 'password:password'],
  ],
  [
    "Get the customer's name and phone number so we can call them back.",
    ['name:text', 'phone_number:phone'],
  ],
  [
    'Create a flow to collect customer feedback with a star rating, a comment box and their name',
    ['star_rating:one_of(1|2|3|4|5)', 'comment:paragraph', 'name:text'],
  ],
  [
    'A form to collect the name and email, with consent to the terms',
    ['name:text', 'email:email', 'consent_to_the_terms:consent'],
  ],
  [
    'Un flujo con: nombre (obligatorio), empresa, y acepto recibir promociones',
    ['nombre:text', 'empresa:text?', 'acepto_recibir_promociones:consent?'],
  ],
  [
    'Encuesta: calificación de limpieza, personal y desayuno de 1 a 3; ¿volvería?; sugerencias',
    [
      ...['calificacion_de_limpieza', 'personal', 'desayuno'].map((one) => `${one}:one_of(1|2|3)`),
      'volveria:one_of(Sí|No)',
      'sugerencias:paragraph',
    ],
  ],
  [
    'Que el cliente elija entre pollo o pescado y deje su nombre',
    ['pollo_o_pescado:one_of(pollo|pescado)', 'nombre:text'],
  ],
  [
    'Pide los datos personales (nombre, correo). Luego la talla (S, M).',
    ['nombre:text', 'correo:email', 'talla:one_of(S|M)'],
  ],
  [
    'Clase de yoga: tipo de clase (hatha, yin), nivel, día (lunes, viernes), horario y si trae mat propio',
    [
      ...['tipo_de_clase:one_of(hatha|yin)', 'nivel:text', 'dia:one_of(lunes|viernes)'],
      ...['horario:text', 'trae_mat_propio:one_of(Sí|No)'],
    ],
  ],
  [
    'Intake: name, phone, preferred contact method (phone, email, text)',
    ['name:text', 'phone:phone', 'preferred_contact_method:one_of(phone|email|text)'],
  ],
  [
    'NPS score 0-2, reason for the score, permission to follow up.',
    [
      'nps_score:one_of(0|1|2)',
      'reason_for_the_score:paragraph',
      'permission_to_follow_up:consent?',
    ],
  ],
  ['Company name, W-9 upload', ['company_name:text', 'w_9_upload:document']],
  [
    'Encuesta: ¿Cómo calificarías el servicio? (1 a 3), ¿Recomendarías la tienda? sí/no, comentarios',
    [
      'como_calificarias_el_servicio:one_of(1|2|3)',
      'recomendarias_la_tienda:one_of(Sí|No)',
      'comentarios:paragraph',
    ],
  ],
  [
    'A form. Required: name, email. Optional: phone, size (S, M).',
    ['name:text', 'email:email', 'phone:phone?', 'size:one_of?(S|M)'],
  ],
  [
    'Required fields are name and email. Optional fields are phone and company.',
    ['name:text', 'email:email', 'phone:phone?', 'company:text?'],
  ],
  [
    'Campos obligatorios: nombre, correo. Opcionales: empresa',
    ['nombre:text', 'correo:email', 'empresa:text?'],
  ],
  [
    'Required:\n- Name\n- Email\nOptional:\n- Phone\n- Company',
    ['name:text', 'email:email', 'phone:phone?', 'company:text?'],
  ],
  [
    'name: text\nage: number\nplan: basic | pro',
    ['name:text', 'age:number', 'plan:one_of(basic|pro)'],
  ],
  [
    'The guest gives a name, the number of people (2, 4, 6 or 8), a date, and can leave a note.',
    ['name:text', 'number_of_people:one_of(2|4|6|8)', 'date:date', 'note:paragraph'],
  ],
  [
    'Customers can select a date and pick a time slot: 9:00, 11:00 or 15:00. Also their name.',
    ['date:date', 'time_slot:one_of(9:00|11:00|15:00)', 'name:text'],
  ],
  [
    'Preguntas: 1) ¿Qué compraste? a) Zapatos b) Camisa 2) ¿Cómo fue? bueno, malo',
    ['que_compraste:one_of(Zapatos|Camisa)', 'como_fue:one_of(bueno|malo)'],
  ],
  [
    'Survey asking about quality, speed and service, each rated 1 to 3, plus an open comment.',
    [
      ...['quality', 'speed', 'service'].map((one) => `${one}:one_of(1|2|3)`),
      'open_comment:paragraph',
    ],
  ],
  [
    'Pizza order: size (S, M), up to 3 toppings from cheese, ham, olives; delivery address',
    ['size:one_of(S|M)', 'toppings:some_of(cheese|ham|olives)', 'delivery_address:text'],
  ],
  [
    'Ask the user to select a department: Sales, Support or Billing, then describe their issue',
    ['department:one_of(Sales|Support|Billing)', 'describe_their_issue:paragraph'],
  ],
  [
    'Event feedback form, with a star rating (1-3), favorite session, and would you attend again?',
    [
      ...['star_rating:one_of(1|2|3)', 'favorite_session:text'],
      'would_you_attend_again:one_of(Yes|No)',
    ],
  ],
  [
    'Simple poll: Do you prefer mornings or evenings?',
    ['do_you_prefer_mornings_or_evenings:one_of(mornings|evenings)'],
  ],
  [
    "Get the user's delivery preferences - window (9-12, 12-15), leave at door (yes/no), instructions",
    ['window:one_of(9-12|12-15)', 'leave_at_door:one_of(yes|no)', 'instructions:paragraph'],
  ],
  [
    'What is your name? ¿Cuál es tu empresa?',
    ['what_is_your_name:text', 'cual_es_tu_empresa:text'],
  ],
  ['Datos: razón social, correo', ['razon_social:text', 'correo:email']],
  [
    'Necesito que el cliente me diga su nombre, su teléfono y qué producto le interesa: camisas o zapatos',
    ['nombre:text', 'telefono:phone', 'que_producto_le_interesa:one_of(camisas|zapatos)'],
  ],
  ['Quiero saber nombre, edad y ciudad', ['nombre:text', 'edad:number', 'ciudad:text']],
]

it('a quoted question is asked as it stands in the quotation marks', () => {
  const definition = generateByRules('f', 'Ask "What is your colour? (red, blue)" and "Why?"')
  expect(recoverForm(definition)?.fields.map(({ label }) => label)).toEqual([
    'What is your colour?',
    'Why?',
  ])
})

it.each(PROMPTS)('a prompt asks for what a reader would expect: %j', (prompt, fields) => {
  const definition = generateByRules('my_form', prompt)
  expect(publishingFaults(definition)).toEqual([])
  expect(asked(definition).sort()).toEqual([...fields].sort())
})
