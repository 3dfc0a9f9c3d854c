import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('what one chooses between is read without brackets, too', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Survey: Which features do you use most? (chat, calendar, files, tasks)',
      ['Which features do you use most?: one_of chat|calendar|files|tasks'],
    ],
    [
      'Order form for a flower shop: bouquet size small $25 medium $40 large $60, colors',
      ['Bouquet size: one_of small $25|medium $40|large $60', 'Colors: text'],
    ],
    [
      'Poll for parents: should the school trip go to the museum, the zoo or the aquarium? Will you volunteer?',
      [
        'Should the school trip go to the museum, the zoo or the aquarium?: one_of museum|zoo|aquarium',
        'Will you volunteer?: one_of Yes|No',
      ],
    ],
    [
      'I would like to do a reader survey about genres people like: fiction, romance, mystery. Let them choose many. Also their age range 18-24, 25-34, 50+.',
      ['Genres people like: some_of fiction|romance|mystery', 'Age range: one_of 18-24|25-34|50+'],
    ],
    [
      'Contacto: ¿busca comprar o rentar?, zona, nombre',
      ['¿Busca comprar o rentar?: one_of comprar|rentar', 'Zona: text', 'Nombre: text'],
    ],
    [
      'Haz un formulario para cancelar una suscripción. Pregunta el motivo: precio, poco uso, otro. Pide también sugerencias.',
      ['Motivo: one_of precio|poco uso|otro', 'Sugerencias: paragraph'],
    ],
    [
      'Masaje: nombre, presión preferida suave, media o fuerte, alergias a aceites',
      ['Nombre: text', 'Presión preferida: one_of suave|media|fuerte', 'Alergias a aceites: text'],
    ],
    [
      'Onboarding: name, laptop preference Mac or Windows, birthday',
      ['Name: text', 'Laptop preference: one_of Mac|Windows', 'Birthday: date'],
    ],
    [
      'Collect t-shirt orders for the team: player name, size YS YM YL S M L, paid? yes/no',
      ['Player name: text', 'Size: one_of YS|YM|YL|S|M|L', 'Paid?: one_of Yes|No'],
    ],
    [
      'Kiosk: How clean were our restrooms? 😀 😐 😞. Comment (optional)',
      ['How clean were our restrooms?: one_of 😀|😐|😞', 'Comment?: paragraph'],
    ],
    [
      'Make a form asking for wedding date and services needed: full planning, day-of coordination, decor.',
      ['Wedding date: date', 'Services needed: some_of full planning|day-of coordination|decor'],
    ],
    [
      'Donation of clothes: donor name, condition good or fair, pickup date',
      ['Donor name: text', 'Condition: one_of good|fair', 'Pickup date: date'],
    ],
    [
      'Hacer un pedido: plato (pollo, carne), bebida, dirección, método de pago efectivo o tarjeta',
      [
        'Plato: one_of pollo|carne',
        'Bebida: text',
        'Dirección: text',
        'Método de pago: one_of efectivo|tarjeta',
      ],
    ],
    [
      'Ask for satisfaction with price, quality and support on a 1-5 scale',
      [
        'Price satisfaction: one_of 1|2|3|4|5',
        'Quality satisfaction: one_of 1|2|3|4|5',
        'Support satisfaction: one_of 1|2|3|4|5',
      ],
    ],
    [
      'Quiero evaluar a mis meseros: nombre del mesero, amabilidad, rapidez (todos del 1 al 10), comentario',
      [
        'Nombre del mesero: text',
        'Amabilidad: one_of 1|2|3|4|5|6|7|8|9|10',
        'Rapidez: one_of 1|2|3|4|5|6|7|8|9|10',
        'Comentario: paragraph',
      ],
    ],
    [
      'Get feedback from event attendees: which sessions did you attend (keynote, workshop A, panel), best speaker',
      ['Which sessions did you attend: some_of keynote|workshop A|panel', 'Best speaker: text'],
    ],
    [
      'Customer returns a product: order id, reason (defective / not needed / wrong size / other)',
      ['Order id: text', 'Reason: one_of defective|not needed|wrong size|other'],
    ],
    [
      'A poll for the neighbourhood: do you support the new park? yes no undecided. Why?',
      ['Do you support the new park?: one_of Yes|No|undecided', 'Why?: paragraph'],
    ],
    [
      'Reserva de salón: nombre, fecha, servicios extra (catering, decoración, sonido)',
      ['Nombre: text', 'Fecha: date', 'Servicios extra: some_of catering|decoración|sonido'],
    ],
    [
      'Evaluación de satisfacción hotel: limpieza, atención, instalaciones - calificar cada uno del 1 al 5 - y qué fue lo mejor',
      [
        'Limpieza: one_of 1|2|3|4|5',
        'Atención: one_of 1|2|3|4|5',
        'Instalaciones: one_of 1|2|3|4|5',
        'Qué fue lo mejor: text',
      ],
    ],
    [
      'Ask for: parent name, grade, online/in person, budget per hour',
      [
        'Parent name: text',
        'Grade: text',
        'Online or in person: one_of online|in person',
        'Budget per hour: number',
      ],
    ],
    [
      'Interview scheduling: candidate name, position; interview type: phone, video, onsite; accommodation needed?',
      [
        'Candidate name: text',
        'Position: text',
        'Interview type: one_of phone|video|onsite',
        'Accommodation needed?: one_of Yes|No',
      ],
    ],
    [
      'Please select one: small/medium/large. Name',
      ['Small or medium or large: one_of small|medium|large', 'Name: text'],
    ],
    [
      'Select: individual / company. Company: ask VAT and company name.',
      [
        'Individual or company: one_of individual|company',
        'VAT: text if individual_or_company is company',
        'Company name: text if individual_or_company is company',
      ],
    ],
    [
      'Agenda una cita: nombre, modalidad presencial o virtual, nivel de urgencia alto medio bajo',
      [
        'Nombre: text',
        'Modalidad: one_of presencial|virtual',
        'Nivel de urgencia: one_of alto|medio|bajo',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('what is said in passing is kept, and what is no field is none', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'I need a feedback form for my Uber passengers, rating 1-5, was the car clean? was the driver friendly? comments',
      [
        'Rating: one_of 1|2|3|4|5',
        'Was the car clean?: one_of Yes|No',
        'Was the driver friendly?: one_of Yes|No',
        'Comments: paragraph',
      ],
    ],
    [
      'Form to join our book club, ask for name, age, favorite genres (can select multiple: fiction, mystery), favorite author, how many books a month, and can they host meetings?',
      [
        'Name: text',
        'Age: number',
        'Favorite genres: some_of fiction|mystery',
        'Favorite author: text',
        'How many books a month: number',
        'Can you host meetings?: one_of Yes|No',
      ],
    ],
    [
      'Product return reasons poll: too small / too large / poor quality / other. Additional comment optional.',
      [
        'Product return reasons: some_of too small|too large|poor quality|other',
        'Additional comment?: paragraph',
      ],
    ],
    [
      'Collect shipping details: carrier (DHL, UPS), signature required yes/no, leave at door ok?',
      [
        'Carrier: one_of DHL|UPS',
        'Signature required: one_of yes|no',
        'Leave at door ok?: one_of Yes|No',
      ],
    ],
    [
      'Patients: pain level from 0 to 10, wound photo, questions for the doctor',
      [
        'Pain level: one_of 0|1|2|3|4|5|6|7|8|9|10',
        'Wound photo: photo',
        'Questions for the doctor: text',
      ],
    ],
    [
      "Ask for feedback on the organizers' performance: communication, punctuality, each rated poor, fair, good or excellent. Then any other comments.",
      [
        'Communication: one_of poor|fair|good|excellent',
        'Punctuality: one_of poor|fair|good|excellent',
        'Any other comments?: paragraph',
      ],
    ],
    [
      'Measurements: height, weight, shoe size, in cm.',
      ['Height: number', 'Weight: number', 'Shoe size: text'],
    ],
    [
      'Gather RSVPs: are you coming? allergies. If no, leave us a message.',
      [
        'Are you coming?: one_of Yes|No',
        'Allergies: text',
        'Message: paragraph if are_you_coming is No',
      ],
    ],
    [
      'Bank account opening: name, ID type & number, source of income, power available?, # of people',
      [
        'Name: text',
        'ID type: text',
        'ID number: text',
        'Source of income: text',
        'Power available?: one_of Yes|No',
        'Number of people: number',
      ],
    ],
    [
      'Which activities interest you: art, sports, coding, music? Any comments?',
      [
        'Which activities interest you: some_of art|sports|coding|music',
        'Any comments??: paragraph',
      ],
    ],
    [
      'Consultorio dental: nombre, ¿siente dolor? del 1 al 10, ¿sabe nadar?, evidencia fotográfica',
      [
        'Nombre: text',
        '¿Siente dolor?: one_of 1|2|3|4|5|6|7|8|9|10',
        '¿Sabe nadar?: one_of Sí|No',
        'Evidencia fotográfica: photo',
      ],
    ],
    [
      'Vender autos: marca, modelo, transmisión manual o automática, accesorios entregados (cargador, mouse)',
      [
        'Marca: text',
        'Modelo: text',
        'Transmisión: one_of manual|automática',
        'Accesorios entregados: some_of cargador|mouse',
      ],
    ],
    [
      'Necesito saber cuántas personas vienen, qué menú prefieren (carne, pescado) y a qué hora llegan.',
      [
        'Cuántas personas vienen: number',
        'Qué menú prefieren: one_of carne|pescado',
        'A qué hora llegan: text',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a word is read with those beside it', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Small claims: what did you buy, from whom, do you have a receipt? upload it',
      [
        'What did you buy: paragraph',
        'From whom: text',
        'Do you have a receipt?: one_of Yes|No',
        'Receipt: document',
      ],
    ],
    [
      'Breakfast: drink (coffee, tea), time 7:00, 8:00 or 9:00, room number',
      ['Drink: one_of coffee|tea', 'Time: one_of 7:00|8:00|9:00', 'Room number: text'],
    ],
    [
      "Tell customers we're sorry and ask what went wrong: food quality, slow service, other. Then ask for their phone number.",
      ['What went wrong: one_of food quality|slow service|other', 'Phone number: phone'],
    ],
    [
      'Villas: number of guests, check in, check out, seats available, max hours per week',
      [
        'Number of guests: number',
        'Check in: date',
        'Check out: date',
        'Seats available: number',
        'Max hours per week: number',
      ],
    ],
    [
      'Reserva de tour: adultos, idioma del guía español o inglés, nombre, catálogo (PDF)',
      [
        'Adultos: number',
        'Idioma del guía: one_of español|inglés',
        'Nombre: text',
        'Catálogo: document',
      ],
    ],
    [
      'Survey: Do you prefer to shop online or in store? Why?',
      ['Do you prefer to shop online or in store?: one_of online|in store', 'Why?: paragraph'],
    ],
    [
      'Hotel: ¿el personal fue amable?, ¿tuvo algún problema?, ¿ya tiene abogado?, comentarios',
      [
        '¿El personal fue amable?: one_of Sí|No',
        '¿Tuvo algún problema?: one_of Sí|No',
        '¿Ya tiene abogado?: one_of Sí|No',
        'Comentarios: paragraph',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('what stands between slashes is chosen from, unless it is asked for', () => {
  it.each<[prompt: string, asked: string[]]>([
    ['Contact form: name/email/phone', ['Name: text', 'Email: email', 'Phone: phone']],
    ['Name, email. Thanks for your help, have a nice day!', ['Name: text', 'Email: email']],
    [
      'Please select one: red / blue / company. Age',
      ['Red or blue or company: one_of red|blue|company', 'Age: number'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
