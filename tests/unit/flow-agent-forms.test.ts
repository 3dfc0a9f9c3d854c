import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('a prompt of an agent', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Crea un flujo de WhatsApp para registrar participantes de un torneo de pádel. Pantalla 1: nombre completo, celular, correo. Pantalla 2: categoría (primera, segunda, tercera), talla de camiseta (S, M, L, XL), nombre de la pareja. Pantalla 3: aceptación del reglamento. Botón final: "Inscribirme".',
      [
        'Nombre completo: text',
        'Celular: phone',
        'Correo: email',
        'Categoría: one_of primera|segunda|tercera',
        'Talla de camiseta: one_of S|M|L|XL',
        'Nombre de la pareja: text',
        'Aceptación del reglamento: consent',
        'button: Inscribirme',
      ],
    ],
    [
      'Genera un flujo de calificación de prospectos para una inmobiliaria: tipo de propiedad (casa, departamento, terreno), presupuesto (menos de 1 millón, 1-3 millones, más de 3 millones), zona de interés, ¿crédito o contado?, nombre y teléfono.',
      [
        'Tipo de propiedad: one_of casa|departamento|terreno',
        'Presupuesto: one_of menos de 1 millón|1-3 millones|más de 3 millones',
        'Zona de interés: text',
        '¿Crédito o contado?: one_of crédito|contado',
        'Nombre: text',
        'Teléfono: phone',
      ],
    ],
    [
      'Crea un formulario "Devolución de producto" que capture: número de orden, motivo (defectuoso, talla incorrecta, no me gustó, otro), si es otro especificar, foto del producto, y preferencia de solución: reembolso, cambio o nota de crédito.',
      [
        'Número de orden: text',
        'Motivo: one_of defectuoso|talla incorrecta|no me gustó|otro',
        'Especifique: text if motivo is otro',
        'Foto del producto: photo',
        'Preferencia de solución: one_of reembolso|cambio|nota de crédito',
      ],
    ],
    [
      'Formulario de pedido de pasteles: sabor (chocolate, vainilla, tres leches), tamaño (10, 20 o 30 personas), relleno (opcional), fecha de entrega (mínimo 2 días de anticipación), mensaje en el pastel (máx. 40 caracteres), entrega a domicilio o recoger en tienda; si es a domicilio, pedir la dirección.',
      [
        'Sabor: one_of chocolate|vainilla|tres leches',
        'Tamaño: one_of 10 personas|20 personas|30 personas',
        'Relleno?: text',
        'Fecha de entrega: date (Mínimo 2 días de anticipación)',
        'Mensaje en el pastel: text ..40',
        'Entrega a domicilio o recoger en tienda: one_of entrega a domicilio|recoger en tienda',
        'Dirección: text if entrega_a_domicilio_o_recoger_en_tienda is entrega a domicilio',
      ],
    ],
    [
      'Cuestionario de preselección: ¿eres mayor de edad?, ¿tienes disponibilidad de tiempo completo?, ¿cuántos años de experiencia tienes? (0-1, 2-4, 5 o más), pretensión salarial, adjunta tu CV, correo y teléfono.',
      [
        '¿Eres mayor de edad?: one_of Sí|No',
        '¿Tienes disponibilidad de tiempo completo?: one_of Sí|No',
        '¿Cuántos años de experiencia tienes?: one_of 0-1|2-4|5 o más',
        'Pretensión salarial: text',
        'CV: document',
        'Correo: email',
        'Teléfono: phone',
      ],
    ],
    [
      'Formulario para donadores: monto ($100, $200, $500, otro), frecuencia (única, mensual), nombre, correo, ¿desea recibo deducible? (sí/no), RFC si desea recibo.',
      [
        'Monto: one_of $100|$200|$500|otro',
        'Frecuencia: one_of única|mensual',
        'Nombre: text',
        'Correo: email',
        '¿Desea recibo deducible?: one_of sí|no',
        'RFC: text if desea_recibo_deducible is sí',
      ],
    ],
    [
      'Pregunta al cliente si quiere agendar, cambiar o cancelar su cita. Si quiere cambiar, pide la nueva fecha; si quiere cancelar, el motivo.',
      [
        '¿Quiere agendar, cambiar o cancelar su cita?: one_of agendar|cambiar|cancelar su cita',
        'Nueva fecha: date if quiere_agendar_cambiar_o_cancelar_su is cambiar',
        'Motivo: paragraph if quiere_agendar_cambiar_o_cancelar_su is cancelar su cita',
      ],
    ],
    [
      'Inspección de vehículo: placas, kilometraje, nivel de gasolina (1/4, 1/2, 3/4, lleno), golpes o rayones (sí/no), fotos del vehículo (hasta 4), observaciones.',
      [
        'Placas: text',
        'Kilometraje: number',
        'Nivel de gasolina: one_of 1/4|1/2|3/4|lleno',
        'Golpes o rayones: one_of sí|no',
        'Fotos del vehículo: photo ..4',
        'Observaciones: paragraph',
      ],
    ],
    [
      'Encuesta: califica del 1 al 5: comida, servicio, ambiente y precio. Después pregunta qué platillo fue su favorito y si volvería.',
      [
        'Comida: one_of 1|2|3|4|5',
        'Servicio: one_of 1|2|3|4|5',
        'Ambiente: one_of 1|2|3|4|5',
        'Precio: one_of 1|2|3|4|5',
        'Qué platillo fue su favorito: text',
        '¿Volvería?: one_of Sí|No',
      ],
    ],
    [
      'Survey: rate from 1 to 5: food, service, ambience and price.',
      [
        'Food: one_of 1|2|3|4|5',
        'Service: one_of 1|2|3|4|5',
        'Ambience: one_of 1|2|3|4|5',
        'Price: one_of 1|2|3|4|5',
      ],
    ],
    [
      'How many years of experience do you have? (0-1, 2-4, 5 or more), email',
      ['How many years of experience do you have?: one_of 0-1|2-4|5 or more', 'Email: email'],
    ],
    [
      'Reason (broken, other), if other specify, photo',
      ['Reason: one_of broken|other', 'Please specify: text if reason is other', 'Photo: photo'],
    ],
    ['Dents or scratches (yes/no), name', ['Dents or scratches: one_of yes|no', 'Name: text']],
    [
      'Ask customers whether they want to book, change or cancel. If they want to change, ask for the new date.',
      [
        'Book, change or cancel: one_of book|change|cancel',
        'New date: date if book_change_or_cancel is change',
      ],
    ],
    ['Order: flavour, delivery (home, shop)', ['Flavour: text', 'Delivery: one_of home|shop']],
    [
      'Pedido: sabor, entrega (a domicilio, en tienda); si es a domicilio, pedir la dirección.',
      [
        'Sabor: text',
        'Entrega: one_of a domicilio|en tienda',
        'Dirección: text if entrega is a domicilio',
      ],
    ],
    [
      'Solicitar cotización de mudanza. Campos: dirección de origen, fecha tentativa, nombre',
      ['Dirección de origen: text', 'Fecha tentativa: date', 'Nombre: text'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('what agents list', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Flow name: Refund Request\nDescription: Customers submit refund requests\nFields:\n  order_id (text, required)\n  email (email, required)\n  reason (select: Damaged, Late, Wrong item)\n  details (textarea, optional, max 500 chars)\n  photo (image upload, optional)',
      [
        'Order id: text',
        'Email: email',
        'Reason: one_of Damaged|Late|Wrong item',
        'Details?: paragraph ..500',
        'Photo?: photo',
      ],
    ],
    [
      'Flow for a car dealership test drive: model of interest (Sedan X, SUV Y, Truck Z), preferred dealership (North, South), date, time, driver\'s licence number, name, phone. Submit label "Book my test drive".',
      [
        'Model of interest: one_of Sedan X|SUV Y|Truck Z',
        'Preferred dealership: one_of North|South',
        'Date: date',
        'Time: text',
        "Driver's licence number: text",
        'Name: text',
        'Phone: phone',
        'button: Book my test drive',
      ],
    ],
    [
      'Build a conference badge form: full name as it should appear on the badge; organization; role (Attendee, Speaker, Sponsor, Press); dietary needs; accessibility needs; LinkedIn URL (optional).',
      [
        'Full name: text (As it should appear on the badge)',
        'Organization: text',
        'Role: one_of Attendee|Speaker|Sponsor|Press',
        'Dietary needs: text',
        'Accessibility needs: text',
        'LinkedIn URL?: text',
      ],
    ],
    [
      "A flow which asks users to rate our app from 1 (terrible) to 5 (excellent), choose what they like best out of: design, speed, features, support, and write what they'd change.",
      [
        'Rate our app: one_of 1|2|3|4|5',
        'What you like best: one_of design|speed|features|support',
        "What you'd change: paragraph",
      ],
    ],
    [
      'User story: as a customer, I want to cancel my subscription and say why. Inputs: account email, reason (Too expensive, Not using it, Found alternative, Other), comments, confirm cancellation checkbox.',
      [
        'Account email: email',
        'Reason: one_of Too expensive|Not using it|Found alternative|Other',
        'Comments: paragraph',
        'I confirm the cancellation: consent',
      ],
    ],
    [
      'Please produce a flow with the following structure -> Title: "Pizza Order"; Fields: size (S/M/L), crust (thin/thick), toppings (checkbox list: cheese, ham, mushroom), notes; CTA: "Order now".',
      [
        'Size: one_of S|M|L',
        'Crust: one_of thin|thick',
        'Toppings: some_of cheese|ham|mushroom',
        'Notes: paragraph',
        'button: Order now',
      ],
    ],
    [
      'Daily health check for employees. Questions: Do you have any of the following symptoms: fever, cough, loss of smell? (yes/no). Have you been in contact with someone sick? (yes/no). Body temperature. Employee ID.',
      [
        'Do you have any of the following symptoms – fever, cough, loss of smell?: one_of yes|no',
        'Have you been in contact with someone sick?: one_of yes|no',
        'Body temperature: number',
        'Employee ID: text',
      ],
    ],
    [
      'Create a flow for a photography session inquiry (type of session: wedding, newborn, family, corporate; event date; location; number of hours; budget; how did you hear about us; email).',
      [
        'Type of session: one_of wedding|newborn|family|corporate',
        'Event date: date',
        'Location: text',
        'Number of hours: number',
        'Budget: number',
        'How did you hear about us: paragraph',
        'Email: email',
      ],
    ],
    [
      "Appointment reminder reply: will you attend? (Yes, I'll be there / No, cancel / Reschedule), comments",
      ["Will you attend?: one_of Yes, I'll be there|No, cancel|Reschedule", 'Comments: paragraph'],
    ],
    [
      "Simple checkbox list flow: ask which documents they've submitted (ID, Proof of address, Payslip, Bank statement), and a comment.",
      [
        "Which documents you've submitted: some_of ID|Proof of address|Payslip|Bank statement",
        'Comment: paragraph',
      ],
    ],
    [
      "The assistant needs to collect travel preferences: where they want to go (Beach, Mountains, City), when (month), for how long (weekend, 1 week, 2 weeks+), who they're travelling with (solo, couple, family, friends), budget (Low, Medium, High), and email.",
      [
        'Where you want to go: one_of Beach|Mountains|City',
        'When: date',
        'How long: one_of weekend|1 week|2 weeks+',
        "Who you're travelling with: one_of solo|couple|family|friends",
        'Budget: one_of Low|Medium|High',
        'Email: email',
      ],
    ],
    ['Which days suit you? (Mon, Tue, Wed)', ['Which days suit you?: some_of Mon|Tue|Wed']],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('sections and conditions as agents write them', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Flow: tyre change booking. Ask for registration number, vehicle type (Car, Van, SUV), number of tyres (1, 2, 3, 4), preferred date, preferred slot (AM / PM), contact number. Keep labels short.',
      [
        'Registration number: text',
        'Vehicle type: one_of Car|Van|SUV',
        'Number of tyres: one_of 1|2|3|4',
        'Preferred date: date',
        'Preferred slot: one_of AM|PM',
        'Contact number: phone',
      ],
    ],
    [
      'Create an onboarding questionnaire with these sections:\n\nSection A: About you\n- Full name\n- Work email\n- Role (Manager, Developer, Designer, Other)\n\nSection B: Your goals\n- What do you want to achieve? (long answer)\n- Timeline (1 month, 3 months, 6 months)\n\nSection C: Consent\n- I agree to be contacted',
      [
        'Full name: text',
        'Work email: email',
        'Role: one_of Manager|Developer|Designer|Other',
        'What do you want to achieve?: paragraph',
        'Timeline: one_of 1 month|3 months|6 months',
        'I agree to be contacted: consent',
      ],
    ],
    [
      'Generate a flow that asks "How satisfied were you with your order?" (Very satisfied / Satisfied / Neutral / Unsatisfied / Very unsatisfied), "Was it delivered on time?" (Yes / No), and if not delivered on time, "How late was it?" (less than 1 hour, 1-3 hours, more than 3 hours).',
      [
        'How satisfied were you with your order?: one_of Very satisfied|Satisfied|Neutral|Unsatisfied|Very unsatisfied',
        'Was it delivered on time?: one_of Yes|No',
        'How late was it?: one_of less than 1 hour|1-3 hours|more than 3 hours if was_it_delivered_on_time is No',
      ],
    ],
    [
      'Customers should be able to book a slot: choose a location (Downtown - 5th Ave, Uptown - 86th St, Brooklyn), choose a day (Mon–Sat), choose a time (10am, 12pm, 3pm, 5pm), then enter name and phone.',
      [
        'Location: one_of Downtown - 5th Ave|Uptown - 86th St|Brooklyn',
        'Day: one_of Mon|Tue|Wed|Thu|Fri|Sat',
        'Time: one_of 10am|12pm|3pm|5pm',
        'Name: text',
        'Phone: phone',
      ],
    ],
    [
      'A simple RSVP flow. Will you attend? Yes/No. If yes: number of guests (1-5), meal preference (meat, fish, vegan), song request. If no: message to the hosts.',
      [
        'Will you attend?: one_of Yes|No',
        'Number of guests: one_of 1|2|3|4|5 if will_you_attend is Yes',
        'Meal preference: one_of meat|fish|vegan if will_you_attend is Yes',
        'Song request: text if will_you_attend is Yes',
        'Message to the hosts: paragraph if will_you_attend is No',
      ],
    ],
    [
      "Capture info for a birthday party booking - child's name, child's birthday, number of kids (max 20), package [Bronze ($150), Silver ($250), Gold ($400)], add-ons (magician, face painting, cake) multi, contact name, contact phone.",
      [
        "Child's name: text",
        "Child's birthday: date",
        'Number of kids: number (At most 20)',
        'Package: one_of Bronze ($150)|Silver ($250)|Gold ($400)',
        'Add-ons: some_of magician|face painting|cake',
        'Contact name: text',
        'Contact phone: phone',
      ],
    ],
    [
      'We need a flow for the school canteen. Fields: student name, class (1A, 1B, 2A, 2B), meal (standard, vegetarian, halal), allergies (none, nuts, dairy, gluten - multi-select), days (Mon-Fri, multi-select).',
      [
        'Student name: text',
        'Class: one_of 1A|1B|2A|2B',
        'Meal: one_of standard|vegetarian|halal',
        'Allergies: some_of none|nuts|dairy|gluten',
        'Days: some_of Mon|Tue|Wed|Thu|Fri',
      ],
    ],
    [
      'Please design an intake with conditional logic: Are you a new or returning patient? New → ask for date of birth and insurance. Returning → ask for patient ID. Then reason for visit.',
      [
        'Are you a new or returning patient?: one_of new|returning patient',
        'Date of birth: date if are_you_a_new_or_returning_patient is new',
        'Insurance: text if are_you_a_new_or_returning_patient is new',
        'Patient ID: text if are_you_a_new_or_returning_patient is returning patient',
        'Reason for visit: paragraph',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
