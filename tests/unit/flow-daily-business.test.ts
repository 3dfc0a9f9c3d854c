import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('what is asked for is found where it stands', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      "I need to know from my gym members why they are leaving. Options: price, location, other. Also how long they were a member and if they'd consider coming back.",
      [
        'Why you are leaving: one_of price|location|other',
        'How long you were a member: text',
        'Would you consider coming back?: one_of Yes|No',
      ],
    ],
    [
      'collect name, company and what they want to talk about for a demo booking, with a preferred date & time',
      [
        'Name: text',
        'Company: text',
        'What you want to talk about for a demo booking: text',
        'Preferred date: date',
        'Preferred time: text',
      ],
    ],
    [
      'survey for teens, ages 13-19: favourite social network, hours per day on phone, comments',
      ['Favourite social network: text', 'Hours per day on phone: number', 'Comments: paragraph'],
    ],
    [
      'Ask new employees for bank details: account holder, IBAN. Also emergency contact: name, relationship and phone.',
      [
        'Account holder: text',
        'IBAN: text',
        'Emergency contact name: text',
        'Emergency contact relationship: text',
        'Emergency contact phone: phone',
      ],
    ],
    [
      'Landscaping: lot size, address, when do you want it done, budget',
      ['Lot size: text', 'Address: text', 'When do you want it done: date', 'Budget: number'],
    ],
    [
      'Survey after a webinar: which topic would you like next, may we contact you? if yes leave email',
      [
        'Which topic would you like next: text',
        'May we contact you?: one_of Yes|No',
        'Email: email if may_we_contact_you is Yes',
      ],
    ],
    [
      'Let customers report damaged packages with tracking number, photos of the box and the item',
      ['Tracking number: text', 'Photos of box: photo', 'Photos of item: photo'],
    ],
    [
      'Pet sitting: type and number of pets, feeding instructions',
      ['Type of pets: text', 'Number of pets: number', 'Feeding instructions: paragraph'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

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
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})

describe('a word for one thing is none for another', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Create a flow for late check-out requests. The guest should give their room number and accept the extra fee of $20.',
      ['Room number: text', 'I accept the extra fee of $20: consent'],
    ],
    [
      'Intake form: age, foods you dislike and a typical day of eating',
      ['Age: number', 'Foods you dislike: text', 'Typical day of eating: text'],
    ],
    [
      'Pedido mayorista: producto, fecha requerida, observaciones',
      ['Producto: text', 'Fecha requerida: date', 'Observaciones: paragraph'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
