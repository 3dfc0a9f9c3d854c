import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { asked } from '../support/flow-parts.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

const FIVE = '(1|2|3|4|5)'
const of = (scale: string, ...names: string[]) => names.map((name) => `${name}:one_of${scale}`)

/** The contract's `maxLength` of a prompt. */
const PROMPT_MOST = 4_000

describe('a prompt as people write it', () => {
  const SCALES: [prompt: string, fields: string[]][] = [
    ['Rate us with 1 to 5 stars', of(FIVE, 'rate_us')],
    ['Rate our shop out of 5 stars', of(FIVE, 'rate_our_shop')],
    ['Califícanos con 1 a 5 estrellas', of(FIVE, 'calificanos')],
    ['Feedback: 1-5 stars, comment', [...of(FIVE, 'rating'), 'comment:paragraph']],
    [
      'Please rate food, service and atmosphere (each from 1 to 5).',
      of(FIVE, 'rate_food', 'service', 'atmosphere'),
    ],
    [
      'Rate food, service and staff from 1 to 5 and leave a comment',
      [...of(FIVE, 'rate_food', 'service', 'staff'), 'comment:paragraph'],
    ],
    ['Valora del 1 al 5: comida, servicio', of(FIVE, 'comida', 'servicio')],
    ['Califica del 1 al 5 la comida y el servicio', of(FIVE, 'califica_la_comida', 'servicio')],
    ['Star ratings (1-5) for food and staff', of(FIVE, 'food', 'staff')],
    ['Rate these on a scale of 1-3:\n- Food\n- Price', of('(1|2|3)', 'food', 'price')],
    [
      'Food (1-5), service (1-3) and price (1-5)',
      [...of(FIVE, 'food', 'price'), 'service:one_of(1|2|3)'],
    ],
    ['On a scale from 1 to 5, how was it?', of(FIVE, 'on_a_scale_from_1_to_5_how_was_it')],
  ]
  const ANSWERS: [prompt: string, fields: string[]][] = [
    ['Would you come back? 1) yes 2) no', ['would_you_come_back:one_of(yes|no)']],
    [
      'Which city? a) Paris b) Rome. How was it? a) good b) bad',
      ['which_city:one_of(Paris|Rome)', 'how_was_it:one_of(good|bad)'],
    ],
    [
      'Which colour?\n- red\n- blue\nWhich size?\n- S\n- M',
      ['which_colour:one_of(red|blue)', 'which_size:one_of(S|M)'],
    ],
    [
      '1. How was it?\n- good\n- bad\n2. Any comments?',
      ['how_was_it:one_of(good|bad)', 'any_comments:paragraph?'],
    ],
    [
      '¿Qué desea? 1) Corte 2) Color ¿Volvería?',
      ['que_desea:one_of(Corte|Color)', 'volveria:one_of(Sí|No)'],
    ],
    [
      'Lead: What is it? (a, b) When do you start?',
      ['what_is_it:one_of(a|b)', 'when_do_you_start:date'],
    ],
    [
      'Would you prefer a call or an email?',
      ['would_you_prefer_a_call_or_an_email:one_of(call|email)'],
    ],
    [
      'Are you a new or returning patient?',
      ['are_you_a_new_or_returning_patient:one_of(new|returning patient)'],
    ],
    [
      'Ask which topics interest them: sales, events (they can choose several)',
      ['which_topics_interest_them:some_of(sales|events)'],
    ],
    [
      'Pregunta qué temas le interesan: ofertas, eventos (puede elegir varios)',
      ['que_temas_le_interesan:some_of(ofertas|eventos)'],
    ],
  ]
  const QUESTIONS: [prompt: string, fields: string[]][] = [
    [
      'How was your meal and would you recommend us?',
      ['how_was_your_meal:paragraph', 'would_you_recommend_us:one_of(Yes|No)'],
    ],
    [
      'How would you rate us (1-5) and why?',
      [...of(FIVE, 'how_would_you_rate_us'), 'why:paragraph'],
    ],
    ['What is your name, email and phone?', ['name:text', 'email:email', 'phone:phone']],
    ['¿Qué talla usa y qué color prefiere?', ['que_talla_usa:text', 'que_color_prefiere:text']],
    [
      'Do you know who we are and what we do?',
      ['do_you_know_who_we_are_and_what_we_do:one_of(Yes|No)'],
    ],
    [
      'Are you a member? If so, since when?',
      ['are_you_a_member:one_of(Yes|No)', 'since_when:text'],
    ],
    [
      'Ask for name and email. Tell us if you have allergies.',
      ['name:text', 'email:email', 'allergies:text'],
    ],
    [
      'We want to know: how old are you and where do you live?',
      ['how_old_are_you:number', 'where_do_you_live:text'],
    ],
    ['Ask for name and whether they smoke or not', ['name:text', 'they_smoke:one_of(Yes|No)']],
    [
      'Pide nombre y pregunta si es la primera visita',
      ['nombre:text', 'es_la_primera_visita:one_of(Sí|No)'],
    ],
  ]
  const LISTS: [prompt: string, fields: string[]][] = [
    [
      'Let people order: pizza size (S/M), toppings (multiple: ham, cheese), address',
      ['pizza_size:one_of(S|M)', 'toppings:some_of(ham|cheese)', 'address:text'],
    ],
    [
      'Ask for address, slot - morning or noon - and name',
      ['address:text', 'slot:one_of(morning|noon)', 'name:text'],
    ],
    [
      'Favourite teacher (Mr. Smith, Mrs. Jones), class, and what could be improved',
      [
        'favourite_teacher:one_of(Mr. Smith|Mrs. Jones)',
        'class:text',
        'what_could_be_improved:paragraph',
      ],
    ],
    [
      'Which pizza: Margherita or Hawaiian. Then ask for toppings (multiple): olives, onions. Finally the address.',
      [
        'which_pizza:one_of(Margherita|Hawaiian)',
        'toppings:some_of(olives|onions)',
        'address:text',
      ],
    ],
    [
      'Ingredientes (varios): aceitunas, cebolla. Dirección.',
      ['ingredientes:some_of(aceitunas|cebolla)', 'direccion:text'],
    ],
    [
      'Order form: quantity, size - S, M, XL, and delivery address',
      ['quantity:number', 'size:one_of(S|M|XL)', 'delivery_address:text'],
    ],
    [
      'A form for a trial: name, goal. Preferred class - yoga, spinning or boxing.',
      ['name:text', 'goal:text', 'preferred_class:one_of(yoga|spinning|boxing)'],
    ],
    [
      'Poll: which day suits you best - Monday, Tuesday or Wednesday?',
      ['which_day_suits_you_best:one_of(Monday|Tuesday|Wednesday)'],
    ],
    [
      'Ask for their name, then their favourite colour out of red, green and blue, then their email',
      ['name:text', 'favourite_colour:one_of(red|green|blue)', 'email:email'],
    ],
    [
      'Step 1: personal data (name, phone). Step 2: a photo of the damage.',
      ['name:text', 'phone:phone', 'photo_of_the_damage:photo'],
    ],
    [
      'Formulario con datos del cliente (nombre y correo) y fecha',
      ['nombre:text', 'correo:email', 'fecha:date'],
    ],
    [
      'Contact details (phone or email), name',
      ['contact_details:one_of(phone|email)', 'name:text'],
    ],
    ['Name:\nEmail:', ['name:text', 'email:email']],
    ['Name: text, Age: number', ['name:text', 'age:number']],
    ['name*, email*, phone', ['name:text', 'email:email', 'phone:phone?']],
    ['Make a survey for our guests. Ask for name.', ['name:text']],
    ['Contact method (phone or email), name', ['contact_method:one_of(phone|email)', 'name:text']],
  ]
  const SAYINGS: [prompt: string, fields: string[]][] = [
    [
      'Registration with name and company. Agreement to the terms is required.',
      ['name:text', 'company:text', 'agreement_to_the_terms:consent'],
    ],
    ['The email is required. The phone is optional.', ['email:email', 'phone:phone?']],
    ['Name and email. Internet access is required.', ['name:text', 'email:email']],
    ['Name and email. No password is required.', ['name:text', 'email:email']],
    ['Name and email. A phone number is not required.', ['name:text', 'email:email']],
    ['Nombre y correo. El teléfono no es obligatorio.', ['nombre:text', 'correo:email']],
    ['Name, email, phone. The phone isn’t required.', ['name:text', 'email:email', 'phone:phone?']],
    ['Name, email. The email is not optional.', ['name:text?', 'email:email']],
    ['Nombre, correo. El correo no es obligatorio.', ['nombre:text', 'correo:email?']],
    ['Name, email. No email is required.', ['name:text', 'email:email?']],
    [
      'Contact form. Name and message are required, phone is optional and so is company.',
      ['name:text', 'message:paragraph', 'phone:phone?'],
    ],
    ['Sign up. Email is required, name optional.', ['email:email', 'name:text?']],
    [
      'Name, email, phone. Name and email are required and the phone optional.',
      ['name:text', 'email:email', 'phone:phone?'],
    ],
    [
      'Ticket: order number, issue (broken, lost), photo. The order number is required, but the photo is optional.',
      ['order_number:text', 'issue:one_of(broken|lost)', 'photo:photo?'],
    ],
  ]
  const SCREENS: [prompt: string, fields: string[]][] = [
    [
      'Two screens: on the first ask for name and email, on the second ask for the rating between 1 and 3 and a comment',
      ['name:text', 'email:email', 'rating:one_of(1|2|3)', 'comment:paragraph'],
    ],
    ['A form with two pages. Page 1: name. Page 2: address.', ['name:text', 'address:text']],
    [
      'On the first screen, ask for name and email. On the next screen, ask for a comment.',
      ['name:text', 'email:email', 'comment:paragraph'],
    ],
    [
      'En la primera pantalla pide nombre y correo. En la segunda pantalla pide un comentario.',
      ['nombre:text', 'correo:email', 'comentario:paragraph'],
    ],
  ]
  const CHOSEN: [prompt: string, fields: string[]][] = [
    [
      'Address: street, city, country. Country is a dropdown of US, Canada, Mexico.',
      ['street:text', 'city:text', 'country:one_of(US|Canada|Mexico)'],
    ],
    [
      'Name, country, email. The country should be a dropdown with US, Canada and Mexico.',
      ['name:text', 'country:one_of(US|Canada|Mexico)', 'email:email'],
    ],
    [
      'Ask for the order number and if they want a refund or exchange.',
      ['order_number:text', 'refund_or_exchange:one_of(refund|exchange)'],
    ],
    [
      'Ask for the name and whether they would like tea, coffee or juice',
      ['name:text', 'would_you_like_tea_coffee_or_juice:one_of(tea|coffee|juice)'],
    ],
    ['Ask for the name, and a photo if they want.', ['name:text', 'photo:photo?']],
    ['Do you want tea or coffee?', ['do_you_want_tea_or_coffee:one_of(tea|coffee)']],
    [
      'Choose a haircut, beard trim or both, and leave your name',
      ['haircut_beard_trim_or_both:one_of(haircut|beard trim|both)', 'name:text'],
    ],
    [
      'Let customers pick chicken or fish and tell us their name.',
      ['chicken_or_fish:one_of(chicken|fish)', 'name:text'],
    ],
    [
      "Name. Let them choose topics they're interested in: sports, politics, tech.",
      ['name:text', 'topics_they_re_interested_in:some_of(sports|politics|tech)'],
    ],
    [
      'Ask them to select toppings (ham, cheese), choose the size (S, M) and pick an address: home, office',
      ['toppings:some_of(ham|cheese)', 'size:one_of(S|M)', 'address:one_of(home|office)'],
    ],
  ]
  const AGREED: [prompt: string, fields: string[]][] = [
    [
      'Name and opt in to marketing messages',
      ['name:text', 'opt_in_to_marketing_messages:consent?'],
    ],
    [
      'Name, email, subscribe to our newsletter',
      ['name:text', 'email:email', 'subscribe_to_our_newsletter:consent?'],
    ],
    [
      'Name, consent to receive offers (required)',
      ['name:text', 'consent_to_receive_offers:consent'],
    ],
    [
      'Name and email. Last screen: confirm terms and conditions.',
      ['name:text', 'email:email', 'confirm_terms_and_conditions:consent'],
    ],
  ]
  const EITHER: [prompt: string, fields: string[]][] = [
    [
      'Customers should provide either an email or a phone number, and their message.',
      ['email:email?', 'phone_number:phone?', 'message:paragraph'],
    ],
    ['Ask for name, and phone or email', ['name:text', 'phone:phone?', 'email:email?']],
  ]
  const SAID: [prompt: string, fields: string[]][] = [
    [
      'Name, services (select all that apply: bath, haircut, nails)',
      ['name:text', 'services:some_of(bath|haircut|nails)'],
    ],
    [
      'Complaint form with order id, product category dropdown (clothing, food), description, and photo upload; all required except photo',
      [
        'order_id:text',
        'product_category:one_of(clothing|food)',
        'description:paragraph',
        'photo_upload:photo?',
      ],
    ],
    ['Name, email, all optional.', ['name:text?', 'email:email?']],
    [
      'Form with name, email & phone where only email is required',
      ['name:text?', 'email:email', 'phone:phone?'],
    ],
    [
      'Real estate form: are you buying or renting? Budget, move-in date.',
      ['are_you_buying_or_renting:one_of(buying|renting)', 'budget:number', 'move_in_date:date'],
    ],
    [
      'Use a rating from 1 to 3, ask what they like most',
      ['rating:one_of(1|2|3)', 'what_they_like_most:text'],
    ],
    [
      'A loan application: full name, date of birth, employment status: employed, unemployed, student; loan amount; consent to a check',
      [
        ...['full_name:text', 'date_of_birth:date'],
        'employment_status:one_of(employed|unemployed|student)',
        ...['loan_amount:number', 'consent_to_a_check:consent'],
      ],
    ],
    [
      'Hi! Can you make me a form to collect leads? I need name and email.',
      ['name:text', 'email:email'],
    ],
    ['Could you build a form with name and email?', ['name:text', 'email:email']],
    [
      'Ask for the date and the doctor: Dr. Smith, Dr. Jones or Dr. Lee',
      ['date:date', 'doctor:one_of(Dr. Smith|Dr. Jones|Dr. Lee)'],
    ],
    ['Ask for the size: S, M, L', ['size:one_of(S|M|L)']],
    [
      'Ask for the name and the colour: red, blue or green',
      ['name:text', 'colour:one_of(red|blue|green)'],
    ],
    ['Ask for the drink: tea or water.', ['drink:one_of(tea|water)']],
    ['Ask for these: hat, coat, email', ['hat:text', 'coat:text', 'email:email']],
    ['Collect the address: street, city', ['street:text', 'city:text']],
    ['Pide la talla: S, M o L', ['talla:one_of(S|M|L)']],
    [
      'Name. Any allergies? Anything else we should know?',
      ['name:text', 'any_allergies:text?', 'anything_else_we_should_know:paragraph?'],
    ],
    [
      'Rate the delivery from 1 to 3, say what went wrong if below 3, and leave your name',
      ['rate_the_delivery:one_of(1|2|3)', 'what_went_wrong:paragraph', 'name:text'],
    ],
  ]
  it.each([
    ...SCALES,
    ...ANSWERS,
    ...QUESTIONS,
    ...LISTS,
    ...SAYINGS,
    ...SCREENS,
    ...CHOSEN,
    ...AGREED,
    ...EITHER,
    ...SAID,
  ])('asks for what a reader would expect: %j', (prompt, fields) => {
    const definition = generateByRules('my_form', prompt)
    expect(publishingFaults(definition)).toEqual([])
    expect(asked(definition).sort()).toEqual([...fields].sort())
  })

  const PARTS = [
    ...[' - a', 'x? (', '1) ', 'ask ', ' and what is', '\n- ', ' \t', 'rate 1-5, '],
    ...[
      ' - a,',
      'my data ',
      '(multiple): a',
      'on the next ask ',
      'a is required, ',
      '\nAge is optional. ',
      ', phone or email',
      'choose a hat or ',
      'if they want a hat or ',
      'is required, name optional ',
      ', all required except ',
      ' where only name is required',
      ' form - a',
      '? Options: a, b. ',
      'to collect x with ',
      '(up to 3): a, b',
      'are you a or b, ',
      ', each rated 1 to 5',
      'up to 3 a from b ',
      'Optional: a. ',
      'Screen 1: a - b\n',
    ],
  ]
  it.each(PARTS)(
    'is read in time that grows with its length, as long as one may be, when it repeats %j',
    async (part) => {
      const growth = await growthOf(Math.ceil(PROMPT_MOST / 16 / part.length), (times) => {
        const prompt = `name, ${part.repeat(times)}`
        return () => expect(generateByRules('form', prompt)).toEqual(expect.anything())
      })
      expect(growth).toBeLessThan(LINEAR_MOST)
    },
    60_000,
  )
})
