import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked } from '../support/flow-parts.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

const numbers = (length: number) => Array.from({ length }, (_, n) => String(n + 1))
const words = (length: number) => Array.from({ length }, (_, n) => `w${n}`)

describe('a prompt', () => {
  const PROMPTS: [prompt: string, fields: string[]][] = [
    // Scales.
    ['Fields: score from 1 to 20', [`score:one_of(${numbers(20).join('|')})`]],
    ['Fields: score from 1 to 21', ['score:number']],
    ['Fields: score from 10 to 1', ['score_from_10_to_1:one_of(1|2|3|4|5)']],
    ['Fields: score from 3 to 3', ['score_from_3_to_3:one_of(1|2|3|4|5)']],
    ['Fields: name, satisfaction rating', ['name:text', 'satisfaction_rating:one_of(1|2|3|4|5)']],
    ['name, colour (1-3)', ['name:text', 'colour:one_of(1|2|3)']],
    // Questions.
    [
      '¿Te gustó el servicio? ¿Qué mejorarías?',
      ['te_gusto_el_servicio:one_of(Sí|No)', 'que_mejorarias:paragraph'],
    ],
    ['What is your name? How old are you?', ['what_is_your_name:text', 'how_old_are_you:number']],
    ['Is it from 1 to 5?', ['is_it_from_1_to_5:one_of(Yes|No)']],
    ['Where is it?', ['where_is_it:text']],
    // What is said of fields.
    [
      'Ask for name, email and phone. All fields are optional except name.',
      ['name:text', 'email:email?', 'phone:phone?'],
    ],
    ['Ask for name and email. Every field is optional.', ['name:text?', 'email:email?']],
    ['Ask for name and email (optional). All fields are required.', ['name:text', 'email:email?']],
    [
      'Ask for phone number and email. The phone is optional.',
      ['phone_number:phone?', 'email:email'],
    ],
    ['Ask for phone and email. The phone number is optional.', ['phone:phone?', 'email:email']],
    ['name (required), email, phone (optional)', ['name:text', 'email:email', 'phone:phone?']],
    [
      '- Name (required)\n- Email\n- Consent to terms',
      ['name:text', 'email:email?', 'consent_to_terms:consent'],
    ],
    // What stands in brackets.
    ['name, colour (e.g. red, blue), email', ['name:text', 'colour:text', 'email:email']],
    [
      'name, reference (text), weight (number), born (date)',
      ['name:text', 'reference:text', 'weight:number', 'born:date'],
    ],
    ['name, hat (text, number)', ['name:text', 'hat:number']],
    ['name, hat (paragraph)', ['name:text', 'hat:paragraph']],
    ['name, hat (dropdown)', ['name:text', 'hat:text']],
    ['name and size (M)', ['name:text', 'size:text']],
    ['name and size (M, M, L)', ['name:text', 'size:one_of(M|L)']],
    ['name) and (email, phone', ['name:text', 'email_phone:email']],
    // Lists and what is in them.
    ['name, email, name', ['name:text', 'email:email']],
    ['name and "Favourite thing"', ['name:text', 'favourite_thing:text']],
    ['hat, size, foo', ['hat:text', 'size:text', 'foo:text']],
    ['name, and/or email', ['name:text?', 'email:email?']],
    ['name, size either S or M, email', ['name:text', 'size:one_of(S|M)', 'email:email']],
    ['- Size one of S, M or L, XL', ['size:one_of(S|M|L|XL)']],
    [
      'name, hat between small and large, email',
      ['name:text', 'hat:one_of(small|large)', 'email:email'],
    ],
    [
      'Ask for the following:\nFull name\nFavourite thing\nEmail',
      ['full_name:text', 'favourite_thing:text', 'email:email'],
    ],
    ['- Name\n- Confirmation screen', ['name:text']],
    ['Form titled "Name and email" with phone', ['phone:phone']],
    ['size (S, M), email. Ask for size (L, XL)', ['size:one_of(S|M)', 'email:email']],
    [
      'Ask for name, size one of small, medium or large, hat',
      ['name:text', 'size:one_of(small|medium|large)', 'hat:text'],
    ],
    ['Ask for hat between small and large, shoe', ['hat:one_of(small|large)', 'shoe:text']],
    ['Ask for size one of S, M, email', ['size:one_of(S|M)', 'email:email']],
    ['Fields: phone. Title: "Name and email"', ['phone:phone']],
    ['Ask for name and text', ['name:text', 'text:text']],
    ['Formulario con categoría (selección múltiple: A, B)', ['categoria:some_of(A|B)']],
    // What may be agreed to, which nobody is left out of.
    ['I agree to be contacted, name', ['i_agree_to_be_contacted:consent', 'name:text']],
    // Addresses, which are no part of what is asked.
    [
      'Ask for the name and consent to the terms at https://shop.example/terms',
      ['name:text', 'consent_to_the_terms:consent'],
    ],
    [
      'Survey (https://shop.example): a rating from 1 to 5, accept the privacy policy (see www.shop.example/privacy). Email is optional.',
      ['rating:one_of(1|2|3|4|5)', 'accept_the_privacy_policy:consent', 'email:email?'],
    ],
    [
      'Our shop is at https://shop.example:8443/a?b=1,2. Ask for name and email',
      ['name:text', 'email:email'],
    ],
    [
      'Ask for name and "Seen on www.shop.example?"',
      ['name:text', 'seen_on_www_shop_example:text'],
    ],
    // What stands before a verb that asks for something else.
    [
      'Rate us from 1 to 5 stars and leave a comment',
      ['rate_us:one_of(1|2|3|4|5)', 'comment:paragraph'],
    ],
    [
      'Please rate your visit with us from 1 to 10, then leave a comment',
      [`rate_your_visit_with_us:one_of(${numbers(10).join('|')})`, 'comment:paragraph'],
    ],
    [
      'You can rate us from 1 to 5 and also leave a comment',
      ['rate_us:one_of(1|2|3|4|5)', 'comment:paragraph'],
    ],
    ['Name, email, then choose a size (S/M)', ['name:text', 'email:email', 'size:one_of(S|M)']],
    ['Name and upload a photo', ['name:text', 'photo:photo']],
    [
      'Califica tu visita del 1 al 5 y deja un comentario',
      ['califica_tu_visita:one_of(1|2|3|4|5)', 'comentario:paragraph'],
    ],
    ['Nombre, correo y elegir talla (S, M)', ['nombre:text', 'correo:email', 'talla:one_of(S|M)']],
    ['When you place an order, choose a size (S, M)', ['size:one_of(S|M)']],
    ['At check-in, enter your email', ['email:email']],
    ['Al hacer el pedido, elegir talla (S, M)', ['talla:one_of(S|M)']],
    // Choices, and what follows them.
    [
      'T-shirt size: S/M/L/XL, dietary needs (a, b)',
      ['t_shirt_size:one_of(S|M|L|XL)', 'dietary_needs:one_of(a|b)'],
    ],
    ['Size: S/M, name, email', ['size:one_of(S|M)', 'name:text', 'email:email']],
    [
      'Name, size: S/M, dietary needs (a, b)',
      ['name:text', 'size:one_of(S|M)', 'dietary_needs:one_of(a|b)'],
    ],
    ['Size: S, M; shoes: red or blue', ['size:one_of(S|M)', 'shoes:one_of(red|blue)']],
    [
      'Name, size: S (small), M (medium), shoes: red, blue',
      ['name:text', 'size:one_of(S|M)', 'shoes:one_of(red|blue)'],
    ],
    [
      'Talla: S/M/L, dieta (vegana, sin gluten)',
      ['talla:one_of(S|M|L)', 'dieta:one_of(vegana|sin gluten)'],
    ],
    [
      'Talla: S, M o L; dieta: vegana, normal',
      ['talla:one_of(S|M|L)', 'dieta:one_of(vegana|normal)'],
    ],
    ['Plan: Basic (1 user, 1 GB), Pro (5 users, 10 GB)', ['plan:one_of(Basic|Pro)']],
    ['Service: haircut, beard, colour', ['service:one_of(haircut|beard|colour)']],
    ['Diet: vegan/vegetarian, halal', ['diet:one_of(vegan/vegetarian|halal)']],
    ['Contact us: name, size (S, M)', ['name:text', 'size:one_of(S|M)']],
    // Questions behind a heading.
    [
      'Feedback: how satisfied are you? (very, somewhat, not at all); what can we improve?',
      ['how_satisfied_are_you:one_of(very|somewhat|not at all)', 'what_can_we_improve:paragraph'],
    ],
    [
      'Feedback: rate us (1-3), what can we improve?',
      ['rate_us:one_of(1|2|3)', 'what_can_we_improve:paragraph'],
    ],
    [
      'Feedback: how was it? what can we improve?',
      ['how_was_it:paragraph', 'what_can_we_improve:paragraph'],
    ],
    [
      'Opinión: ¿qué tal el servicio? (bueno, malo); ¿qué mejorarías?',
      ['que_tal_el_servicio:one_of(bueno|malo)', 'que_mejorarias:paragraph'],
    ],
    ['Opinión: ¿Te gustó?, ¿por qué?', ['te_gusto:one_of(Sí|No)', 'por_que:paragraph']],
    [
      'Ask for name, how old are you? and email',
      ['name:text', 'how_old_are_you:number', 'email:email'],
    ],
    ['Which plan: Basic, Pro or Gold?', ['which_plan:one_of(Basic|Pro|Gold)']],
    // Answers behind a question.
    ['Which plan? Basic, Pro or Enterprise', ['which_plan:one_of(Basic|Pro|Enterprise)']],
    [
      'Ask for name. Which plan? basic (free), pro. What can we improve? Optional.',
      ['name:text', 'which_plan:one_of(basic|pro)', 'what_can_we_improve:paragraph?'],
    ],
    ['- Which size?\n- What colour? Red/Blue', ['what_colour:one_of(Red|Blue)', 'which_size:text']],
    ['Would you come back? Yes, no or maybe', ['would_you_come_back:one_of(Yes|No|maybe)']],
    ['How satisfied are you? From 1 to 3.', ['how_satisfied_are_you:one_of(1|2|3)']],
    ['How can we reach you? By email or phone', ['how_can_we_reach_you:one_of(By email|phone)']],
    ['¿Qué plan? Básico, Pro o Empresa', ['que_plan:one_of(Básico|Pro|Empresa)']],
    [
      'Encuesta: ¿Cómo nos conociste? Amigos, anuncios y otros. ¿Volverías?',
      ['como_nos_conociste:one_of(Amigos|anuncios|otros)', 'volverias:one_of(Sí|No)'],
    ],
    ['Which plan? Name and email', ['which_plan:text', 'name:text', 'email:email']],
    [
      'How can we reach you? Leave your email or phone.',
      ['how_can_we_reach_you:paragraph', 'email:email?', 'phone:phone?'],
    ],
    ['How was it? We are open, you can come or call.', ['how_was_it:paragraph']],
    ['How was it? Confirmation screen, please.', ['how_was_it:paragraph']],
    // Lists that end with a question.
    [
      'Ask for name, email and how did you hear about us?',
      ['name:text', 'email:email', 'how_did_you_hear_about_us:paragraph'],
    ],
    ['Name, which plan? (Basic, Pro)', ['name:text', 'which_plan:one_of(Basic|Pro)']],
    [
      'Ask for name and which plan? Basic, Pro or Gold',
      ['name:text', 'which_plan:one_of(Basic|Pro|Gold)'],
    ],
    [
      'Pide nombre, correo y ¿cómo nos conociste?',
      ['nombre:text', 'correo:email', 'como_nos_conociste:paragraph'],
    ],
    [
      'Do you want to leave a comment, or are you in a hurry?',
      ['do_you_want_to_leave_a_comment_or_are:one_of(Yes|No)'],
    ],
    ['After the order, how was it?', ['after_the_order_how_was_it:text']],
    // Numbered things.
    ['1. Name 2. Email 3. Phone', ['name:text', 'email:email', 'phone:phone']],
    ['Ask for: (1) name, (2) email, and (3) phone', ['name:text', 'email:email', 'phone:phone']],
    [
      'Contact form. 1) Favourite thing 2) Size (S, M) 3) Email. The email is optional.',
      ['favourite_thing:text', 'size:one_of(S|M)', 'email:email?'],
    ],
    ['1. Favourite thing\n2. Email', ['favourite_thing:text', 'email:email']],
    [
      '1. How was it? Good, bad 2. What can we improve?',
      ['how_was_it:one_of(Good|bad)', 'what_can_we_improve:paragraph'],
    ],
    [
      'Steps: 1. Ask for name and email 2. Ask for size (S, M)',
      ['name:text', 'email:email', 'size:one_of(S|M)'],
    ],
    ['1. Nombre 2. Correo 3. Teléfono', ['nombre:text', 'correo:email', 'telefono:phone']],
    ['Pide: 1) nombre, 2) correo y 3) teléfono', ['nombre:text', 'correo:email', 'telefono:phone']],
    ['Rating: 1) bad 2) good', ['rating:one_of(bad|good)']],
    [
      'Ask for name and rating: 1) bad, 2) ok, 3) good',
      ['name:text', 'rating:one_of(bad|ok|good)'],
    ],
    ['Ask for name and floor 2. Ask for email.', ['name:text', 'floor_2:text', 'email:email']],
    // Letters with accents of their own.
    [
      'Formulario con nombre, email y teléfono'.normalize('NFD'),
      ['nombre:text', 'email:email', 'telefono:phone'],
    ],
  ]
  it.each(PROMPTS)('is read for what it asks: %j', (prompt, fields) => {
    const definition = generateByRules('my_form', prompt)
    expect(publishingFaults(definition)).toEqual([])
    expect(asked(definition).sort()).toEqual([...fields].sort())
  })

  const NONE = [
    'Ask for the name of the person whom we should call in case of any emergency at all',
    `"${'x'.repeat(301)}"`,
    'toppings: ham',
    'fields',
    'We are open. You can call.',
    'The phone of the office is closed.',
  ]
  it.each(NONE)('of which nothing can be asked makes no form: %j', (prompt) => {
    expect(generateByRules('my_form', prompt)).toEqual(expect.any(String))
  })

  const toppings = (length: number) =>
    `Fields: toppings (multiple choice: ${words(length).join(', ')})`
  const country = (length: number) => `Fields: country (${words(length).join(', ')})`
  const consents = (length: number) =>
    `name, ${words(length)
      .map((word) => `consent to ${word}`)
      .join(', ')}`
  const people = (length: number) =>
    `Fields: ${words(length)
      .map((word) => `name of ${word}`)
      .join(', ')}`
  it.each([
    ['fields', people, 50],
    ['agreements', consents, 5],
    ['choices of one', country, 200],
    ['choices of several', toppings, 20],
  ])('may name as many %s as a form can have, and is told so of more', (_what, prompt, most) => {
    expect(publishingFaults(generateByRules('f', prompt(most)))).toEqual([])
    const refused = generateByRules('f', prompt(most + 1))
    expect(refused).toEqual(expect.stringContaining('more than a form can have'))
  })

  it('that repeats far more than a form can ask is refused', () => {
    const prompt = `Fields: ${Array.from({ length: 500 }, () => 'name').join(', ')}`
    expect(generateByRules('f', prompt)).toEqual(expect.any(String))
  })

  it.each([
    ['name and consent', 'en'],
    ['Formulario con nombre, email y teléfono', 'es'],
    ['A form for the hotel El Sol with name, email and phone', 'en'],
  ])('makes a form in its own language: %s', (prompt, language) => {
    expect(recoverForm(generateByRules('f', prompt))).toMatchObject({ language })
  })

  it.each([
    ['my_own-form', 'My own form'],
    ['__', 'Form'],
    ['', 'Form'],
  ])('without a title of its own has the name %j for it', (name, title) => {
    expect(recoverForm(generateByRules(name, 'name and email'))).toMatchObject({ title })
  })

  it.each([
    ['name and consent to the cookies of the page', 'Consent to the cookies of the page'],
    ['nombre y aceptar la política de privacidad', 'Acepto la política de privacidad'],
    ['nombre y consentimiento de uso de datos', 'Autorizo el uso de mis datos'],
    ['name and "I accept the terms of the raffle"', 'I accept the terms of the raffle'],
  ])('is quoted where it says what is agreed to: %s', (prompt, label) => {
    const form = recoverForm(generateByRules('f', prompt))
    expect(form?.fields.map((one) => one.label)).toContain(label)
  })

  it.each([
    ['Which size (S, M)?', 'Which size?'],
    ['Ask for the name. Would you recommend us (yes/no)?', 'Would you recommend us?'],
    ['¿Qué talla (S, M)?', '¿Qué talla?'],
  ])('asks its questions without what stood in brackets: %s', (prompt, label) => {
    const form = recoverForm(generateByRules('f', prompt))
    expect(form?.fields.at(-1)).toMatchObject({ label })
  })
})

it('looks for the end of choices no further than to what has choices of its own', async () => {
  const growth = await growthOf(250, (things) => {
    const prompt = `Ask for ${'hat: a, b; '.repeat(things)}`
    return () => expect(generateByRules('form', prompt)).toEqual(expect.anything())
  })
  expect(growth).toBeLessThan(LINEAR_MOST)
}, 60_000)
