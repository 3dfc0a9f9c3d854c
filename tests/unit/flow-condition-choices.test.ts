import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('who is asked is told by those who chose something, or by how a question is answered', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Create a form for a gym: full name, age, membership type (basic, premium), personal trainer (yes/no). Only premium members choose a trainer name.',
      [
        'Full name: text',
        'Age: number',
        'Membership type: one_of basic|premium',
        'Personal trainer: one_of yes|no',
        'Trainer name: text if membership_type is premium',
      ],
    ],
    [
      'Car service booking: plate, service (oil, tyres, other). If other, describe the problem. Preferred date.',
      [
        'Plate: text',
        'Service: one_of oil|tyres|other',
        'Describe the problem: paragraph if service is other',
        'Preferred date: date',
      ],
    ],
    [
      'Customer onboarding form. First ask if they are an individual or a business. Individuals give first and last name. Businesses give company name and tax number.',
      [
        'Are you an individual or a business?: one_of individual|business',
        'First name: text if they_are_an_individual_or_a_business is individual',
        'Last name: text if they_are_an_individual_or_a_business is individual',
        'Company name: text if they_are_an_individual_or_a_business is business',
        'Tax number: text if they_are_an_individual_or_a_business is business',
      ],
    ],
    [
      'Doctor visit: reason, new patient yes/no, if new patient: insurance company',
      [
        'Reason: paragraph',
        'New patient: one_of yes|no',
        'Insurance company: text if new_patient is yes',
      ],
    ],
    [
      'School form: student name, grade, has allergies (yes/no), allergy details - required when yes',
      [
        'Student name: text',
        'Grade: text',
        'Allergies: one_of yes|no',
        'Allergy details: paragraph if allergies is yes',
      ],
    ],
    [
      'Product survey: used before? yes/no; if yes rate 1-5; if no why not',
      [
        'Used before?: one_of Yes|No',
        'Rate: one_of 1|2|3|4|5 if used_before is Yes',
        'Why not?: paragraph if used_before is No',
      ],
    ],
    [
      'Have you ordered before? Yes or no. Order number if yes.',
      [
        'Have you ordered before?: one_of Yes|no',
        'Order number: text if have_you_ordered_before is Yes',
      ],
    ],
    [
      'Name, email, subscribe to newsletter? yes/no, topics of interest if subscribed (news, offers)',
      [
        'Name: text',
        'Email: email',
        'Subscribe to newsletter?: one_of Yes|No',
        'Topics of interest: some_of news|offers if subscribe_to_newsletter is Yes',
      ],
    ],
    [
      'Pregunta nombre, edad y si tiene hijos; en caso afirmativo, cuántos',
      [
        'Nombre: text',
        'Edad: number',
        '¿Tiene hijos?: one_of Sí|No',
        'Cuántos?: number if tiene_hijos is Sí',
      ],
    ],
    [
      'Solicitud: nombre, empleo (empleado, autónomo, desempleado), empresa solo si empleado',
      [
        'Nombre: text',
        'Empleo: one_of empleado|autónomo|desempleado',
        'Empresa: text if empleo is empleado',
      ],
    ],
    [
      'Encuesta: ¿Volvería? Sí/No. Si responde no, ¿por qué?',
      ['¿Volvería?: one_of Sí|No', '¿Por qué?: paragraph if volveria is No'],
    ],
    [
      'What would you like: tea or coffee? If coffee, with milk (yes/no)?',
      [
        'What would you like: one_of tea|coffee',
        'With milk?: one_of yes|no if what_would_you_like is coffee',
      ],
    ],
    [
      'Collect shipping details only for physical products. Product type: physical or digital.',
      [
        'Product type: one_of physical|digital',
        'Shipping details: paragraph if product_type is physical',
      ],
    ],
    [
      'Tipo: particular o empresa. Empresa: CIF y razón social',
      [
        'Tipo: one_of particular|empresa',
        'CIF: text if tipo is empresa',
        'Razón social: text if tipo is empresa',
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
      'Name, is this for a business? If not, skip. Company name.',
      ['Name: text', 'Is this for a business?: one_of Yes|No', 'Company name: text'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
