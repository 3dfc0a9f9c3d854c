import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked } from '../support/flow-parts.ts'

/** What a form asks for, of a prompt that says two things, or many choices, in few words. */
const SHORT: [prompt: string, fields: string[]][] = [
  // Two things with one noun.
  [
    'Car rental: pick-up date & time, return date & time, car class',
    [
      'pick_up_date:date',
      'pick_up_time:text',
      'return_date:date',
      'return_time:text',
      'car_class:text',
    ],
  ],
  ['Ask for the date and time, and their name', ['date:date', 'time:text', 'name:text']],
  [
    'Sign-up form: volunteer name, emergency contact name & number',
    ['volunteer_name:text', 'emergency_contact_name:text', 'emergency_contact_number:phone'],
  ],
  ['Get their name and number', ['name:text', 'phone_number:phone']],
  [
    'Payment form: card name and number, amount',
    ['card_name:text', 'card_number:text', 'amount:number'],
  ],
  [
    'Hotel booking: arrival date, number of adults and children, name',
    ['arrival_date:date', 'number_of_adults:number', 'number_of_children:number', 'name:text'],
  ],
  [
    'Ask how many adults and children come, and their email',
    ['how_many_adults:number', 'how_many_children_come:number', 'email:email'],
  ],
  ['Volunteers sign up w/ name, email & phone', ['name:text', 'email:email', 'phone:phone']],
  // Choices from one to another.
  ['Form with name, t-shirt size (XS-XXL)', ['name:text', 't_shirt_size:one_of(XS|S|M|L|XL|XXL)']],
  [
    'Pet grooming: breed, preferred day Mon-Fri',
    ['breed:text', 'preferred_day:one_of(Mon|Tue|Wed|Thu|Fri)'],
  ],
  [
    'Cita: nombre, correo, día (lunes a viernes)',
    ['nombre:text', 'correo:email', 'dia:one_of(lunes|martes|miércoles|jueves|viernes)'],
  ],
  [
    'Loan form: name, loan term (12, 24, 36 months)',
    ['name:text', 'loan_term:one_of(12 months|24 months|36 months)'],
  ],
  ['Table booking: guest count (1-4), date', ['guest_count:one_of(1|2|3|4)', 'date:date']],
]

const SEVERAL: [prompt: string, fields: string[]][] = [
  [
    'Newsletter: email, topics of interest (choose any: news, events, tips)',
    ['email:email', 'topics_of_interest:some_of(news|events|tips)'],
  ],
  [
    'Job application: name, available days (Mon, Tue, Wed), position (cook, waiter)',
    ['name:text', 'available_days:some_of(Mon|Tue|Wed)', 'position:one_of(cook|waiter)'],
  ],
  [
    'Pizza order: size (S, M, L), toppings (cheese, ham, olives)',
    ['size:one_of(S|M|L)', 'toppings:some_of(cheese|ham|olives)'],
  ],
  [
    'Registro: nombre, días disponibles (lunes, martes), nivel (básico, avanzado)',
    ['nombre:text', 'dias_disponibles:some_of(lunes|martes)', 'nivel:one_of(básico|avanzado)'],
  ],
  [
    'Ask for their email and number of days (3, 5, 7)',
    ['email:email', 'number_of_days:one_of(3|5|7)'],
  ],
  [
    'Ask for their email and type of services (new, repair)',
    ['email:email', 'type_of_services:one_of(new|repair)'],
  ],
  ['Ask for their email and days (3, 5, 7)', ['email:email', 'days:one_of(3|5|7)']],
  [
    'Ask for their email and any allergies (yes/no)',
    ['email:email', 'any_allergies:one_of(yes|no)'],
  ],
]

const QUESTIONS: [prompt: string, fields: string[]][] = [
  [
    'Free trial request. Work email, company size, role, what do you hope to achieve?',
    ['work_email:email', 'company_size:text', 'role:text', 'what_do_you_hope_to_achieve:paragraph'],
  ],
  [
    'Survey: How likely are you to recommend us (0-10)? May we contact you?',
    [
      'how_likely_are_you_to_recommend_us:one_of(0|1|2|3|4|5|6|7|8|9|10)',
      'may_we_contact_you:one_of(Yes|No)',
    ],
  ],
  [
    'Health screening: do you have fever? cough? shortness of breath? Have you travelled abroad? Comments?',
    [
      'do_you_have_fever:one_of(Yes|No)',
      'cough:one_of(Yes|No)',
      'shortness_of_breath:one_of(Yes|No)',
      'have_you_travelled_abroad:one_of(Yes|No)',
      'comments:paragraph',
    ],
  ],
  ['Ask for name and when can you start?', ['name:text', 'when_can_you_start:date']],
  [
    'Ask: When is the best time to call? What is your phone number?',
    ['when_is_the_best_time_to_call:text', 'what_is_your_phone_number:phone'],
  ],
]

const RUN_TOGETHER: [prompt: string, fields: string[]][] = [
  ['contact form with name email and message', ['name:text', 'email:email', 'message:paragraph']],
  [
    'Form: Q1 What is your name? Q2 How old are you? Q3 Do you smoke?',
    ['what_is_your_name:text', 'how_old_are_you:number', 'do_you_smoke:one_of(Yes|No)'],
  ],
  [
    'Tenant request: unit number, type of issue - plumbing, heating, other - urgency (low, high), photo',
    [
      'unit_number:text',
      'type_of_issue:one_of(plumbing|heating|other)',
      'urgency:one_of(low|high)',
      'photo:photo',
    ],
  ],
  [
    'Daily check-in: how are you feeling today (great, ok, bad), tasks completed, blockers',
    ['how_are_you_feeling_today:one_of(great|ok|bad)', 'tasks_completed:text', 'blockers:text'],
  ],
  [
    'Club sign-up: parent/guardian name, pickup date/time, permission to enter (yes/no)',
    [
      'parent_guardian_name:text',
      'pickup_date:date',
      'pickup_time:text',
      'permission_to_enter:one_of(yes|no)',
    ],
  ],
  [
    'Event RSVP: name, attending (yes/no), plus ones (0-3)',
    ['name:text', 'attending:one_of(yes|no)', 'plus_ones:one_of(0|1|2|3)'],
  ],
  [
    'Return: order #, reason, refund or exchange?',
    ['order:text', 'reason:paragraph', 'refund_or_exchange:one_of(refund|exchange)'],
  ],
  [
    'Ask which branch (A, B) and if they have any comments',
    ['which_branch:one_of(A|B)', 'any_comments:paragraph?'],
  ],
  [
    '¿Cómo calificarías el servicio del 1 al 3? ¿Volverías?',
    ['como_calificarias_el_servicio_del_1_al_3:one_of(1|2|3)', 'volverias:one_of(Sí|No)'],
  ],
  ['Ask how customers heard about us', ['how_customers_heard_about_us:text']],
]

const TOLD: [prompt: string, fields: string[]][] = [
  ['Our hotel wants a feedback form after check-out. Ask for the name.', ['name:text']],
  [
    'Leave request: leave type (sick, vacation), start and end dates, reason',
    ['leave_type:one_of(sick|vacation)', 'start_date:date', 'end_date:date', 'reason:paragraph'],
  ],
  [
    "Form to report an absence. Student's name, class, doctor's note upload optional",
    ['student_s_name:text', 'class:text', 'doctor_s_note_upload:document?'],
  ],
  [
    'Quick feedback: thumbs up/thumbs down, and what could be better',
    ['quick_feedback:one_of(thumbs up|thumbs down)', 'what_could_be_better:paragraph'],
  ],
  [
    'I need customers to upload their ID (front and back) and a selfie',
    ['photo_of_id_front:photo', 'photo_of_id_back:photo', 'selfie:photo'],
  ],
  [
    "Ask the guest's name, check-in/check-out dates, airport pickup needed?",
    [
      'name:text',
      'check_in_date:date',
      'check_out_date:date',
      'airport_pickup_needed:one_of(Yes|No)',
    ],
  ],
  [
    'Dog walking: breed, days of the week',
    [
      'breed:text',
      'days_of_the_week:some_of(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)',
    ],
  ],
  [
    'Get a rating (1-5) and if rating below 3 ask why',
    ['rating:one_of(1|2|3|4|5)', 'why:paragraph'],
  ],
  [
    'Ask how satisfied they are with price, quality and support on a 1-3 scale',
    ['rate_price:one_of(1|2|3)', 'quality:one_of(1|2|3)', 'support:one_of(1|2|3)'],
  ],
  [
    'Leads: full name, budget, and contact details',
    ['full_name:text', 'budget:number', 'phone:phone', 'email:email'],
  ],
  ['We need the size (S, M) and when they need it', ['size:one_of(S|M)', 'when_they_need_it:date']],
]

const QUIZZED: [prompt: string, fields: string[]][] = [
  [
    'Delivery feedback: delivered on time? package intact? courier friendly? and comments',
    [
      'delivered_on_time:one_of(Yes|No)',
      'package_intact:one_of(Yes|No)',
      'courier_friendly:one_of(Yes|No)',
      'comments:paragraph',
    ],
  ],
  [
    'Eye exam: do you wear glasses or contact lenses?, insurance (yes/no), last exam date',
    [
      'do_you_wear_glasses_or_contact_lenses:text',
      'insurance:one_of(yes|no)',
      'last_exam_date:date',
    ],
  ],
  [
    'I need a quick form: who are you, what do you need',
    ['who_are_you:text', 'what_do_you_need:paragraph'],
  ],
  [
    'Customers should choose their plan: Basic ($9), Pro ($29) or Enterprise (contact us), then give name and email',
    ['plan:one_of(Basic|Pro|Enterprise)', 'name:text', 'email:email'],
  ],
  [
    'Replacement card: delivery address, reason, confirm identity with date of birth',
    ['delivery_address:text', 'reason:paragraph', 'confirm_identity_with_date_of_birth:date'],
  ],
  [
    'Pide al huésped la hora de llegada y si necesita cuna',
    ['hora_de_llegada:text', 'necesita_cuna:one_of(Sí|No)'],
  ],
  ['Encuesta: ¿nos recomendarías del 0 al 3?', ['nos_recomendarias_del_0_al_3:one_of(0|1|2|3)']],
]

const TICKED: [prompt: string, fields: string[]][] = [
  [
    'Medical history: Do you have any of the following: diabetes, asthma? Any surgeries? Current medications?',
    [
      'do_you_have_any_of_the_following:some_of(diabetes|asthma)',
      'any_surgeries:text?',
      'current_medications:text',
    ],
  ],
  ['first name (text), subscribe (checkbox)', ['first_name:text', 'subscribe:consent?']],
  ['Order form: name, gift wrap (checkbox)', ['name:text', 'gift_wrap:consent?']],
  [
    'Make the customer accept our return policy, then ask the order number',
    ['accept_our_return_policy:consent', 'order_number:text'],
  ],
  [
    'Ask for the number of nights, breakfast included or not, and arrival date',
    ['number_of_nights:number', 'breakfast_included:one_of(yes|no)', 'arrival_date:date'],
  ],
  [
    'Ask for budget range, age group and email',
    ['budget_range:text', 'age_group:text', 'email:email'],
  ],
]

const REST: [prompt: string, fields: string[]][] = [
  [
    'Event registration, first screen personal details (name, email), second screen ticket type (standard, VIP) and number of tickets, third screen accept terms and conditions',
    [
      'name:text',
      'email:email',
      'ticket_type:one_of(standard|VIP)',
      'number_of_tickets:number',
      'accept_terms_and_conditions:consent',
    ],
  ],
  ['Datos: nombre y número de póliza', ['nombre:text', 'numero_de_poliza:text']],
  [
    'Claim form: policy number, estimated loss in USD',
    ['policy_number:text', 'estimated_loss_in_usd:number'],
  ],
]

describe('a prompt in few words', () => {
  it.each([
    ...SHORT,
    ...SEVERAL,
    ...QUESTIONS,
    ...RUN_TOGETHER,
    ...TOLD,
    ...QUIZZED,
    ...TICKED,
    ...REST,
  ])('%j is read in full', (prompt, fields) => {
    const definition = generateByRules('form', prompt)
    expect([...asked(definition)].sort()).toEqual([...fields].sort())
    expect(publishingFaults(definition)).toEqual([])
  })
})

describe('what customers are to confirm', () => {
  it.each([
    [
      'IBAN, amount, and confirm that the details are correct',
      'I confirm that the details are correct',
    ],
    ['name, email, and confirm they are over 18', 'I confirm that I am over 18'],
    ['name, email, accept contest rules', 'I accept the contest rules'],
    ['nombre, correo, acepta las bases del concurso', 'Acepto las bases del concurso'],
    ['nombre y confirmar que su dirección es correcta', 'Confirmo que mi dirección es correcta'],
    ['nombre y confirmar que sus datos son correctos', 'Confirmo que mis datos son correctos'],
    [
      'nombre, correo y confirmar que los datos son correctos',
      'Confirmo que los datos son correctos',
    ],
  ])('%j asks for it as an agreement', (list, label) => {
    const form = recoverForm(generateByRules('form', `Form: ${list}`))
    expect(form?.fields.at(-1)).toMatchObject({ kind: 'consent', label })
  })
})

describe('a form speaks to customers, where its prompt speaks of them', () => {
  it.each([
    ['Ask what they like', 'What you like'],
    ['Ask how customers heard about us', 'How you heard about us'],
    ['Ask for a description of their problem', 'Description of your problem'],
    ['Ask whether they own a car', 'Do you own a car?'],
    ['Ask whether they need to park', 'Do you need to park?'],
    ['Ask whether they have a dog', 'Do you have a dog?'],
    ['Ask whether they have been here before', 'Have you been here before?'],
    ["Ask if they'd recommend us", 'Would you recommend us?'],
    ["Ask whether it's their first visit", 'Is it your first visit?'],
    ['Ask if the customer is a new or returning client', 'Are you a new or returning client?'],
    ['Ask if the user wants delivery or pickup', 'Do you want delivery or pickup?'],
    ['Ask whether they visited us before', 'Did you visit us before?'],
    ['Ask whether they took their pills', 'Did you take your pills?'],
    ['Ask whether they subscribed', 'You subscribed'],
    ['Ask whether lunch is included', 'Is lunch included?'],
    ['Pregunta si el cliente quiere factura', '¿Quiere factura?'],
    ['Form: ¿por qué te vas?', '¿Por qué te vas?'],
    ['Ask: "What do they think of us?"', 'What do they think of us?'],
  ])('%j asks %j', (prompt, label) => {
    const form = recoverForm(generateByRules('form', prompt))
    expect(form?.fields.map((field) => field.label)).toEqual([label])
  })

  it('and an instruction finds the field under the words of the prompt', () => {
    const definition = generateByRules('form', 'Ask for name and what they like')
    const changed = updateByRules(definition, 'Make what they like optional')
    expect(asked(changed)).toEqual(['name:text', 'what_they_like:text?'])
  })
})
