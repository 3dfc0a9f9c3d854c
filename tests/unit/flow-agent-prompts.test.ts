import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('a prompt as an agent writes it', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Generate a flow with a single screen titled "Feedback" containing: a radio group "How satisfied are you?" with options Very satisfied, Satisfied, Neutral, Dissatisfied; a text area "What could we improve?" (optional); and a footer button "Send feedback".',
      [
        'How satisfied are you?: one_of Very satisfied|Satisfied|Neutral|Dissatisfied',
        'What could we improve??: paragraph',
        'button: Send feedback',
      ],
    ],
    [
      "Flow purpose: collect KYC details. Fields: full legal name; date of birth; nationality; ID type (Passport, Driver's License, National ID); ID number; upload photo of ID front; upload photo of ID back; selfie. All fields are required.",
      [
        'Full legal name: text',
        'Date of birth: date',
        'Nationality: text',
        "ID type: one_of Passport|Driver's License|National ID",
        'ID number: text',
        'Photo of ID front: photo',
        'Photo of ID back: photo',
        'Selfie: photo',
      ],
    ],
    [
      'Customer onboarding: ask them for their business name, their website URL, the industry they operate in (Retail, Food & Beverage, Services, Other), number of employees, and whether they already use WhatsApp Business. If yes, ask which features they use: catalog, quick replies, labels.',
      [
        'Business name: text',
        'Website URL: text',
        'Industry you operate in: one_of Retail|Food & Beverage|Services|Other',
        'Number of employees: number',
        'Do you already use WhatsApp Business?: one_of Yes|No',
        'Which features you use: some_of catalog|quick replies|labels if they_already_use_whatsapp_business is Yes',
      ],
    ],
    [
      'A short NPS survey with the question "How likely are you to recommend us to a friend?" on a 0-10 scale, followed by "What is the main reason for your score?" and optional contact details (name, email).',
      [
        'How likely are you to recommend us to a friend?: one_of 0|1|2|3|4|5|6|7|8|9|10',
        'What is the main reason for your score?: paragraph',
        'Name?: text',
        'Email?: email',
      ],
    ],
    [
      'Prompt the user to choose their preferred contact method (WhatsApp, Call, Email). If Email, collect their email address. If Call, collect a convenient time to call. Finally let them add a message.',
      [
        'Preferred contact method: one_of WhatsApp|Call|Email',
        'Email address: email if preferred_contact_method is Email',
        'Convenient time to call: text if preferred_contact_method is Call',
        'Message?: paragraph',
      ],
    ],
    [
      'Gym membership sign up flow with plan selection [Basic - $20/mo, Plus - $35/mo, Premium - $50/mo], start date, fitness goals (multiple: weight loss, muscle gain, endurance, flexibility), any injuries we should know about?, emergency contact, and agreement to the waiver.',
      [
        'Plan selection: one_of Basic: $20/mo|- $35/mo|Premium - $50/mo',
        'Start date: date',
        'Fitness goals: some_of weight loss|muscle gain|endurance|flexibility',
        'Any injuries we should know about??: text',
        'Emergency contact: text',
        'Agreement to the waiver: consent',
      ],
    ],
    [
      'Please generate a flow for scheduling a property viewing. The user should be able to select the property (Sunset Villa, Lake House, City Loft), choose a date from a date picker, choose a time from 10:00, 12:00, 14:00 or 16:00, tell us how many people will attend, and leave their name and number.',
      [
        'Property: one_of Sunset Villa|Lake House|City Loft',
        'Date: date',
        'Time: one_of 10:00|12:00|14:00|16:00',
        'How many people will attend: number',
        'Name: text',
        'Phone number: phone',
      ],
    ],
    [
      'Necesito un flujo para agendar una cita en la barbería: nombre, teléfono, servicio (corte, barba, corte y barba), barbero preferido (Luis, Pedro, sin preferencia), fecha, hora y comentarios opcionales. El botón final debe decir "Agendar".',
      [
        'Nombre: text',
        'Teléfono: phone',
        'Servicio: one_of corte|barba|corte y barba',
        'Barbero preferido: one_of Luis|Pedro|sin preferencia',
        'Fecha: date',
        'Hora: text',
        'Comentarios?: paragraph',
        'button: Agendar',
      ],
    ],
    [
      'We want to know what the customer wants to eat: starter (soup or salad), main (chicken, beef or fish), dessert (cake, ice cream, none). Also their table number and whether anyone has allergies — if so, which.',
      [
        'Starter: one_of soup|salad',
        'Main: one_of chicken|beef|fish',
        'Dessert: one_of cake|ice cream|none',
        'Table number: text',
        'Anyone has allergies: one_of Yes|No',
        'Which?: paragraph if anyone_has_allergies is Yes',
      ],
    ],
    [
      'Registration for a marathon: full name, gender (M/F/Other), birth date, distance (5K, 10K, Half marathon, Full marathon), estimated finish time, shirt size (XS–XXL), club (optional), emergency contact name + phone, accept waiver (required).',
      [
        'Full name: text',
        'Gender: one_of M|F|Other',
        'Birth date: date',
        'Distance: one_of 5K|10K|Half marathon|Full marathon',
        'Estimated finish time: text',
        'Shirt size: one_of XS|S|M|L|XL|XXL',
        'Club?: text',
        'Emergency contact name: text',
        'Emergency contact phone: phone',
        'I accept the waiver: consent',
      ],
    ],
    [
      'Create a flow for hotel guests to request late checkout. Inputs: room number, guest last name, desired checkout time (12:00, 13:00, 14:00), reason (optional). Show a note: "Late checkout is subject to availability."',
      [
        'note: Late checkout is subject to availability.',
        'Room number: text',
        'Last name: text',
        'Desired checkout time: one_of 12:00|13:00|14:00',
        'Reason?: paragraph',
      ],
    ],
    [
      'Flow: Service Feedback\nQ1: How would you rate our service? (1-5 stars)\nQ2: What did you like most? (free text, optional)\nQ3: Would you recommend us? (Yes/No/Maybe)\nQ4: May we contact you? If yes, provide your email.',
      [
        'How would you rate our service?: one_of 1|2|3|4|5',
        'What did you like most??: paragraph',
        'Would you recommend us?: one_of Yes|No|Maybe',
        'May we contact you?: one_of Yes|No',
        'Email: email if may_we_contact_you is Yes',
      ],
    ],
    [
      'Create a form named "Tutor Request" with the following inputs:\n1. Student name - text\n2. Grade level - dropdown: 1-5, 6-8, 9-12\n3. Subject - checkbox group: Math, Science, English, History\n4. Preferred days - checkbox group: Mon-Sun\n5. Budget per hour - number\n6. Parent email - email',
      [
        'Student name: text',
        'Grade level: one_of 1-5|6-8|9-12',
        'Subject: some_of Math|Science|English|History',
        'Preferred days: some_of Mon|Tue|Wed|Thu|Fri|Sat|Sun',
        'Budget per hour: number',
        'Parent email: email',
      ],
    ],
    [
      'Formulario para reportar un bache: ubicación, referencia, tamaño (chico, mediano, grande), foto, nombre y teléfono del ciudadano (opcionales).',
      [
        'Ubicación: text',
        'Referencia: text',
        'Tamaño: one_of chico|mediano|grande',
        'Foto: photo',
        'Nombre del ciudadano: text',
        'Teléfono del ciudadano?: phone',
      ],
    ],
    [
      'Please create an "Insurance Claim" flow. Required inputs: policy number, claim type (Auto, Home, Health), incident date, description. Optional inputs: supporting documents, witness name.',
      [
        'Policy number: text',
        'Claim type: one_of Auto|Home|Health',
        'Incident date: date',
        'Description: paragraph',
        'Supporting documents?: document',
        'Witness name?: text',
      ],
    ],
    [
      'We run a bakery. Make a custom cake order flow: flavour (vanilla, chocolate, red velvet), number of tiers (1, 2 or 3), message on the cake (max 30 chars), pickup date (at least 3 days ahead), reference picture optional, name and phone.',
      [
        'Flavour: one_of vanilla|chocolate|red velvet',
        'Number of tiers: one_of 1|2|3',
        'Message on the cake: text ..30',
        'Pickup date: date (At least 3 days ahead)',
        'Reference picture?: photo',
        'Name: text',
        'Phone: phone',
      ],
    ],
    [
      'Collect shipping info: recipient full name, street address, apartment/suite (optional), city, state, ZIP, country (US, Canada, Mexico), delivery instructions.',
      [
        'Recipient full name: text',
        'Street address: text',
        'Apartment/suite?: text',
        'City: text',
        'State: text',
        'ZIP: text',
        'Country: one_of US|Canada|Mexico',
        'Delivery instructions: paragraph',
      ],
    ],
    [
      'Flujo de soporte técnico: primero pregunta el tipo de problema (internet, televisión, telefonía). Luego pide el número de contrato, una descripción breve y una foto del equipo (opcional). Por último, el horario preferido para la visita (mañana, tarde).',
      [
        'Tipo de problema: one_of internet|televisión|telefonía',
        'Número de contrato: text',
        'Descripción breve: paragraph',
        'Foto del equipo?: photo',
        'Horario preferido para la visita: one_of mañana|tarde',
      ],
    ],
    [
      'Travel agency: destination, departure date, return date, number of adults, number of children, hotel category (3*, 4*, 5*), budget per person, flexible dates? yes/no, comments.',
      [
        'Destination: text',
        'Departure date: date',
        'Return date: date',
        'Number of adults: number',
        'Number of children: number',
        'Hotel category: one_of 3*|4*|5*',
        'Budget per person: number',
        'Flexible dates?: one_of Yes|No',
        'Comments: paragraph',
      ],
    ],
    [
      'Build a flow to verify identity with date of birth, last 4 digits of the card, and security question answer.',
      ['Date of birth: date', 'Last 4 digits of the card: text', 'Security question answer: text'],
    ],
    [
      'Create a checkout flow with steps: 1) Contact: email, phone 2) Shipping: name, address, city, postcode 3) Delivery method: Standard (3-5 days), Express (1-2 days) 4) Gift message (optional)',
      [
        'Email: email',
        'Phone: phone',
        'Name: text',
        'Address: text',
        'City: text',
        'Postcode: text',
        'Standard: one_of 3|4|5',
        'Express: one_of 1|2',
        'Gift message?: paragraph',
      ],
    ],
    [
      'Create a WhatsApp Flow that does the following: welcomes the user, asks for their first name, last name and email, lets them choose one of three subscription tiers (Free, Pro, Enterprise), and ends with a confirmation.',
      [
        'First name: text',
        'Last name: text',
        'Email: email',
        'Subscription tier: one_of Free|Pro|Enterprise',
      ],
    ],
    [
      "Generate a customer support triage flow.\n\nRequirements:\n- Ask for the customer's account number\n- Ask them to describe the issue\n- Ask how urgent it is (Low, Medium, High)\n- Allow attaching a screenshot\n- Ask for their preferred callback time",
      [
        'Account number: text',
        'Describe the issue: paragraph',
        'How urgent it is: one_of Low|Medium|High',
        'Screenshot?: photo',
        'Preferred callback time: text',
      ],
    ],
    [
      'A flow for event feedback with a 5-star rating for the venue, a 5-star rating for the speakers, a yes/no question on whether they would attend again, and an open comment box.',
      [
        '5-star rating for the venue: one_of 1|2|3|4|5',
        '5-star rating for the speakers: one_of 1|2|3|4|5',
        'Would you attend again?: one_of Yes|No',
        'Open comment: paragraph',
      ],
    ],
    [
      'The flow should have two screens. The first screen collects full name, mobile number and city. The second screen lets the user pick a course (Web Development, Data Science, UI/UX Design), a batch (Weekday, Weekend) and agree to the refund policy.',
      [
        'Full name: text',
        'Mobile number: phone',
        'City: text',
        'Course: one_of Web Development|Data Science|UI/UX Design',
        'Batch: one_of Weekday|Weekend',
        'Agree to the refund policy: consent',
      ],
    ],
    [
      'Housekeeping request: room number; items needed – towels, toiletries, pillows, blankets (multi select); preferred time – now, in 1 hour, this evening; extra notes.',
      [
        'Room number: text',
        'Items needed: some_of towels|toiletries|pillows|blankets',
        'Preferred time: one_of now|in 1 hour|this evening',
        'Extra notes: paragraph',
      ],
    ],
    [
      'Student course evaluation: course code, instructor name, rate the following from 1 to 5: clarity, organization, engagement, fairness; strengths; areas for improvement.',
      [
        'Course code: text',
        'Instructor name: text',
        'Clarity: one_of 1|2|3|4|5',
        'Organization: one_of 1|2|3|4|5',
        'Engagement: one_of 1|2|3|4|5',
        'Fairness: one_of 1|2|3|4|5',
        'Strengths: text',
        'Areas for improvement: text',
      ],
    ],
    [
      "Create a flow to collect CSAT after support chat. First question is a rating 1-5. If the rating is 3 or below, ask what went wrong. If it is 4 or above, ask whether they'd leave a public review.",
      [
        'Rating: one_of 1|2|3|4|5',
        'What went wrong: paragraph if rating is 1|2|3',
        'Would you leave a public review?: one_of Yes|No if rating is 4|5',
      ],
    ],
    [
      'Warehouse incident report: employee ID, shift (Morning, Afternoon, Night), incident type (Injury, Near miss, Property damage, Other), date & time of incident, witnesses, description, photos (optional), supervisor notified? (Yes/No)',
      [
        'Employee ID: text',
        'Shift: one_of Morning|Afternoon|Night',
        'Incident type: one_of Injury|Near miss|Property damage|Other',
        'Date of incident: date',
        'Time of incident: text',
        'Witnesses: text',
        'Description: paragraph',
        'Photos?: photo',
        'Supervisor notified?: one_of Yes|No',
      ],
    ],
    [
      'The purpose is to gather volunteer availability. Ask for: name; which days (Mon, Tue, Wed, Thu, Fri) - multiple; preferred shift - morning or evening; skills; emergency contact number.',
      [
        'Name: text',
        'Which days: some_of Mon|Tue|Wed|Thu|Fri',
        'Preferred shift: one_of morning|evening',
        'Skills: text',
        'Emergency contact number: phone',
      ],
    ],
    [
      'Poll: "Which feature should we build next?" options: Dark mode, Offline access, Calendar sync, Other. Also allow a free-text suggestion. ',
      [
        'Which feature should we build next?: one_of Dark mode|Offline access|Calendar sync|Other',
        'Suggestion?: paragraph',
      ],
    ],
    [
      'Form for gym trial pass. Full Name. Phone. Age. Goal: weight loss / muscle / general fitness. Preferred branch: Downtown / Uptown. Date of first visit.',
      [
        'Full Name: text',
        'Phone: phone',
        'Age: number',
        'Goal: one_of weight loss|muscle|general fitness',
        'Preferred branch: one_of Downtown|Uptown',
        'Date of first visit: date',
      ],
    ],
    [
      'I want to collect sports team sign ups: player name, date of birth, position (goalkeeper, defender, midfielder, forward), previous club (if any), medical conditions, parent/guardian name and phone, photo permission.',
      [
        'Player name: text',
        'Date of birth: date',
        'Position: one_of goalkeeper|defender|midfielder|forward',
        'Previous club?: text',
        'Medical conditions: text',
        'Parent/guardian name: text',
        'Parent/guardian phone: phone',
        'Photo permission?: consent',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
