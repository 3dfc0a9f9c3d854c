import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('a wish that is said of several things', () => {
  it.each<[prompt: string, asked: string[]]>([
    ['Company and job title, both optional', ['Company?: text', 'Job title?: text']],
    [
      'Signup: name, email; company and job title, both optional',
      ['Name: text', 'Email: email', 'Company?: text', 'Job title?: text'],
    ],
    [
      'Name, email, company and job title. The last two are optional.',
      ['Name: text', 'Email: email', 'Company?: text', 'Job title?: text'],
    ],
    [
      'Name, email, company, phone (last two optional)',
      ['Name: text', 'Email: email', 'Company?: text', 'Phone?: phone'],
    ],
    [
      'Name, email, company, phone - the last two are optional',
      ['Name: text', 'Email: email', 'Company?: text', 'Phone?: phone'],
    ],
    [
      'Name, email, company and phone; only the first two are required',
      ['Name: text', 'Email: email', 'Company?: text', 'Phone?: phone'],
    ],
    [
      'Name and email, both required, and a message',
      ['Name: text', 'Email: email', 'Message?: paragraph'],
    ],
    [
      'Name, email and phone, none of them required',
      ['Name?: text', 'Email?: email', 'Phone?: phone'],
    ],
    [
      'Nombre, correo, empresa y teléfono; los dos últimos opcionales',
      ['Nombre: text', 'Correo: email', 'Empresa?: text', 'Teléfono?: phone'],
    ],
    [
      'Nombre, correo y empresa, los tres obligatorios',
      ['Nombre: text', 'Correo: email', 'Empresa: text'],
    ],
    ['Two optional fields: company and job title', ['Company?: text', 'Job title?: text']],
    [
      'Name, phone and email required, company, website and notes optional',
      [
        'Name: text',
        'Phone: phone',
        'Email: email',
        'Company?: text',
        'Website?: text',
        'Notes?: paragraph',
      ],
    ],
    ['Name required, email and phone optional', ['Name: text', 'Email?: email', 'Phone?: phone']],
    [
      'Nombre y correo obligatorios, teléfono y empresa opcionales',
      ['Nombre: text', 'Correo: email', 'Teléfono?: phone', 'Empresa?: text'],
    ],
    [
      'Contact form: name and email are required, phone and company are optional, and a message',
      ['Name: text', 'Email: email', 'Phone?: phone', 'Company?: text', 'Message: paragraph'],
    ],
    [
      'Contact form: name and email are required, and a message',
      ['Name: text', 'Email: email', 'Message?: paragraph'],
    ],
    [
      'Form with name, email, phone and company: name and email are required, the rest optional',
      ['Name: text', 'Email: email', 'Phone?: phone', 'Company?: text'],
    ],
    [
      'Form with name, email, phone and company: only name is required',
      ['Name: text', 'Email?: email', 'Phone?: phone', 'Company?: text'],
    ],
    [
      'name, id, dob, country - all mandatory; phone optional',
      ['Name: text', 'Id: text', 'Dob: date', 'Country: text', 'Phone?: phone'],
    ],
    [
      'Name, email, phone number (both email and phone optional)',
      ['Name: text', 'Email?: email', 'Phone number?: phone'],
    ],
    [
      'Guest registration for a hotel: name, passport number, arrival, departure - all mandatory - plus special requests',
      [
        'Name: text',
        'Passport number: text',
        'Arrival: date',
        'Departure: date',
        'Special requests?: paragraph',
      ],
    ],
  ])('%j is read as it is meant', (prompt, asked) => {
    expect(shown(generateByRules('f', prompt))).toEqual(asked)
  })
})

describe('a wish in other words', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Ask for name, email and phone. Phone can be skipped.',
      ['Name: text', 'Email: email', 'Phone?: phone'],
    ],
    [
      'Ask for name, email and phone. They can leave the phone blank.',
      ['Name: text', 'Email: email', 'Phone?: phone'],
    ],
    [
      "Ask for name, email and phone but don't make phone mandatory",
      ['Name: text', 'Email: email', 'Phone?: phone'],
    ],
    [
      'Only the name is mandatory: name, email, phone',
      ['Name: text', 'Email?: email', 'Phone?: phone'],
    ],
    [
      'All fields are required except notes: name, phone, notes',
      ['Name: text', 'Phone: phone', 'Notes?: paragraph'],
    ],
    [
      'All fields required except the last one: name, phone, notes',
      ['Name: text', 'Phone: phone', 'Notes?: paragraph'],
    ],
    [
      'Everything is optional besides the name. Fields: name, phone, notes',
      ['Name: text', 'Phone?: phone', 'Notes?: paragraph'],
    ],
    [
      'Make all optional: name, phone, notes',
      ['Name?: text', 'Phone?: phone', 'Notes?: paragraph'],
    ],
    [
      'Name, phone, notes; nothing is mandatory',
      ['Name?: text', 'Phone?: phone', 'Notes?: paragraph'],
    ],
    [
      "Name, phone, notes. Don't force them to answer anything.",
      ['Name?: text', 'Phone?: phone', 'Notes?: paragraph'],
    ],
    [
      'Name, phone and, optionally, a comment',
      ['Name: text', 'Phone: phone', 'Comment?: paragraph'],
    ],
    [
      'Name, phone, and a comment which is optional',
      ['Name: text', 'Phone: phone', 'Comment?: paragraph'],
    ],
    ['Nombre y, si quieren, un comentario', ['Nombre: text', 'Comentario?: paragraph']],
    [
      'Todos los campos son obligatorios menos el comentario: nombre, correo, comentario',
      ['Nombre: text', 'Correo: email', 'Comentario?: paragraph'],
    ],
    [
      'Nombre, correo, comentario. Solo es obligatorio el nombre.',
      ['Nombre: text', 'Correo?: email', 'Comentario?: paragraph'],
    ],
    [
      'Name and phone must be provided, email if available',
      ['Name: text', 'Phone: phone', 'Email?: email'],
    ],
    ['name (mandatory), email (non-mandatory)', ['Name: text', 'Email?: email']],
    [
      'Name, email and phone number where phone is optional',
      ['Name: text', 'Email: email', 'Phone number?: phone'],
    ],
    [
      'Name, email and phone, with the email optional',
      ['Name: text', 'Email?: email', 'Phone: phone'],
    ],
    [
      'Name, email, phone. The email should not be required.',
      ['Name: text', 'Email?: email', 'Phone: phone'],
    ],
    [
      "Name, email, phone. It's ok if they don't give the phone.",
      ['Name: text', 'Email: email', 'Phone?: phone'],
    ],
    [
      'The user must enter name and phone; may enter notes',
      ['Name: text', 'Phone: phone', 'Notes?: paragraph'],
    ],
    [
      'Full name, email; phone is a nice-to-have',
      ['Full name: text', 'Email: email', 'Phone?: phone'],
    ],
    [
      'Name and email are a must, everything else is optional: phone, company, notes',
      ['Name: text', 'Email: email', 'Phone?: phone', 'Company?: text', 'Notes?: paragraph'],
    ],
    [
      'Must have: name, phone. Nice to have: email, notes',
      ['Name: text', 'Phone: phone', 'Email?: email', 'Notes?: paragraph'],
    ],
    [
      'Name and phone are compulsory. Email is not.',
      ['Name: text', 'Phone: phone', 'Email?: email'],
    ],
    [
      'I need the name and phone for sure, and maybe the email',
      ['Name: text', 'Phone: phone', 'Email?: email'],
    ],
    [
      'At minimum name and phone, optionally address and notes',
      ['Name: text', 'Phone: phone', 'Address?: text', 'Notes?: paragraph'],
    ],
    [
      'At least the name is required, other fields (phone, address) optional',
      ['Name: text', 'Phone?: phone', 'Address?: text'],
    ],
    [
      'Name - required, Phone - required, Notes - optional',
      ['Name: text', 'Phone: phone', 'Notes?: paragraph'],
    ],
    [
      "Customers don't have to give an email. Ask for name, email, phone.",
      ['Name: text', 'Email?: email', 'Phone: phone'],
    ],
    [
      "Ask for name, email, phone (don't require the email)",
      ['Name: text', 'Email?: email', 'Phone: phone'],
    ],
    [
      'Ask for name, email (can be left blank), phone',
      ['Name: text', 'Email?: email', 'Phone: phone'],
    ],
    [
      'Ask for name, email (leave blank if none), phone',
      ['Name: text', 'Email?: email', 'Phone: phone'],
    ],
    [
      'Ask for name and size (S, M, L). Size must be chosen.',
      ['Name?: text', 'Size: one_of S|M|L'],
    ],
    [
      'Ask for a name, which must be filled in, and a comment',
      ['Name: text', 'Comment?: paragraph'],
    ],
    [
      'Nombre y teléfono son obligatorios, lo demás opcional: correo, empresa',
      ['Nombre: text', 'Teléfono: phone', 'Correo?: email', 'Empresa?: text'],
    ],
    [
      'Nombre, teléfono y correo; el correo puede quedar vacío',
      ['Nombre: text', 'Teléfono: phone', 'Correo?: email'],
    ],
    [
      'Pide nombre y teléfono obligatoriamente y correo de forma opcional',
      ['Nombre: text', 'Teléfono: phone', 'Correo?: email'],
    ],
    [
      'Ask the name, phone and if they want a specific barber; the barber is optional.',
      ['Name: text', 'Phone: phone', 'Do you want a specific barber??: one_of Yes|No'],
    ],
    [
      'Lead form. Name, company, phone. Only name and phone are needed.',
      ['Name: text', 'Company?: text', 'Phone: phone'],
    ],
    [
      "Lead form. Name, company, phone. Company not needed if they don't have one.",
      ['Name: text', 'Company?: text', 'Phone: phone'],
    ],
    [
      'Gym trial: name and goal are mandatory. Everything else (injuries, preferred time) is optional.',
      ['Name: text', 'Goal: text', 'Injuries?: text', 'Preferred time?: text'],
    ],
    ['Pedir nombre y, de ser posible, el correo', ['Nombre: text', 'Correo?: email']],
    ["Ask for the name. The email too, but it's optional.", ['Name: text', 'Email?: email']],
    [
      "Ask for the name. Also the email, though it isn't required.",
      ['Name: text', 'Email?: email'],
    ],
    [
      'Ask for name, and if they feel like it, a short review',
      ['Name: text', 'Short review?: paragraph'],
    ],
  ])('%j is read as it is meant', (prompt, asked) => {
    expect(shown(generateByRules('f', prompt))).toEqual(asked)
  })
})
