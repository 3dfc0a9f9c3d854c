import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { APPLICATIONS } from '../../flows/usual/applications.ts'
import { BOOKINGS } from '../../flows/usual/bookings.ts'
import { GENERAL, OPINIONS } from '../../flows/usual/general.ts'
import { REQUESTS } from '../../flows/usual/requests.ts'
import { shown } from '../support/flow-parts.ts'

const KINDS = [...OPINIONS, ...BOOKINGS, ...APPLICATIONS, ...REQUESTS, ...GENERAL]
const fieldsOf = (prompt: string) => recoverForm(generateByRules('form', prompt))?.fields ?? []
const namesOf = (prompt: string) => fieldsOf(prompt).map(({ name }) => name)

/** About anything: what it is, is enough. */
const OF_ANY: [prompt: string, has: string][] = [
  ['Market research survey', 'rating'],
  ['Encuesta post venta', 'calificacion'],
  ['Neighbourhood complaint', 'complaint'],
  ['Reclamo de garaje', 'queja'],
  ['Roof repair estimate', 'details'],
  ['Solicitar presupuesto', 'detalles'],
  ['Website project inquiry', 'message'],
  ['Consulta sobre paneles solares', 'mensaje'],
  ['Yoga class booking', 'date'],
  ['Make a flow where customers can book a massage', 'date'],
  ['Pet grooming appointment', 'date'],
  ['Cita con el dentista', 'fecha'],
  ['Reservar una cancha de pádel', 'fecha'],
  ['Photo contest entry form', 'email'],
  ['Book club sign up', 'email'],
  ['A form so people can join our loyalty program', 'email'],
  ['Unirse a nuestro programa de puntos', 'correo'],
  ['Cake order', 'quantity'],
  ['Please create a flower delivery order form', 'quantity'],
  ['Pedido de torta', 'cantidad'],
  ['Legal consultation intake', 'what_do_you_need'],
  ['Podcast guest application', 'why_are_you_applying'],
  ['Postulación al coro', 'por_que_se_postula'],
  ['Lost and found report', 'location'],
  ['Report a pothole', 'location'],
  ['Reporte de baches', 'ubicacion'],
  ['Babysitter request', 'details'],
  ['People should be able to register for our webinar next week', 'email'],
  ['My gym wants people to sign up for a free trial class', 'email'],
  ['Necesito inscribir equipos a un torneo de fútbol', 'correo'],
  ['Quiero que los interesados en el curso dejen sus datos', 'correo'],
  ['We want to survey employees about remote work', 'rating'],
  ['Queremos saber qué opinan los clientes del nuevo menú', 'calificacion'],
  ['A form where customers can apply for a refund', 'reason_for_the_return'],
  ['A flow to report lost luggage', 'location'],
  ['A flow for students to request a letter of recommendation', 'details'],
  ['Somos una veterinaria y queremos que los clientes pidan cita para su mascota', 'fecha'],
  ['Solicitud de niñera', 'detalles'],
]

/** By a field that no other kind has, or by all where there is none. */
const NAMED: [prompt: string, has: string][] = [
  ['NPS survey', 'how_likely_are_you_to_recommend_us'],
  ['Encuesta NPS', 'que_tan_probable_es_que_nos_recomiende'],
  ['Survey about our new app', 'rating'],
  ['A survey on customer service', 'rating'],
  ['Delivery feedback', 'rating'],
  ['Hotel feedback form', 'rating'],
  ['Encuesta de satisfacción', 'calificacion'],
  ['Product return request', 'reason_for_the_return'],
  ['Refund request', 'reason_for_the_return'],
  ['Devolución de producto', 'motivo_de_la_devolucion'],
  ['Cancel an appointment', 'reference_number'],
  ['Gym membership cancellation', 'reference_number'],
  ['Cancelación de cita', 'numero_de_referencia'],
  ['Hotel booking form', 'check_in_date'],
  ['Flow to book hotel rooms', 'check_in_date'],
  ['Booking form for our hotel', 'check_in_date'],
  ['Reserva de habitación', 'fecha_de_entrada'],
  ['Car rental booking', 'pick_up_location'],
  ['Alquiler de autos', 'lugar_de_recogida'],
  ['Book a test drive', 'car_model'],
  ['Prueba de manejo', 'modelo_de_auto'],
  ['Vehicle service booking', 'license_plate'],
  ['Mantenimiento de vehículos', 'placa'],
  ['Travel inquiry form', 'destination'],
  ['Reserva de tours', 'destino'],
  ['Event planner enquiry', 'type_of_event'],
  ['Private party booking', 'type_of_event'],
  ['Reservar un salón', 'tipo_de_evento'],
  ['RSVP for a wedding', 'will_you_attend'],
  ['RSVP', 'will_you_attend'],
  ['Confirmar asistencia', 'asistira'],
  ['Home service request', 'what_do_you_need'],
  ['Flow so that tenants can report maintenance issues', 'what_do_you_need'],
  ['Solicitud de limpieza', 'que_necesita'],
  ['Patient intake form', 'current_medications'],
  [
    'I run a dental clinic and want new patients to give us their details before the first visit',
    'current_medications',
  ],
  ['Registro de pacientes nuevos', 'medicamentos_actuales'],
  ['Client onboarding', 'what_do_you_need'],
  ['Alta de clientes', 'que_necesita'],
  ['Pet adoption application', 'why_do_you_want_to_adopt'],
  ['Formulario para adoptar un perro', 'por_que_quiere_adoptar'],
  ['Loan application', 'loan_amount'],
  ['Solicitud de préstamo', 'monto_del_prestamo'],
  ['Employee onboarding form', 'emergency_contact_phone'],
  ['Alta de empleados', 'telefono_del_contacto_de_emergencia'],
  ['School admission form', 'student_name'],
  ['Matrícula escolar', 'nombre_del_alumno'],
  ['Course enrollment', 'course'],
  ['Inscripción a cursos', 'curso'],
  ['Volunteer application form', 'availability'],
  ['Formulario de voluntariado', 'disponibilidad'],
  ['Supplier registration form', 'products_or_services_offered'],
  ['Registro de proveedores', 'productos_o_servicios'],
  ['Rental application', 'move_in_date'],
  ['Solicitud de alquiler', 'fecha_de_mudanza'],
  ['Create a flow for hospital visitors to check in', 'who_are_you_visiting'],
  ['Registro de visitas', 'a_quien_visita'],
  ['Parent permission slip', 'consent_to_take_part'],
  ['Necesito que los padres autoricen la excursión', 'autorizo_la_participacion'],
  ['Onboard new drivers for our delivery app', 'emergency_contact_phone'],
  ['Appointment confirmation', 'do_you_confirm'],
  ['Flujo para confirmar la cita de mañana o cambiarla', 'confirma'],
  ['Emergency contact form', 'relationship'],
  ['Contacto de emergencia', 'parentesco'],
  ['Create a form to collect customer information', 'full_name'],
  ['Datos personales', 'nombre_completo'],
  ['Request an invoice', 'tax_id'],
  ['Solicitud de factura', 'razon_social'],
  ['Bank details', 'account_number'],
  ['Datos bancarios', 'numero_de_cuenta'],
  ['COVID screening', 'do_you_have_any_symptoms'],
  ['Control de salud', 'tiene_algun_sintoma'],
  ['Datos de envío', 'codigo_postal'],
  ['KYC form', 'id_number'],
  ['Verificación de identidad', 'numero_de_documento'],
  ['Real estate inquiry', 'preferred_location'],
  ['Consulta inmobiliaria', 'ubicacion_preferida'],
  ['Insurance claim form', 'policy_number'],
  ['Reportar un siniestro', 'numero_de_poliza'],
  ['Warranty claim', 'description_of_the_problem'],
  ['Reclamar la garantía', 'descripcion_del_problema'],
  ['Warranty registration', 'serial_number'],
  ['Registro de garantía', 'numero_de_serie'],
  ['Leave request', 'type_of_leave'],
  ['Formulario para solicitar vacaciones', 'tipo_de_permiso'],
  ['A form for expense claims', 'photo_of_the_receipt'],
  ['Reembolso de gastos', 'foto_del_recibo'],
  ['Refer a friend', 'friend_s_name'],
  ['Programa de referidos', 'nombre_de_su_amigo'],
  ['Suggestion box', 'suggestion'],
  ['Buzón de sugerencias', 'sugerencia'],
  ['Track my order', 'order_number'],
  ['Seguimiento de pedido', 'numero_de_pedido'],
  ['Prescription refill', 'medication'],
  ['Renovar una receta', 'medicamento'],
  ['Donation form', 'donation_amount'],
  ['Recibir donaciones', 'monto_de_la_donacion'],
  ['Login form', 'password'],
  ['Iniciar sesión', 'contrasena'],
  ['Checkout form', 'payment_method'],
  ['Finalizar compra', 'forma_de_pago'],
  ['Formulario de pedido', 'cantidad'],
]

describe('a usual form', () => {
  it.each([...NAMED, ...OF_ANY])('is known by its name: %s', (prompt, has) => {
    expect(namesOf(prompt)).toContain(has)
  })

  it.each(KINDS.map(({ asks }) => asks))(
    'asks for the same in both languages, all of it: $en',
    (asks) => {
      const [en, es] = [asks.en, asks.es].map((prompt) =>
        fieldsOf(prompt).map(({ kind, isRequired, choices }) => [kind, isRequired, choices.length]),
      )
      expect(en).toHaveLength(asks.en.replace(/\([^)]*\)/g, '').split(',').length)
      expect(es).toEqual(en)
    },
  )

  it.each([
    ['Hotel contact form', 'message'],
    ['Ask for a refund reason', 'refund_reason'],
    ["Get the customer's email", 'email'],
    ['Loan application: amount and term', 'term'],
    ['Travel inquiry form with name, city', 'city'],
  ])('is not what another is called after, nor what names its fields: %s', (prompt, has) => {
    expect(namesOf(prompt)).toContain(has)
    expect(namesOf(prompt).length).toBeLessThanOrEqual(4)
  })

  it.each([
    ['Reason for visit', 'reason_for_visit'],
    ['Car registration number', 'car_registration_number'],
    ['Customer satisfaction 1-10', 'satisfaction'],
    ['Time of appointment', 'time_of_appointment'],
    ['Motivo de la visita', 'motivo_de_la_visita'],
    ['Describe your complaint', 'describe_your_complaint'],
    ['Type of request', 'type_of_request'],
  ])('is not what a single field is called after: %s', (prompt, name) => {
    expect(namesOf(prompt)).toEqual([name])
  })

  it.each([
    'Blood donation form',
    'Write about our hotel booking form',
    'A form for my barbershop',
  ])('is none where a word means something else: %s', (prompt) => {
    expect(fieldsOf(prompt)).toEqual([])
  })
})

describe('a list beside the name of a form, or of what usual forms ask for', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'name, type of leave (vacation, sick leave, other), start date, end date, reason (optional)',
      [
        'Name: text',
        'Type of leave: one_of vacation|sick leave|other',
        'Start date: date',
        'End date: date',
        'Reason?: paragraph',
      ],
    ],
    [
      'Time off: name, leave type, leave balance, leave dates',
      ['Name: text', 'Leave type: text', 'Leave balance: text', 'Leave dates: date'],
    ],
    [
      'nombre, teléfono, lugar de recogida, fecha de recogida',
      ['Nombre: text', 'Teléfono: phone', 'Lugar de recogida: text', 'Fecha de recogida: date'],
    ],
    [
      'company name, contact person, email, phone, products or services offered, website (optional)',
      [
        'Company name: text',
        'Contact person: text',
        'Email: email',
        'Phone: phone',
        'Products or services offered: text',
        'Website?: text',
      ],
    ],
    [
      'How likely are you to recommend us? (0-10), What is the main reason? (optional)',
      [
        'How likely are you to recommend us?: one_of 0|1|2|3|4|5|6|7|8|9|10',
        'What is the main reason??: paragraph',
      ],
    ],
    [
      'What is your name? What is your age? (18 to 99), where do you live?',
      [
        'What is your name?: text',
        'What is your age?: number (From 18 to 99)',
        'Where do you live?: text',
      ],
    ],
    ['Loan application: amount, term', ['Amount: number', 'Term: text']],
    ['Gym enrolment: plan, trainer, goals', ['Plan: text', 'Trainer: text', 'Goals: text']],
    ['Solicitud de crédito: monto, plazo', ['Monto: number', 'Plazo: text']],
    ['Type of booking: private, business', ['Type of booking: one_of private|business']],
    ['Flight booking: economy or business', ['Flight booking: one_of economy|business']],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a prompt in which little is known', () => {
  it.each<[prompt: string, asked: string[]]>([
    ['Ask for the flavour', ['Flavour: text']],
    ['Collect sizes for team t-shirts', ['Sizes for team t-shirts: text']],
    ['Ask parents who will pick up their child', ['Who will pick up your child: text']],
    ['Ask customers when their lease ends', ['When your lease ends: date']],
    [
      'Do you confirm? (yes, no), another date (optional)',
      ['Do you confirm?: one_of yes|no', 'Another date?: date'],
    ],
    ['Ask what they are interested in', ['What you are interested in: paragraph']],
    [
      'I sell cakes and want customers to choose the flavour and size and tell me the delivery date',
      ['Flavour: text', 'Size: text', 'Delivery date: date'],
    ],
    ['Allow users to update their phone and email', ['Phone: phone', 'Email: email']],
    [
      'We need suppliers to send us their company details and bank account',
      ['Company details: paragraph', 'Bank account: text'],
    ],
    [
      'Vendo ropa y quiero que elijan talla, color y me den su dirección',
      ['Talla: text', 'Color: text', 'Dirección: text'],
    ],
    ['Pide que suban una foto y escriban un comentario', ['Foto: photo', 'Comentario: paragraph']],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a list behind the name of a usual form', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Survey students on the cafeteria: how often they eat there, favourite dish, what should improve',
      ['How often you eat there: text', 'Favourite dish: text', 'What should improve: text'],
    ],
    ['Hotel form: pillow type, floor', ['Pillow type: text', 'Floor: text']],
    [
      'Encuesta de comedor: plato favorito, qué mejorarías',
      ['Plato favorito: text', 'Qué mejorarías: paragraph'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
