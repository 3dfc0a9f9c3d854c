import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked } from '../support/flow-parts.ts'

const TEN = `(${Array.from({ length: 11 }, (_, n) => n).join('|')})`
const FIVE = '(1|2|3|4|5)'
const DAYS = '(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)'

/** Prompts as businesses write them, each with what it asks for. */
const PROMPTS: [prompt: string, fields: string[]][] = [
  // What the form is for is told behind its last field.
  [
    'Collect name, email and phone number for a webinar registration',
    ['name:text', 'email:email', 'phone_number:phone'],
  ],
  ['Collect name and email for our newsletter', ['name:text', 'email:email']],
  ['Ask for name and email for event registration', ['name:text', 'email:email']],
  ['Get full name and phone for an insurance quote', ['full_name:text', 'phone:phone']],
  ['Pide nombre y correo para una cita', ['nombre:text', 'correo:email']],
  [
    'Ask for the name, and the phone number for deliveries',
    ['name:text', 'phone_number_for_deliveries:phone'],
  ],
  // What the form is for is told ahead.
  [
    'I want customers to book a haircut. Ask which stylist (Ana, Ben) and their name',
    ['which_stylist:one_of(Ana|Ben)', 'name:text'],
  ],
  [
    "Create a form to get the user's date of birth and nationality",
    ['date_of_birth:date', 'nationality:text'],
  ],
  [
    'Patient intake form with personal details (name, dob, phone) and blood type (A, B, O)',
    ['name:text', 'dob:date', 'phone:phone', 'blood_type:one_of(A|B|O)'],
  ],
  [
    'Please make a form that lets students apply for a grant: student name, grade, essay',
    ['student_name:text', 'grade:text', 'essay:text'],
  ],
  [
    'A survey to find out how customers heard about us (ad, friend) and what they think of us',
    ['how_customers_heard_about_us:one_of(ad|friend)', 'what_they_think_of_us:text'],
  ],
  [
    'I need a simple form to capture customer details like name, email and company',
    ['name:text', 'email:email', 'company:text'],
  ],
  [
    'form for booking a hotel room with dates, room preferences and whether anything has changed since last year',
    [
      ...['dates:date', 'room_preferences:text'],
      'anything_has_changed_since_last_year:one_of(Yes|No)',
    ],
  ],
  [
    'Quick poll - which day works best for you: Monday, Tuesday or Wednesday?',
    ['which_day_works_best_for_you:one_of(Monday|Tuesday|Wednesday)'],
  ],
  // A heading with what is asked of a person.
  [
    'Job application: full name, e-mail, years of experience, link to portfolio, cover letter',
    [
      ...['full_name:text', 'e_mail:email', 'years_of_experience:number'],
      ...['link_to_portfolio:text', 'cover_letter:paragraph'],
    ],
  ],
  [
    'Maintenance request: apartment number, issue type: plumbing, heating, other. Urgent yes/no.',
    [
      ...['apartment_number:text', 'issue_type:one_of(plumbing|heating|other)'],
      'urgent:one_of(yes|no)',
    ],
  ],
  // Choices.
  [
    'Ask for their name. Then ask them to choose a service from: cleaning, repair.',
    ['name:text', 'service:one_of(cleaning|repair)'],
  ],
  ['I want users to select their language: English, Spanish', ['language:one_of(English|Spanish)']],
  [
    'Which of our products do you use? Options: A, B (multiple)',
    ['which_of_our_products_do_you_use:some_of(A|B)'],
  ],
  [
    "Ask for a comment, and say if they'd recommend us",
    ['comment:paragraph', 'they_d_recommend_us:one_of(Yes|No)'],
  ],
  [
    'Toppings (pick any of cheese, ham, olives) and size (small, large)',
    ['toppings:some_of(cheese|ham|olives)', 'size:one_of(small|large)'],
  ],
  ['name, extras (one or more of sauce, bread)', ['name:text', 'extras:some_of(sauce|bread)']],
  [
    'Ask for name. Ask for preferred contact method: phone, email or WhatsApp.',
    ['name:text', 'preferred_contact_method:one_of(phone|email|WhatsApp)'],
  ],
  [
    'Collect name, t-shirt size S M L XL and dietary restrictions',
    ['name:text', 't_shirt_size:one_of(S|M|L|XL)', 'dietary_restrictions:text'],
  ],
  [
    'Ask for the order number, upload a photo, and choose between a refund and a replacement',
    [...['order_number:text', 'photo:photo'], 'refund_or_replacement:one_of(refund|replacement)'],
  ],
  [
    'Gym sign up with plan (monthly $30, yearly $300) start date and name',
    ['plan:one_of(monthly $30|yearly $300)', 'start_date:date', 'name:text'],
  ],
  ['Ask for the day of the week and the name', [`day_of_the_week:one_of${DAYS}`, 'name:text']],
  [
    'Ask for the name and the time window between 9am and 6pm',
    ['name:text', 'time_window_between_9am_and_6pm:text'],
  ],
  [
    'Ask for their contact method: phone, email, WhatsApp',
    ['contact_method:one_of(phone|email|WhatsApp)'],
  ],
  [
    'Ask whether they are a new or existing customer, and what they need help with',
    [
      'they_are_a_new_or_existing_customer:one_of(new|existing customer)',
      'what_they_need_help_with:text',
    ],
  ],
  [
    'Make a cake order form: size (6", 8.5"), message on the "cake", phone',
    ['size:one_of(6″|8.5″)', 'cake:text', 'phone:phone'],
  ],
  [
    'Ask for the time slot between 9am and 6pm, door code yes/no, name',
    ['time_slot_between_9am_and_6pm:text', 'door_code:one_of(yes|no)', 'name:text'],
  ],
  [
    'ingredientes (elige varios: jamón, queso), dirección',
    ['ingredientes:some_of(jamón|queso)', 'direccion:text'],
  ],
  [
    "driver's age, extras (GPS, child seat; multiple)",
    ['driver_s_age:number', 'extras:some_of(GPS|child seat)'],
  ],
  [
    'Cita médica: paciente, especialidad: cardiología o pediatría, fecha',
    ['paciente:text', 'especialidad:one_of(cardiología|pediatría)', 'fecha:date'],
  ],
  [
    'Ask: When may we call? Morning / Afternoon / Late evening',
    ['when_may_we_call:one_of(Morning|Afternoon|Late evening)'],
  ],
  [
    'Enter their username and choose a department from Sales, Support or IT',
    ['username:text', 'department:one_of(Sales|Support|IT)'],
  ],
  [
    'form with a dropdown of countries: Spain, France; and a text area for comments',
    ['countries:one_of(Spain|France)', 'comments:paragraph'],
  ],
  ['Topic: order, product, service, other', ['topic:one_of(order|product|service|other)']],
  [
    'Contact form with topic: order, product, other; message',
    ['topic:one_of(order|product|other)', 'message:paragraph'],
  ],
  [
    'Email; Interested in (A, B - multiple selection allowed)',
    ['email:email', 'interested_in:some_of(A|B)'],
  ],
  [
    'name, email, any injuries or conditions',
    ['name:text', 'email:email', 'any_injuries_or_conditions:text?'],
  ],
  ['Blood group (A+, A-, AB-), name', ['blood_group:one_of(A+|A-|AB-)', 'name:text']],
  [
    'Collect the details - Name, Service Required (Plumbing / Other), Address',
    ['name:text', 'service_required:one_of(Plumbing|Other)', 'address:text'],
  ],
  [
    'Shift (Friday, Saturday - can pick multiple), phone',
    ['shift:some_of(Friday|Saturday)', 'phone:phone'],
  ],
  // Scales.
  [
    'NPS survey: how likely are you to recommend us from 0 to 10, and why?',
    [`how_likely_are_you_to_recommend_us_from:one_of${TEN}`, 'why:paragraph'],
  ],
  [
    'Ask attendees to rate speakers and food on a 1-5 scale and to leave suggestions',
    [`rate_speakers:one_of${FIVE}`, `food:one_of${FIVE}`, 'suggestions:paragraph'],
  ],
  [
    'Ask for a rating of the app from 1 to 5, what they like, and their email',
    [`rating_of_the_app:one_of${FIVE}`, 'what_they_like:text', 'email:email'],
  ],
  ['How was it, 0-10?', [`how_was_it_0_10:one_of${TEN}`]],
  [
    'A survey asking how they rate the food, service and cleanliness from 1 to 5, and any comments',
    [
      ...[`rate_the_food:one_of${FIVE}`, `service:one_of${FIVE}`, `cleanliness:one_of${FIVE}`],
      'any_comments:paragraph?',
    ],
  ],
  [
    'Happiness on a scale of 1 to 5, suggestions',
    [`happiness:one_of${FIVE}`, 'suggestions:paragraph'],
  ],
  [
    'Encuesta NPS del 0 al 10 con comentario opcional',
    [`nps:one_of${TEN}`, 'comentario:paragraph?'],
  ],
  // Other words and signs for what is said of fields, and between them.
  [
    'Collect name + email and notes. Make the notes optional.',
    ['name:text', 'email:email', 'notes:paragraph?'],
  ],
  [
    '¿Recibió su pedido a tiempo? ¿Nos visitaría de nuevo? ¿Qué compró?',
    [
      'recibio_su_pedido_a_tiempo:one_of(Sí|No)',
      ...['nos_visitaria_de_nuevo:one_of(Sí|No)', 'que_compro:paragraph'],
    ],
  ],
  // Names as programs write them.
  [
    'Fields: first_name, last_name, emailAddress, phoneNumber',
    ['first_name:text', 'last_name:text', 'email_address:email', 'phone_number:phone'],
  ],
  // Whom it is asked of.
  [
    'Solicita al cliente su nombre y una foto del producto',
    ['nombre:text', 'foto_del_producto:photo'],
  ],
  [
    '"What is your name?", "What do you need?"',
    ['what_is_your_name:text', 'what_do_you_need:paragraph'],
  ],
  [
    "Ask: 'What's your favourite dish?' and 'Would you recommend us?'",
    ['what_s_your_favourite_dish:text', 'would_you_recommend_us:one_of(Yes|No)'],
  ],
  // Lists in brackets, and a title ahead.
  [
    'Photography booking form (name, location, package: basic/premium)',
    ['name:text', 'location:text', 'package:one_of(basic|premium)'],
  ],
  [
    'Booking form (name, email) for our salon, with consent to the terms',
    ['name:text', 'email:email', 'consent_to_the_terms:consent'],
  ],
  ['(name, email, size (S, M))', ['name:text', 'email:email', 'size:one_of(S|M)']],
  ['A form (in English, please) with name and email', ['name:text', 'email:email']],
  [
    'Title: Bike repair. Fields: name, problem description',
    ['name:text', 'problem_description:paragraph'],
  ],
  ['Fields: moving from, moving to, date', ['moving_from:text', 'moving_to:text', 'date:date']],
  ['name, state ("in_progress", "notYet")', ['name:text', 'state:one_of(in_progress|notYet)']],
  // Kinds.
  [
    'A form with 3 fields: username, password, confirm password',
    ['username:text', 'password:password', 'confirm_password:password'],
  ],
  ['Ask if they agree to our terms', ['they_agree_to_our_terms:consent']],
  [
    'Ask for the complaint type and a description',
    ['complaint_type:text', 'description:paragraph'],
  ],
  ['Ask for email only', ['email:email']],
  ['Name, phone (not needed)', ['name:text', 'phone:phone?']],
  [
    'Insurance: car make & model, license plate, start date',
    ['car_make:text', 'car_model:text', 'license_plate:text', 'start_date:date'],
  ],
  [
    'Create a date picker for the visit date and a text area for notes',
    ['visit_date:date', 'notes:paragraph'],
  ],
  // Usual forms, named by what they are for.
  [
    "Create a flow for a doctor's appointment",
    ['name:text', 'phone:phone', 'date:date', 'time:text', 'notes:paragraph?'],
  ],
  [
    'make me a form for product returns',
    ['name:text', 'order_number:text', 'reason_for_the_return:paragraph', 'comments:paragraph?'],
  ],
  [
    'Formulario para devolver un producto',
    [
      ...['nombre:text', 'numero_de_pedido:text'],
      ...['motivo_de_la_devolucion:paragraph', 'comentarios:paragraph?'],
    ],
  ],
]

/** Longer ones, in which much else is said. */
const STORIES: [prompt: string, fields: string[]][] = [
  [
    "We are a clinic. I'd like a flow where they can book: they give their full name, choose the type of visit (check-up, cleaning) and tell us if they are a new patient.",
    [
      ...['full_name:text', 'type_of_visit:one_of(check-up|cleaning)'],
      'they_are_a_new_patient:one_of(Yes|No)',
    ],
  ],
  [
    'The user should enter their name and email. Then they should choose their drink from a list: Tea, Latte. Finally they must accept the terms.',
    ['name:text', 'email:email', 'drink:one_of(Tea|Latte)', 'accept_the_terms:consent'],
  ],
  [
    'We need to know whether the lead wants to buy or rent, and the budget.',
    ['the_lead_wants_to_buy_or_rent:one_of(buy|rent)', 'budget:number'],
  ],
  [
    "It should collect the store name and the customer's name and email. All fields are mandatory except the store name.",
    ['store_name:text?', 'name:text', 'email:email'],
  ],
  [
    'Hey, can you create a flow for pizza orders? Ask for the size (S, M), delivery or pickup, and the address. Thanks!',
    ['size:one_of(S|M)', 'delivery_or_pickup:one_of(delivery|pickup)', 'address:text'],
  ],
  [
    'A registration form for a meetup. Ask for name, and whether they will attend in person or online.',
    ['name:text', 'they_will_attend_in_person_or_online:one_of(in person|online)'],
  ],
  [
    'A support form where the customer describes the problem, selects urgency (low/high), and optionally uploads a screenshot.',
    ['describe_the_problem:paragraph', 'urgency:one_of(low|high)', 'screenshot:photo?'],
  ],
  [
    'Flow for collecting an address and preferred time slot. Time slots: morning, evening.',
    ['address:text', 'preferred_time_slot:one_of(morning|evening)'],
  ],
  [
    'The form should have two fields, name and phone, and a checkbox to agree to receive offers.',
    ['name:text', 'phone:phone', 'agree_to_receive_offers:consent?'],
  ],
  [
    'Make a survey with 3 questions about our app: design, speed (all 1 to 5) and an open comment.',
    [`design:one_of${FIVE}`, `speed:one_of${FIVE}`, 'open_comment:paragraph'],
  ],
  [
    'Ask the customer to confirm their order number and tell us what is wrong. They can also attach a photo.',
    ['order_number:text', 'what_is_wrong:text', 'photo:photo?'],
  ],
  [
    'I need: name, email. Also a question "How did you hear about us?" with options Web, Other.',
    ['name:text', 'email:email', 'how_did_you_hear_about_us:one_of(Web|Other)'],
  ],
  [
    'El cliente debe indicar su nombre y si es su primera visita',
    ['nombre:text', 'es_su_primera_visita:one_of(Sí|No)'],
  ],
  [
    'Survey: What is your diet? Options are vegan, none. Any allergies?',
    ['what_is_your_diet:one_of(vegan|none)', 'any_allergies:text?'],
  ],
  [
    'Ask for their name and the type of service they need. Service types are installation, repair and maintenance.',
    ['name:text', 'type_of_service_they_need:one_of(installation|repair|maintenance)'],
  ],
  [
    'A form for a volunteer position asking for age, previous experience, and why they want to volunteer',
    ['age:number', 'previous_experience:text', 'why_they_want_to_volunteer:paragraph'],
  ],
  [
    'Let customers track orders by entering their order number and email',
    ['order_number:text', 'email:email'],
  ],
  [
    'A poll with the question "Which one is next?" and the options Dark mode, Widgets',
    ['which_one_is_next:one_of(Dark mode|Widgets)'],
  ],
  [
    'Ask for company name, email, name (Mr, Mrs)',
    ['company_name:text', 'email:email', 'name:one_of(Mr|Mrs)'],
  ],
  [
    "I'd like to take orders for a bakery - cake type: vanilla or red velvet; pickup date; name",
    ['cake_type:one_of(vanilla|red velvet)', 'pickup_date:date', 'name:text'],
  ],
  ['We sell shoes, hats or bags. Ask for name and email.', ['name:text', 'email:email']],
]

describe('a prompt of a business', () => {
  it.each([...PROMPTS, ...STORIES])('%j is read as it is meant', (prompt, fields) => {
    const definition = generateByRules('form', prompt)
    expect([...asked(definition)].sort()).toEqual([...fields].sort())
    expect(publishingFaults(definition)).toEqual([])
  })

  it('may begin with the title of its form', () => {
    const definition = generateByRules('f', 'Title: Bike repair. Fields: name, email')
    expect(recoverForm(definition)?.title).toBe('Bike repair')
  })
})
