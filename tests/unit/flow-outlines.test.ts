import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { withoutLiterals } from '../../flows/outlines/literals.ts'
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
    [
      '| # | Field | Description | Type |\n|---|---|---|---|\n| 1 | Full name | The legal name | Text |\n| 2 | Service | Haircut, colour, or styling | Choice |',
      ['full_name:text', 'service:one_of(Haircut|colour|styling)'],
    ],
    [
      '{"survey":{"questions":[{"q":"How was it?","answers":["Good","Bad"]},{"q":"Why?"}]}}',
      ['how_was_it:one_of(Good|Bad)', 'why:paragraph'],
    ],
    [
      "Use this: { name: 'string', email: 'string', age: 'number' }",
      ['name:text', 'email:email', 'age:number'],
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
    [
      'title: Sizes\nfields:\n  - name: full_name\n    type: text\n    required: true\n  - name: email\n  - name: size\n    type: select\n    options: [S, M, "L, long"]\n    required: false',
      ['full_name:text', 'email:email', 'size:one_of?(S|M|L, long)'],
    ],
    [
      'A form:\n\n- Label: Your name\n  Required: yes\n- Label: Do you like it?\n  Options:\n    - Very\n    - Somewhat\n  Required: no\n\nWithout confirmation.',
      ['your_name:text', 'do_you_like_it:one_of?(Very|Somewhat)'],
    ],
    [
      'form:\n  - question: Where do you live?\n  - question: Why?\n    type: textarea',
      ['where_do_you_live:text', 'why:paragraph'],
    ],
    [
      'properties:\n  email:\n    type: string\n    format: email\n  guests:\n    type: integer\nrequired: [email]',
      ['email:email', 'guests:number?'],
    ],
    [
      "export interface Order {\n  readonly customerName: string // who\n  size: 'S' | 'M';\n  toppings: ('ham' | 'corn')[];\n  deliveryDate: Date\n  isGift?: boolean\n}",
      [
        'customerName:text',
        'size:one_of(S|M)',
        'toppings:some_of(ham|corn)',
        'deliveryDate:date',
        'isGift:one_of?(yes|no)',
      ],
    ],
    [
      'A form for type Lead = { name: string; phone?: string } please',
      ['name:text', 'phone:phone?'],
    ],
    [
      'name,type,required,options\nFull name,text,yes,\nPlan,select,yes,"Free, Pro"\nNotes,textarea,no,',
      ['full_name:text', 'plan:one_of(Free|Pro)', 'notes:paragraph?'],
    ],
    // Neither a table nor data, though they look a little like it.
    ['Name | Email | Phone', ['name:text', 'email:email', 'phone:phone']],
    [
      'Name {required}, email {optional}, size {S, M}',
      ['name:text', 'email:email?', 'size:one_of(S|M)'],
    ],
    ['Fields: {name}, {email}', ['name:text', 'email:email']],
    ['Ask for the size with options ["S","M"] and the name', ['size:one_of(S|M)', 'name:text']],
  ]
  const LINES: [prompt: string, fields: string[]][] = [
    [
      'Event\n\nName\nEmail\nDietary needs\nArrival window\nThank you',
      ['name:text', 'email:email', 'dietary_needs:text', 'arrival_window:text'],
    ],
    [
      'Section A – You\nName\nEmail\nSection B – Your visit\nDate\nRating (1-2)',
      ['name:text', 'email:email', 'date:date', 'rating:one_of(1|2)'],
    ],
    [
      'Name: [      ]\nPlan: ( ) Free ( ) Pro\nTopics: [ ] News [ ] Offers\nPhone: ____',
      ['name:text', 'plan:one_of(Free|Pro)', 'topics:some_of(News|Offers)', 'phone:phone'],
    ],
    [
      'Which sessions will you attend? (select all that apply)\n☐ Keynote\n☐ Workshop\nPreferred contact:\n○ Phone\n○ Email\nYour name',
      [
        'which_sessions_will_you_attend:some_of(Keynote|Workshop)',
        'preferred_contact:one_of(Phone|Email)',
        'name:text',
      ],
    ],
    ['Collect:\n☐ Name\n☐ Email', ['name:text', 'email:email']],
    ['☐ Name\n☐ Email', ['name:text', 'email:email']],
    [
      '1. What is your name?\n2. How did you hear of us?\n   a. Friend\n   b. Web',
      ['what_is_your_name:text', 'how_did_you_hear_of_us:one_of(Friend|Web)'],
    ],
    [
      'Create a survey with the questions below\n\nHow satisfied are you? [1-2]\nWhy?',
      ['how_satisfied_are_you:one_of(1|2)', 'why:paragraph'],
    ],
    ['Please collect → name → email → phone', ['name:text', 'email:email', 'phone:phone']],
  ]
  it.each(LINES)('%j, a form on paper, is read as it is meant', (prompt, fields) => {
    expect(asked(generateByRules('form', prompt))).toEqual(fields)
  })

  it('has a screen for each step with a heading', () => {
    const prompt = '### Step 1: About you\n- Name\n- Email\n### Step 2: Order\n- Order number'
    const form = recoverForm(generateByRules('x', prompt))
    expect(form?.fields.map(({ section, label }) => [section, label])).toEqual([
      [0, 'Name'],
      [0, 'Email'],
      [1, 'Order number'],
    ])
  })

  it.each(PROMPTS)('%j is read as it is meant', (prompt, fields) => {
    const definition = generateByRules('form', prompt)
    expect(asked(definition)).toEqual(fields)
    expect(publishingFaults(definition)).toEqual([])
  })

  it('does not follow the aliases of YAML, a few of which could stand for millions of values', () => {
    const prompt = 'fields:\n  size: &all [S, M]\n  colour: *all\n  city:\n    type: text'
    expect(asked(generateByRules('x', prompt))).not.toContain('colour:one_of(S|M)')
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

  it.each([
    '{"screens":[{"title":"You","fields":["name","email"]},{"title":"Visit","fields":["comment"]}]}',
    'screens:\n  - title: You\n    fields:\n      - name: name\n      - name: email\n  - title: Visit\n    fields:\n      - name: comment\n        type: textarea',
  ])('%j has its two screens', (prompt) => {
    const form = recoverForm(generateByRules('x', prompt))
    expect(form?.fields.map(({ section, name }) => [section, name])).toEqual([
      [0, 'name'],
      [0, 'email'],
      [1, 'comment'],
    ])
  })

  it.each(['Fields: name, flow token', '["name", "flow_token"]'])(
    '%s leaves the name of the token that the channel adds to each reply',
    (prompt) => {
      expect(asked(generateByRules('x', prompt))).toEqual(['name:text', 'flow_token_2:text'])
    },
  )

  it('reads a field that is called as lists of screens are', () => {
    const prompt = '{"name": "string", "sections": ["A", "B"]}'
    expect(asked(generateByRules('x', prompt))).toEqual(['name:text', 'sections:one_of(A|B)'])
  })

  it.each([
    ['brackets in brackets', `{ name: ${'{ a: '.repeat(9)}text${' }'.repeat(9)} }`],
    ['brackets that are not closed', `fields:\n  - name: a\n    type: ${'{'.repeat(9)}`],
    ['lists on one line', `fields:\n  - name: a\n    type: ${'- '.repeat(9)}x`],
    ['keys of keys', `fields:\n  - name: a\n    type: ${'? '.repeat(9)}`],
  ])('does not read as YAML what would take it minutes: %s', (_what, prompt) => {
    expect(withoutLiterals(prompt)).toBeNull()
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
