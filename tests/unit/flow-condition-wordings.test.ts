import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('who is asked is said in many ways', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Create a flow for a dental clinic: name, phone, new or returning patient? If new, date of birth and insurance provider.',
      [
        'Name: text',
        'Phone: phone',
        'New or returning patient: one_of new|returning patient',
        'Date of birth: date if new_or_returning_patient is new',
        'Insurance provider: text if new_or_returning_patient is new',
      ],
    ],
    [
      'A form where customers report a problem: order number, type of problem (late, damaged, wrong), and a description. Ask for a photo when the item is damaged.',
      [
        'Order number: text',
        'Type of problem: one_of late|damaged|wrong',
        'Description: paragraph',
        'Photo?: photo (Only if: damaged)',
      ],
    ],
    [
      'Event signup. Ask for name, email, and whether they will bring a guest. If so, guest name and guest dietary needs.',
      [
        'Name: text',
        'Email: email',
        'Will you bring a guest?: one_of Yes|No',
        'Guest name: text if they_will_bring_a_guest is Yes',
        'Dietary needs: text if they_will_bring_a_guest is Yes',
      ],
    ],
    [
      'Loan application: name, income, employed (yes/no). If employed: employer and years there. If not employed: source of income.',
      [
        'Name: text',
        'Income: number',
        'Employed: one_of yes|no',
        'Employer: text if employed is yes',
        'Years there: text if employed is yes',
        'Source of income: text if employed is no',
      ],
    ],
    [
      "I want to know if they liked the food. If they didn't, ask why not.",
      ['Did you like the food?: one_of Yes|No', 'Why not: paragraph if they_liked_the_food is No'],
    ],
    [
      'Feedback form. 1. How was your stay? (1-5) 2. If below 3, what went wrong? 3. Would you recommend us? (yes/no) 4. If no, why?',
      [
        'How was your stay?: one_of 1|2|3|4|5',
        'What went wrong?: paragraph if how_was_your_stay is 1|2',
        'Would you recommend us?: one_of yes|no',
        'Why?: paragraph if would_you_recommend_us is no',
      ],
    ],
    [
      "Ask for the pet's name, species (dog, cat, other). If other, ask which species. Ask for age.",
      [
        "Pet's name: text",
        'Species: one_of dog|cat|other',
        'Which species: text if species is other',
        'Age: number',
      ],
    ],
    [
      'Name, phone, "Do you need transport?" (Yes/No), pickup address (if yes), number of passengers (if yes)',
      [
        'Name: text',
        'Phone: phone',
        'Do you need transport?: one_of Yes|No',
        'Pickup address: text if do_you_need_transport is Yes',
        'Number of passengers: number if do_you_need_transport is Yes',
      ],
    ],
    [
      'Get name, address type (home, office), and company name in case of office',
      [
        'Name: text',
        'Address type: one_of home|office',
        'Company name: text if address_type is office',
      ],
    ],
    [
      'Collect name and email; if they are a business customer, company name',
      [
        'Name: text',
        'Email: email',
        'Are you a business customer?: one_of Yes|No',
        'Company name: text if they_are_a_business_customer is Yes',
      ],
    ],
    [
      "Please ask if it is a gift, and if it's a gift then the message for the card",
      ['Is it a gift?: one_of Yes|No', 'Message for the card: paragraph if it_is_a_gift is Yes'],
    ],
    [
      'Contact form: name, how should we contact you (email/phone), email (show if email), phone (show if phone)',
      [
        'Name: text',
        'How should we contact you: one_of email|phone',
        'Email: email if how_should_we_contact_you is email',
        'Phone: phone if how_should_we_contact_you is phone',
      ],
    ],
    [
      'Survey: overall satisfaction 1 to 10. Scores under 7: ask what to improve. Scores of 9 or 10: ask for a review.',
      [
        'Overall satisfaction: one_of 1|2|3|4|5|6|7|8|9|10',
        'What to improve: text if overall_satisfaction is 1|2|3|4|5|6',
        'Review: paragraph if overall_satisfaction is 9|10',
      ],
    ],
    ['Ask for name. If you can, ask for the phone too.', ['Name: text', 'Phone?: phone']],
    [
      'Return: order id, reason (defective, wrong size, other), comments required if other',
      [
        'Order id: text',
        'Reason: one_of defective|wrong size|other',
        'Comments: paragraph if reason is other',
      ],
    ],
    [
      'Ask for gender (male, female). If female, are you pregnant? (yes/no)',
      ['Gender: one_of male|female', 'Are you pregnant?: one_of yes|no if gender is female'],
    ],
    [
      'Registration: age group (under 18, 18-65, over 65); parent email if under 18',
      ['Age group: one_of under 18|18-65|over 65', 'Parent email: email if age_group is under 18'],
    ],
    [
      'Volunteer form: name, can you drive? yes/no; if yes, vehicle type: car, van; availability',
      [
        'Name: text',
        'Can you drive?: one_of Yes|No',
        'Vehicle type: one_of car|van if can_you_drive is Yes',
        'Availability: text',
      ],
    ],
    [
      'Delivery? yes/no. Address if yes, else store (North, South).',
      [
        'Delivery?: one_of Yes|No',
        'Address: text if delivery is Yes',
        'Store: one_of North|South if delivery is No',
      ],
    ],
    [
      'Have you had covid? (yes/no) -> if yes, when?',
      ['Have you had covid?: one_of yes|no', 'When?: date if have_you_had_covid is yes'],
    ],
    [
      'Reserva: nombre, fecha, ¿es cumpleaños? (sí/no), nombre del festejado si es cumpleaños',
      [
        'Nombre: text',
        'Fecha: date',
        '¿Es cumpleaños?: one_of sí|no',
        'Nombre del festejado: text if es_cumpleanos is sí',
      ],
    ],
    [
      'Nombre, ¿tiene seguro? Si tiene, número de póliza. Si no, teléfono.',
      [
        'Nombre: text',
        '¿Tiene seguro?: one_of Sí|No',
        'Número de póliza: text if tiene_seguro is Sí',
        'Teléfono: phone if tiene_seguro is No',
      ],
    ],
    [
      'Pregunta si es cliente nuevo o existente. Si es existente, pide el número de cliente.',
      [
        '¿Es cliente nuevo o existente?: one_of nuevo|existente',
        'Número de cliente: text if es_cliente_nuevo_o_existente is existente',
      ],
    ],
    [
      'Formulario: tipo de solicitud (queja, consulta, otro); en caso de queja, número de pedido; en caso de otro, especificar',
      [
        'Tipo de solicitud: one_of queja|consulta|otro',
        'Número de pedido: text if tipo_de_solicitud is queja',
        'Especificar: text if tipo_de_solicitud is otro',
      ],
    ],
    [
      'Nombre, forma de pago (tarjeta, transferencia, efectivo). Solo para transferencia: comprobante (foto)',
      [
        'Nombre: text',
        'Forma de pago: one_of tarjeta|transferencia|efectivo',
        'Comprobante?: photo (Solo si: transferencia)',
      ],
    ],
    [
      'Do you want a callback? (yes/no)\nPhone (if yes)\nBest time to call (if yes)\nEmail (if no)',
      [
        'Do you want a callback?: one_of yes|no',
        'Phone: phone if do_you_want_a_callback is yes',
        'Best time to call: text if do_you_want_a_callback is yes',
        'Email: email if do_you_want_a_callback is no',
      ],
    ],
    [
      'Name (required)\nAre you a member? (yes/no)\nMember ID (only shown if member)\nComments (optional)',
      [
        'Name: text',
        'Are you a member?: one_of yes|no',
        'Member ID: text if are_you_a_member is yes',
        'Comments?: paragraph',
      ],
    ],
    [
      '| Field | Type | Condition |\n|---|---|---|\n| Name | text | |\n| Type | choice (A, B) | |\n| Details | text | if Type is B |',
      ['Name: text', 'Type: one_of A|B', 'Details: paragraph if type is B'],
    ],
    [
      'Name, reason (price, quality, other - please specify), email',
      [
        'Name: text',
        'Reason: one_of price|quality|other',
        'Please specify: text if reason is other',
        'Email: email',
      ],
    ],
    [
      'How did you hear about us? (friend, web, other (please specify)) Why us? (price, quality, other, please specify)',
      [
        'How did you hear about us?: one_of friend|web|other',
        'Please specify: text if how_did_you_hear_about_us is other',
        'Why us?: one_of price|quality|other',
        'Please specify: text if why_us is other',
      ],
    ],
    [
      'Motivo (precio, calidad, otro: especificar), nombre',
      ['Motivo: one_of precio|calidad|otro', 'Especifique: text if motivo is otro', 'Nombre: text'],
    ],
    [
      'Which fruit? (apple, pear, or other please specify)',
      ['Which fruit?: one_of apple|pear|other', 'Please specify: text if which_fruit is other'],
    ],
    [
      'Ask for name and phone. If they are coming with kids, how many.',
      [
        'Name: text',
        'Phone: phone',
        'Are you coming with kids?: one_of Yes|No',
        'How many: number if they_are_coming_with_kids is Yes',
      ],
    ],
    [
      'Ask the guest for dietary restrictions if any and the arrival time',
      ['Dietary restrictions?: text', 'Arrival time: text'],
    ],
    [
      "Ask for the size and, if it is a gift, the recipient's name",
      [
        'Size: text',
        'Is it a gift?: one_of Yes|No',
        "Recipient's name: text if it_is_a_gift is Yes",
      ],
    ],
    [
      'Ask "Is this urgent?" If urgent, phone number.',
      ['Is this urgent?: one_of Yes|No', 'Phone number: phone if is_this_urgent is Yes'],
    ],
    [
      "Ask whether it's urgent. When it's urgent ask for a phone number.",
      ['Is it urgent?: one_of Yes|No', 'Phone number: phone if it_s_urgent is Yes'],
    ],
    [
      'Attendance form: will you attend? yes/no/maybe. If maybe, when will you know?',
      [
        'Will you attend?: one_of Yes|No|maybe',
        'When will you know?: date if will_you_attend is maybe',
      ],
    ],
    [
      'Please collect: name, email, T-shirt? (yes/no) if yes size S/M/L',
      [
        'Name: text',
        'Email: email',
        'T-shirt?: one_of yes|no',
        'Size: one_of S|M|L if t_shirt is yes',
      ],
    ],
    [
      'Name, t-shirt (yes/no), size (S, M, L) if t-shirt is yes',
      ['Name: text', 'T-shirt: one_of yes|no', 'Size: one_of S|M|L if t_shirt is yes'],
    ],
    [
      'Ask: vegetarian? If not, meat preference: beef, chicken',
      ['Vegetarian?: one_of Yes|No', 'Meat preference: one_of beef|chicken if vegetarian is No'],
    ],
    [
      'Ask about pets: do you have pets? (yes/no). If they have pets, what kind (dog, cat, other) and how many.',
      [
        'Do you have pets?: one_of yes|no',
        'What kind: one_of dog|cat|other if do_you_have_pets is yes',
        'How many: number if do_you_have_pets is yes',
      ],
    ],
    [
      'Booking type: one-way or return. Return date if return.',
      ['Booking type: one_of one-way|return', 'Return date: date if booking_type is return'],
    ],
    [
      'One-way or return? Departure date. Return date (return only).',
      [
        'One-way or return?: one_of One-way|return',
        'Departure date: date',
        'Return date: date if one_way_or_return is return',
      ],
    ],
    [
      'Ask for country (Spain, Portugal, France). For Spain ask the DNI, for Portugal the NIF, for France the SIRET.',
      [
        'Country: one_of Spain|Portugal|France',
        'DNI: text if country is Spain',
        'NIF: text if country is Portugal',
        'SIRET: text if country is France',
      ],
    ],
    [
      'Payment: card / bank transfer / cash. For card: last 4 digits. For bank transfer: IBAN.',
      [
        'Payment: one_of card|bank transfer|cash',
        'Last 4 digits: text if payment is card',
        'IBAN: text if payment is bank transfer',
      ],
    ],
    [
      'Customer satisfaction 1-5, comments if unhappy',
      ['Satisfaction: one_of 1|2|3|4|5', 'Comments if unhappy?: paragraph'],
    ],
    [
      'If rating is less than 4 ask for feedback. Rating 1-5.',
      ['Rating: one_of 1|2|3|4|5', 'Feedback: paragraph if rating is 1|2|3'],
    ],
    [
      'Did everything work? Yes/No. No -> describe the problem',
      [
        'Did everything work?: one_of Yes|No',
        'Describe the problem: paragraph if did_everything_work is No',
      ],
    ],
    [
      'Are you an existing customer? Yes -> customer number. No -> how did you hear about us?',
      [
        'Are you an existing customer?: one_of Yes|No',
        'Customer number: text if are_you_an_existing_customer is Yes',
        'How did you hear about us?: paragraph if are_you_an_existing_customer is No',
      ],
    ],
    [
      'Q1: Do you exercise? (yes/no)\nQ2: If yes, how often? (daily, weekly)\nQ3: Age',
      [
        'Do you exercise?: one_of yes|no',
        'How often?: one_of daily|weekly if do_you_exercise is yes',
        'Age: number',
      ],
    ],
    [
      "Ask if they've been here before. If not, ask how they found us.",
      [
        'Have you been here before?: one_of Yes|No',
        'How you found us: text if they_ve_been_here_before is No',
      ],
    ],
    [
      "Name; married? y/n; spouse's name if so",
      ['Name: text', 'Married?: one_of Yes|No', "Spouse's name: text if married is Yes"],
    ],
    [
      'Nombre; ¿casado? s/n; nombre del cónyuge si es así',
      ['Nombre: text', '¿Casado?: one_of Sí|No', 'Nombre del cónyuge: text if casado is Sí'],
    ],
    [
      '¿Tienes mascota? Sí/No. Si la respuesta es sí, ¿qué tipo? (perro, gato)',
      ['¿Tienes mascota?: one_of Sí|No', '¿Qué tipo?: one_of perro|gato if tienes_mascota is Sí'],
    ],
    [
      'Valoración (1-5). Si la valoración es 1 o 2, motivo.',
      ['Valoración: one_of 1|2|3|4|5', 'Motivo: paragraph if valoracion is 1|2'],
    ],
    [
      'Pide nombre, ciudad y, si es empresa, el CIF',
      [
        'Nombre: text',
        'Ciudad: text',
        '¿Es empresa?: one_of Sí|No',
        'CIF: text if es_empresa is Sí',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
