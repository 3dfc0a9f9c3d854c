import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked, FOUR, FOUR_FIELDS } from '../support/flow-parts.ts'

describe('an instruction', () => {
  const built = generateByRules('f', FOUR)
  const [name, email, phone, size] = FOUR_FIELDS
  const EDITS: [instruction: string, fields: string[]][] = [
    ['Add an optional comment after email', [name, email, 'comment:paragraph?', phone, size]],
    ['Remove the phone field', [name, email, size]],
    ['make email optional', [name, 'email:email?', phone, size]],
    [
      'Make the phone mandatory and the email optional',
      [name, 'email:email?', 'phone:phone', size],
    ],
    ['haz el phone obligatorio y el email opcional', [name, 'email:email?', 'phone:phone', size]],
    [
      'make name and email optional and phone required',
      ['name:text?', 'email:email?', 'phone:phone', size],
    ],
    ['I want the phone to be required', [name, email, 'phone:phone', size]],
    ['quiero que el email sea opcional', [name, 'email:email?', phone, size]],
    ['allow customers to skip the email', [name, 'email:email?', phone, size]],
    ['insert city between email and phone', [name, email, 'city:text', phone, size]],
    ['añade ciudad entre phone y email', [name, email, 'ciudad:text', phone, size]],
    ['add 2 more questions: age and city', [name, email, phone, size, 'age:number', 'city:text']],
    ['add two new fields: age, city', [name, email, phone, size, 'age:number', 'city:text']],
    [
      'add newsletter and call back',
      [name, email, phone, size, 'newsletter:text', 'call_back:text'],
    ],
    ['no phone', [name, email, size]],
    ['No need for the phone anymore', [name, email, size]],
    ["There's no need to ask for the phone", [name, email, size]],
    [
      'I also want to know how they found us (Google, friend)',
      [...FOUR_FIELDS, 'how_they_found_us:one_of(Google|friend)'],
    ],
    [
      'The size question should have another option: XL',
      [name, email, phone, 'size:one_of(S|M|L|XL)'],
    ],
    ['Size should have one more choice XL', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['Add an option "XL" to size', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['Change "Size" to "T-shirt size"', [...FOUR_FIELDS]],
    ["I'd like the email to be optional", [name, 'email:email?', phone, size]],
    ['Make the form shorter: only name and email', [name, email]],
    ['Take away the size question please', [name, email, phone]],
    ['Also need their address', [...FOUR_FIELDS, 'address:text']],
    ['Pregunta también la fecha de nacimiento', [...FOUR_FIELDS, 'fecha_de_nacimiento:date']],
    [
      'Add a question asking if they have allergies',
      [...FOUR_FIELDS, 'they_have_allergies:one_of(Yes|No)'],
    ],
    [
      'Add "How did you find us?" with Google, Instagram',
      [...FOUR_FIELDS, 'how_did_you_find_us:one_of(Google|Instagram)'],
    ],
    ['remove required from email', [name, 'email:email?', phone, size]],
    ['make the phone a required field', [name, email, 'phone:phone', size]],
    ['Change email to be the last question', [name, phone, size, email]],
    ['Phone must come before everything else', [phone, name, email, size]],
    ['Rather than size ask for color (red, blue)', [name, email, phone, 'color:one_of(red|blue)']],
    ['include a place for comments', [name, email, phone, size, 'comments:paragraph']],
    ['Drop S and add XL', [name, email, phone, 'size:one_of(M|L|XL)']],
    ['make the sizes Small/Medium/Large', [name, email, phone, 'size:one_of(Small|Medium|Large)']],
    [
      'Could we have the size as checkboxes so people can choose more than one?',
      [name, email, phone, 'size:some_of(S|M|L)'],
    ],
    ['haz que size permita varias opciones', [name, email, phone, 'size:some_of(S|M|L)']],
    [
      'Add a yes/no question at the beginning: first visit?',
      ['first_visit:one_of(yes|no)', name, email, phone, size],
    ],
    ['Add a city at the start', ['city:text', name, email, phone, size]],
    ['the name is not necessary', ['name:text?', email, phone, size]],
    [
      'add preferred contact method: phone, email, WhatsApp',
      [name, email, phone, size, 'preferred_contact_method:one_of(phone|email|WhatsApp)'],
    ],
    ['delete question 3', [name, email, size]],
    [
      'add a question after question 1 asking for their age',
      [name, 'age:number', email, phone, size],
    ],
    ['cambia el orden: primero email, luego name', [email, name, phone, size]],
    [
      'agrega una pregunta de sí o no: ¿es cliente nuevo?',
      [name, email, phone, size, 'es_cliente_nuevo:one_of(sí|no)'],
    ],
    [
      'Make the size question a dropdown with S, M, L, XL and XXL',
      [name, email, phone, 'size:one_of(S|M|L|XL|XXL)'],
    ],
    [
      'Turn the name into a checkbox list of red, green',
      ['name:some_of(red|green)', email, phone, size],
    ],
    [
      'The email should be optional and the phone required',
      [name, 'email:email?', 'phone:phone', size],
    ],
    ['email optional, phone required', [name, 'email:email?', 'phone:phone', size]],
    ['Put the size first, then phone', [size, phone, name, email]],
    ['Rename size to fit and add 3XL', [name, email, phone, 'size:one_of(S|M|L|3XL)']],
    [
      'Add a rating from 1 to 3 before size, call it "How was it?"',
      [name, email, phone, 'rating:one_of(1|2|3)', size],
    ],
    ['only ask for name and email', [name, email]],
    ['Make the phone required and remove size', [name, email, 'phone:phone']],
    [
      'set the options of size to Small, Medium and Large',
      [name, email, phone, 'size:one_of(Small|Medium|Large)'],
    ],
    ['add option XL to size', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['remove option M from size', [name, email, phone, 'size:one_of(S|L)']],
    [
      'Add a consent checkbox for the privacy policy',
      [name, email, phone, size, 'consent_for_the_privacy_policy:consent'],
    ],
    [
      'Add consent to the terms at https://shop.example/terms',
      [name, email, phone, size, 'consent_to_the_terms:consent'],
    ],
    [
      'Agrega un campo de fecha de nacimiento opcional',
      [name, email, phone, size, 'fecha_de_nacimiento:date?'],
    ],
    ['haz que el email sea opcional', [name, 'email:email?', phone, size]],
    ['quita phone', [name, email, size]],
    ['require the phone', [name, email, 'phone:phone', size]],
    ['phone is required', [name, email, 'phone:phone', size]],
    ['the email and the name are optional', ['name:text?', 'email:email?', phone, size]],
    ['make email not required', [name, 'email:email?', phone, size]],
    ['the email should not be required', [name, 'email:email?', phone, size]],
    ['release the email and require the phone', [name, 'email:email?', 'phone:phone', size]],
    ['add XL to the choices of size', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['remove M from the options of size', [name, email, phone, 'size:one_of(S|L)']],
    ['add a comment that is optional', [name, email, phone, size, 'comment:paragraph?']],
    ['Make all fields optional', ['name:text?', 'email:email?', phone, 'size:one_of?(S|M|L)']],
    ['make all required', [name, email, 'phone:phone', size]],
    ['make phone not optional', [name, email, 'phone:phone', size]],
    ['the email should be optional', [name, 'email:email?', phone, size]],
    ['make   email\toptional', [name, 'email:email?', phone, size]],
    ['make email optional. Remove phone.', [name, 'email:email?', size]],
    ['rename email to "Post"; make email optional', [name, 'email:email?', phone, size]],
    ['rename email to "Post"; make post optional', [name, 'email:email?', phone, size]],
    ['add option M to size', [name, email, phone, size]],
    ['add a comment before email', [name, 'comment:paragraph', email, phone, size]],
    ['añade comentarios después de email', [name, email, 'comentarios:paragraph', phone, size]],
    ['añade comentarios antes de email', [name, 'comentarios:paragraph', email, phone, size]],
    ['renombra email por correo', [name, email, phone, size]],
    ['elimina email y phone', [name, size]],
    ['add a colour (red, blue)', [name, email, phone, size, 'colour:one_of(red|blue)']],
    [
      'add colour with options red, blue and green',
      [name, email, phone, size, 'colour:one_of(red|blue|green)'],
    ],
    [
      'añade ¿Te gustó el servicio?',
      [name, email, phone, size, 'te_gusto_el_servicio:one_of(Sí|No)'],
    ],
  ]
  it.each(EDITS)('is done, and nothing else: %s', (instruction, fields) => {
    const updated = updateByRules(built, instruction)
    expect(publishingFaults(updated)).toEqual([])
    expect(asked(updated)).toEqual(fields)
  })

  it('renames a label and leaves the name under which replies come', () => {
    const form = recoverForm(updateByRules(built, 'rename name to "Full name"'))
    expect(form?.fields[0]).toMatchObject({ name: 'name', label: 'Full name' })
  })

  it('changes the title', () => {
    const form = recoverForm(updateByRules(built, 'Change the title to "Talk to us"'))
    expect(form?.title).toBe('Talk to us')
    expect(recoverForm(updateByRules(built, 'set title to «hola»'))?.title).toBe('Hola')
  })

  it('takes the review away, and puts it there again', () => {
    const without = updateByRules(built, 'Remove the confirmation screen')
    expect(recoverForm(without)).toMatchObject({ isReviewed: false })
    const again = updateByRules(without, 'add a review')
    expect(again).toEqual(built)
  })

  it('in English does not make the form that is changed English', () => {
    const spanish = generateByRules('f', 'Formulario con nombre y correo')
    const form = recoverForm(updateByRules(spanish, 'add GDPR consent'))
    expect(form?.language).toBe('es')
    expect(form?.fields.at(-1)).toMatchObject({ label: 'Autorizo el uso de mis datos' })
  })

  const REFUSED = [
    ...[
      'do something nice',
      'remove the foo',
      'add option XL to name',
      'remove option Q from size',
    ],
    ...['remove name, email, phone and size', 'make it blue', '', 'rename foo to bar'],
    ...[
      'make email optional and remove the foo',
      'set the options of size to L',
      'make "" optional',
    ],
    ...['change the title to ""', 'rename name to ""', `rename name to ${'x'.repeat(121)}`],
    ...[
      'add email',
      'add an Email field',
      'add a comment after foo',
      'add XL to the choices of foo',
    ],
  ]
  it.each(REFUSED)('that cannot be done changes nothing: %j', (instruction) => {
    expect(updateByRules(built, instruction)).toEqual(expect.any(String))
  })

  it('takes a label of 120 characters', () => {
    const label = `X${'x'.repeat(119)}`
    const form = recoverForm(updateByRules(built, `rename name to "${label}"`))
    expect(form?.fields[0]).toMatchObject({ label })
  })

  it('that may mean one field or another changes none', () => {
    const numbers = generateByRules('f', 'Fields: phone number, policy number')
    expect(updateByRules(numbers, 'remove number')).toEqual(expect.any(String))
    expect(asked(updateByRules(numbers, 'remove policy'))).toEqual(['phone_number:phone'])
  })

  const words = (length: number) => Array.from({ length }, (_, n) => `w${n}`).join(', ')
  const fields = Array.from({ length: 50 }, (_, n) => `name of person ${n + 1}`).join(', ')
  const consents = ['a', 'b', 'c', 'd', 'e'].map((what) => `consent to ${what}`).join(', ')
  const MOST: [what: string, prompt: string, done: string, refused: string][] = [
    [
      'what is left of fields',
      'Fields: name, email',
      'remove name',
      'remove name and remove email',
    ],
    ['the fields of a form', fields, 'remove name of person 3 and add email', 'add email'],
    ['its agreements', consents, 'remove consent to a, add consent to g', 'add consent to g'],
    [
      'the choices of one',
      'Fields: size (S, M)',
      `set the options of size to ${words(200)}`,
      `set the options of size to ${words(201)}`,
    ],
    [
      'the choices of several',
      'Fields: toppings (multiple choice: a, b)',
      `set the options of toppings to ${words(20)}`,
      `set the options of toppings to ${words(21)}`,
    ],
    [
      'what is left of choices',
      'Fields: toppings (multiple choice: a, b)',
      'remove option a from toppings',
      'remove option a from toppings and remove option b from toppings',
    ],
  ]
  it.each(MOST)('goes as far as %s may, and no further', (_what, prompt, done, refused) => {
    const definition = generateByRules('f', prompt)
    expect(publishingFaults(updateByRules(definition, done))).toEqual([])
    const answer = updateByRules(definition, refused)
    expect(answer).toEqual(expect.stringContaining('more than a form can have'))
  })

  it('is not done on a flow that was made elsewhere, which would lose what it has', () => {
    const other = structuredClone(built) as { screens: { layout: { children: object[] } }[] }
    other.screens[0]?.layout.children.unshift({ type: 'Image', src: 'aGk=' })
    expect(updateByRules(other, 'remove phone')).toEqual(expect.any(String))
  })
})
