import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked } from '../support/flow-parts.ts'

const SCHEMA = {
  type: 'object',
  title: 'Visit survey',
  properties: {
    email: { type: 'string', format: 'email' },
    rating: { type: 'integer', minimum: 1, maximum: 3 },
    branch: { enum: ['North', 'South, old', null] },
    interests: { type: 'array', items: { type: 'string', enum: ['Music', 'Art'] } },
    address: { type: 'object', properties: { street: { type: 'string' }, city: {} } },
    birthDate: { type: ['string', 'null'], format: 'date' },
    acceptTerms: { type: 'boolean', title: 'I accept the terms' },
  },
  required: ['email', 'rating', 'acceptTerms'],
}
const FIELDS_OF_SCHEMA = [
  'email:email',
  'rating:one_of(1|2|3)',
  'branch:one_of?(North|South, old)',
  'interests:some_of?(Music|Art)',
  'street:text?',
  'city:text?',
  'birthDate:date?',
  'acceptTerms:consent',
]

describe('a prompt with a table or with JSON', () => {
  const PROMPTS: [prompt: string, fields: string[]][] = [
    [
      '| Field | Type | Required |\n|---|---|---|\n| Name | text | yes |\n| Email | email | yes |\n| Comments | long text | no |',
      ['name:text', 'email:email', 'comments:paragraph?'],
    ],
    [
      'Create a form:\n| Question | Options |\n| --- | --- |\n| Size? | S, M, L |\n| Paid? | yes / no |',
      ['size:one_of(S|M|L)', 'paid:one_of(yes|no)'],
    ],
    [
      'For new patients:\n\n| Label | Key | Type | Notes |\n|:--|:-:|--:|---|\n| **Full name** | `full_name` | string | required |\n| Pain level | pain | number | from 0 to 2 |\n| Allergies | allergies | text | optional |\n\nWithout confirmation.',
      ['full_name:text', 'pain:one_of(0|1|2)', 'allergies:text?'],
    ],
    [
      '| Campo | Tipo | Obligatorio |\n|---|---|---|\n| Nombre completo | texto | sí |\n| Teléfono | teléfono | sí |\n| Comentarios | texto largo | no |\n| Acepto los términos | booleano | sí |',
      [
        'nombre_completo:text',
        'telefono:phone',
        'comentarios:paragraph?',
        'acepto_los_terminos:consent',
      ],
    ],
    [
      'Field\tType\tOptional\nFirst name\ttext\tno\nPlan\tdropdown (Free, Pro)\tno\nNotes\ttextarea\tyes',
      ['first_name:text', 'plan:one_of(Free|Pro)', 'notes:paragraph?'],
    ],
    [
      '| Name | Email | Phone |\n|---|---|---|\n| | | |',
      ['name:text', 'email:email', 'phone:phone'],
    ],
    ['| Name* | Email |\n|---|---|\n| Ann | ann@example.com |', ['name:text', 'email:email']],
    ['| Field |\n|---|\n| Name* |\n| Photo |', ['name:text', 'photo:photo?']],
    [
      '| Question | Type | Choices |\n|---|---|---|\n| Extras | checkboxes | Cheese<br>Ham \\| eggs |\n| Stay | rating | - |\n| Is it a gift? | checkbox | n/a |',
      ['extras:some_of(Cheese|Ham|eggs)', 'stay:one_of(1|2|3|4|5)', 'is_it_a_gift:one_of(yes|no)'],
    ],
    [
      '{"name": "string", "age": "integer", "plan": ["basic", "pro"], "member": "boolean"}',
      ['name:text', 'age:number', 'plan:one_of(basic|pro)', 'member:one_of(yes|no)'],
    ],
    [
      '{"name": "Ann Lee", "email": "ann@example.com", "mobile": "+1 555-0123", "guests": 2, "visitDate": "2026-01-05", "isMember": true, "score": "1-3", "note": null, "parts": [{}]}',
      [
        'name:text',
        'email:email',
        'mobile:phone',
        'guests:number',
        'visitDate:date',
        'isMember:one_of(yes|no)',
        'score:one_of(1|2|3)',
        'note:paragraph',
        'parts:text',
      ],
    ],
    ['["Name", "Email"]', ['name:text', 'email:email']],
    ['["name", "email", "preferred_date"]', ['name:text', 'email:email', 'preferred_date:date']],
    [
      'A booking form: [{"name":"fullName","label":"Full name","required":true},{"id":"CustomerID","type":"text","required":true},{"name":"notes","type":"textarea","required":false}]',
      ['fullName:text', 'CustomerID:text', 'notes:paragraph?'],
    ],
    [
      '{"fields":[{"question":"How did you hear about us?","options":[{"id":"f","title":"Friend"},{"id":"w","title":"Web (search)"}]},{"question":"Email","type":"email","optional":true}]}',
      ['how_did_you_hear_about_us:one_of(Friend|Web search)', 'email:email?'],
    ],
    [JSON.stringify(SCHEMA), FIELDS_OF_SCHEMA],
    [
      `Build a form from this:\n\`\`\`json\n${JSON.stringify(SCHEMA, null, 2)}\n\`\`\`\nThanks!`,
      FIELDS_OF_SCHEMA,
    ],
    // Neither a table nor JSON, though they look a little like it.
    ['Name | Email | Phone', ['name:text', 'email:email', 'phone:phone']],
    [
      'Name {required}, email {optional}, size {S, M}',
      ['name:text', 'email:email?', 'size:one_of(S|M)'],
    ],
    ['Fields: {name}, {email}', ['name:text', 'email:email']],
    ['Ask for the size with options ["S","M"] and the name', ['size:one_of(S|M)', 'name:text']],
  ]
  it.each(PROMPTS)('%j is read as it is meant', (prompt, fields) => {
    const definition = generateByRules('form', prompt)
    expect(asked(definition)).toEqual(fields)
    expect(publishingFaults(definition)).toEqual([])
  })

  it('gives the form its title and its screens', () => {
    const screens = [
      { title: 'You', fields: [{ name: 'name' }, { name: 'email' }] },
      { title: 'Visit', fields: [{ name: 'comment', type: 'textarea' }] },
    ]
    const form = recoverForm(generateByRules('x', JSON.stringify({ title: 'Your visit', screens })))
    expect(form?.title).toBe('Your visit')
    expect(form?.fields.map(({ section, name }) => [section, name])).toEqual([
      [0, 'name'],
      [0, 'email'],
      [1, 'comment'],
    ])
  })

  it('names the answers by default where two would have the same name', () => {
    const fields = [
      { name: 'email', label: 'Private email' },
      { name: 'private_email', label: 'Email' },
      { name: 'email', label: 'Work email' },
    ]
    const definition = generateByRules('x', JSON.stringify(fields))
    expect(asked(definition)).toEqual(['private_email:email', 'email:email', 'work_email:email'])
  })

  it.each([
    '{}',
    '[]',
    '{"version":"7.3","screens":[{"id":"A","layout":{"children":[]}}]}',
    '| |\n|-|',
  ])('%s, which asks for nothing, is refused', (prompt) => {
    expect(generateByRules('x', prompt)).toMatch(/^no fields of a form were found/)
  })
})
