import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('what is only named is asked for, in sentences of its own, too', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Hotel pre check-in. Booking reference, arrival time, need parking? need airport transfer? passport photo',
      [
        'Booking reference: text',
        'Arrival time: text',
        'Do you need parking?: one_of Yes|No',
        'Do you need airport transfer?: one_of Yes|No',
        'Passport photo: photo',
      ],
    ],
    [
      'Please build me a lead form for my real estate agency. Ask if they are buying, selling or renting. Number of bedrooms. Preferred neighborhoods. When they plan to move. Contact details.',
      [
        'Are you buying, selling or renting?: one_of buying|selling|renting',
        'Number of bedrooms: number',
        'Preferred neighborhoods: text',
        'When you plan to move: date',
        'Name: text',
        'Phone: phone',
        'Email: email',
      ],
    ],
    ['Hat, size, foo', ['Hat: text', 'Size: text', 'Foo: text']],
    [
      'Tell us about your project, name, email',
      ['Tell us about your project: paragraph', 'Name: text', 'Email: email'],
    ],
    [
      'Job application for waiters. name, age, phone',
      ['Name: text', 'Age: number', 'Phone: phone'],
    ],
    [
      'Simple newsletter signup, just name and email plus consent',
      ['Name: text', 'Email: email', 'I accept the terms and conditions: consent'],
    ],
    [
      'We run a small bakery and want customers to be able to order custom cakes. They should tell us the occasion, the size (6", 8" or 10") and a photo for inspiration if they have one.',
      ['Occasion: text', 'Size: one_of 6″|8″|10″', 'Photo for inspiration?: photo'],
    ],
    [
      'Prescription refill: patient full name, DOB, medication name and dosage, pharmacy, Rx number, delivery or pickup',
      [
        'Full name: text',
        'DOB: date',
        'Medication name: text',
        'Dosage: text',
        'Pharmacy: text',
        'Rx number: text',
        'Delivery or pickup: one_of delivery|pickup',
      ],
    ],
    [
      'Lost and found report: what did you lose, where, when, colour/brand, contact number',
      [
        'What did you lose: paragraph',
        'Where: text',
        'When: date',
        'Colour/brand: text',
        'Contact number: phone',
      ],
    ],
    [
      "We're a plumbing company. When a customer contacts us we need to know their name, what the problem is (leak, clog, other) and how urgent it is on a scale 1-5.",
      [
        'Name: text',
        'What the problem is: one_of leak|clog|other',
        'How urgent it is: one_of 1|2|3|4|5',
      ],
    ],
    [
      'Physical therapy intake form with patient name, insurance card photo (front/back), area of pain: neck, back, other. Pain level 0-10. When did it start. Previous treatments.',
      [
        'Name: text',
        'Insurance card photo front: photo',
        'Insurance card photo back: photo',
        'Area of pain: one_of neck|back|other',
        'Pain level: one_of 0|1|2|3|4|5|6|7|8|9|10',
        'When did it start: date',
        'Previous treatments: text',
      ],
    ],
    [
      'Church visitor card: name, first time visiting? how did you hear about us? prayer request, would you like a call from the pastor',
      [
        'Name: text',
        'First time visiting?: one_of Yes|No',
        'How did you hear about us?: paragraph',
        'Prayer request: text',
        'Would you like a call from the pastor: one_of Yes|No',
      ],
    ],
    [
      "Scheduling a test drive. Model of interest: Sedan, SUV or Pickup. Preferred dealership. Preferred date and time. Valid driver's license? Full name, phone.",
      [
        'Model of interest: one_of Sedan|SUV|Pickup',
        'Preferred dealership: text',
        'Preferred date: date',
        'Preferred time: text',
        "Valid driver's license?: one_of Yes|No",
        'Full name: text',
        'Phone: phone',
      ],
    ],
    [
      'We need feedback after each support chat. Was your issue resolved? yes/no/partially. Comments (optional).',
      ['Was your issue resolved?: one_of Yes|No|partially', 'Comments?: paragraph'],
    ],
    [
      'Please make a flow for job applicants: 1) Personal info - name, phone, email 2) Experience - years of experience, last employer 3) upload CV',
      [
        'Name: text',
        'Phone: phone',
        'Email: email',
        'Years of experience: number',
        'Last employer: text',
        'CV: document',
      ],
    ],
    [
      'language exchange signup; name; age (18+); languages you want to practice; timezone',
      [
        'Name: text',
        'Age: number (At least 18)',
        'Languages you want to practice: text',
        'Timezone: text',
      ],
    ],
    [
      'customer discovery survey: what is your role, company size, what tools do you use, biggest challenge, how much do you spend per month, willing to do a 20 min call?',
      [
        'What is your role: text',
        'Company size: text',
        'What tools do you use: paragraph',
        'Biggest challenge: text',
        'How much do you spend per month: number',
        'Willing to do a 20 min call?: one_of Yes|No',
      ],
    ],
    [
      'I need to collect emergency contacts from employees. Employee name. Phone. Any medical conditions we should know about.',
      ['Employee name: text', 'Phone: phone', 'Any medical conditions we should know about?: text'],
    ],
    [
      'Roommate finder: age, a few words about yourself, cash buyer?',
      ['Age: number', 'A few words about yourself: paragraph', 'Cash buyer?: one_of Yes|No'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a question may be put briefly', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Name, smoker?, own a car?, have children?',
      [
        'Name: text',
        'Smoker?: one_of Yes|No',
        'Do you own a car?: one_of Yes|No',
        'Do you have children?: one_of Yes|No',
      ],
    ],
    [
      'Donation pledge: donor name, dedicate this gift? , receipt email',
      ['Donor name: text', 'Dedicate this gift?: one_of Yes|No', 'Receipt email: email'],
    ],
    [
      'Name, are you buying, selling or renting?',
      ['Name: text', 'Are you buying, selling or renting?: one_of buying|selling|renting'],
    ],
    [
      'Ask for name and whether they are single, married or divorced.',
      ['Name: text', 'Are you single, married or divorced?: one_of single|married|divorced'],
    ],
    [
      'I need a quick poll for our team lunch: pizza, sushi or tacos? And which day works best, Thursday or Friday?',
      ['Team lunch: one_of pizza|sushi|tacos', 'Which day works best?: one_of Thursday|Friday'],
    ],
    [
      'Name, which day works best, Thursday or Friday?',
      ['Name: text', 'Which day works best?: one_of Thursday|Friday'],
    ],
    [
      'Medical history: do you smoke? any chronic diseases? list current medications; blood type',
      [
        'Do you smoke?: one_of Yes|No',
        'Any chronic diseases??: text',
        'Current medications: paragraph',
        'Blood type: text',
      ],
    ],
    [
      'Event planning inquiry: type of event, venue booked?, deposit paid?, date',
      [
        'Type of event: text',
        'Venue booked?: one_of Yes|No',
        'Deposit paid?: one_of Yes|No',
        'Date: date',
      ],
    ],
    [
      'Workshop RSVP: Will you join in person or online? Name for the certificate.',
      [
        'Will you join in person or online?: one_of in person|online',
        'Name for the certificate: text',
      ],
    ],
    [
      'Mortgage lead: home price, first-time buyer?, zip code',
      ['Home price: number', 'First-time buyer?: one_of Yes|No', 'Zip code: text'],
    ],
    [
      'Technician report: job ID, work done, before and after photos, follow up required?',
      [
        'Job ID: text',
        'Work done: text',
        'Before photos: photo',
        'After photos: photo',
        'Follow up required?: one_of Yes|No',
      ],
    ],
    [
      'Product feedback: which product did you buy?, quality (1-5), what features are missing',
      [
        'Which product did you buy?: text',
        'Quality: one_of 1|2|3|4|5',
        'What features are missing: paragraph',
      ],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('one of several things, or both, may be given', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'They enter account number then new phone and/or new email and/or new address.',
      ['Account number: text', 'New phone?: phone', 'New email?: email', 'New address?: text'],
    ],
    [
      'Party size, date, time, indoor/outdoor, high chair needed?',
      [
        'Party size: number',
        'Date: date',
        'Time: text',
        'Indoor or outdoor: one_of indoor|outdoor',
        'High chair needed?: one_of Yes|No',
      ],
    ],
    [
      'Pedido: sabor (chocolate, vainilla), fecha, recoger en tienda o envío a domicilio',
      [
        'Sabor: one_of chocolate|vainilla',
        'Fecha: date',
        'Recoger en tienda o envío a domicilio: one_of recoger en tienda|envío a domicilio',
      ],
    ],
    [
      'Bug report: title, steps to reproduce, attach screenshot or video',
      ['Title: text', 'Steps to reproduce: paragraph', 'Screenshot or video: document'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
