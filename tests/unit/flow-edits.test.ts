import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { recoverForm } from '../../flows/forms/recovery.ts'
import { asked, FOUR, FOUR_FIELDS } from '../support/flow-parts.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

const built = generateByRules('f', FOUR)
const [name, email, phone, size] = FOUR_FIELDS
const all = [name, email, phone, size]

describe('an instruction as people write it', () => {
  const EDITS: [instruction: string, fields: string[]][] = [
    // Choices.
    [
      'Change the size options to Small and Large',
      [name, email, phone, 'size:one_of(Small|Large)'],
    ],
    ['Add XL to the sizes', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['Add XL and XXL to size', [name, email, phone, 'size:one_of(S|M|L|XL|XXL)']],
    ['Add an XL option to size', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['Agrega XL a size', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['Remove S from the size', [name, email, phone, 'size:one_of(M|L)']],
    ['Add XL and XXL as sizes', [name, email, phone, 'size:one_of(S|M|L|XL|XXL)']],
    ['Add the option XL', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['Remove the option S', [name, email, phone, 'size:one_of(M|L)']],
    ['Change S to Small', [name, email, phone, 'size:one_of(Small|M|L)']],
    ['Rename M to Medium and L to Large', [name, email, phone, 'size:one_of(S|Medium|Large)']],
    ['Rename the options to 1, 2', [name, email, phone, 'size:one_of(1|2)']],
    ['Add an option for gift wrapping', [...all, 'option_for_gift_wrapping:text']],
    ['Replace S, M, L with M, L, XL', [name, email, phone, 'size:one_of(M|L|XL)']],
    ['Rename S to M and M to S', [name, email, phone, 'size:one_of(M|S|L)']],
    ['Replace S, M, L with 1, 2, 3', [name, email, phone, 'size:one_of(1|2|3)']],
    ['Add two more sizes: XL, XXL', [name, email, phone, 'size:one_of(S|M|L|XL|XXL)']],
    // Order.
    ['Make the email come first', [email, name, phone, size]],
    ['Move the email to the end', [name, phone, size, email]],
    ['Move size before email', [name, size, email, phone]],
    ['Move the name after the phone', [email, phone, name, size]],
    ['Put the phone first', [phone, name, email, size]],
    ['Move phone to the top and make it required', [phone, name, email, size]],
    ['Mueve email al final', [name, phone, size, email]],
    ['Mueve size antes de email', [name, size, email, phone]],
    ['Add a comment and make it optional', [...all, 'comment:paragraph?']],
    // Put politely.
    ['Can you remove the phone?', [name, email, size]],
    ["I'd like to also collect the customer's age", [...all, 'age:number']],
    ['Could you add a question: Do you smoke?', [...all, 'do_you_smoke:one_of(Yes|No)']],
    // What is asked for.
    ["Don't ask for the size", [name, email, phone]],
    ['Stop asking for the phone', [name, email, size]],
    ['Deja de pedir phone', [name, email, size]],
    ['Add yes/no question: first visit?', [...all, 'first_visit:one_of(yes|no)']],
    ['Add street, city and zip code', [...all, 'street:text', 'city:text', 'zip_code:text']],
    [
      'Add fields for company and birthday after email',
      [name, email, 'company:text', 'birthday:date', phone, size],
    ],
    ['Add hats and boots', [...all, 'hats:text', 'boots:text']],
    ['Add a comment to the form', [...all, 'comment:paragraph']],
    ['Also ask for their age', [...all, 'age:number']],
    ['Ask for the city too', [...all, 'city:text']],
    ['Pide también la ciudad', [...all, 'ciudad:text']],
    [
      'Add a dropdown for country with US, Canada and Mexico',
      [...all, 'country:one_of(US|Canada|Mexico)'],
    ],
    ["I don't need the phone anymore", [name, email, size]],
    ['We no longer want the phone and the size', [name, email]],
    ['Ya no necesito phone', [name, email, size]],
    ['Remove everything except name and email', [name, email]],
    ['Keep only the name and size', [name, size]],
    ['Deja solo name', [name]],
    ['Replace phone with address', [name, email, 'address:text', size]],
    ['Change phone to company name', [name, email, 'company_name:text', size]],
    [
      'Please remove the size and add colour (red, blue) instead',
      [name, email, phone, 'colour:one_of(red|blue)'],
    ],
    [
      'Insert a dropdown "Country" with Spain, France and Italy after name',
      [name, 'country:one_of(Spain|France|Italy)', email, phone, size],
    ],
    ["Add 'Do you have pets?' with yes and no", [...all, 'do_you_have_pets:one_of(yes|no)']],
    // Kinds.
    ['Make the size multiple choice', [name, email, phone, 'size:some_of(S|M|L)']],
    ['Allow several sizes', [name, email, phone, 'size:some_of(S|M|L)']],
    ['Let them choose more than one size', [name, email, phone, 'size:some_of(S|M|L)']],
    ['Make name a long text', ['name:paragraph', email, phone, size]],
    ['Change phone to a number', [name, email, 'phone:number?', size]],
    ['Turn size into a text', [name, email, phone, 'size:text']],
    ['Make the name a yes/no question', ['name:one_of(Yes|No)', email, phone, size]],
    // What must be filled in.
    ['Haz obligatorio el phone', [name, email, 'phone:phone', size]],
    ['Email is optional, phone is required', [name, 'email:email?', 'phone:phone', size]],
    ['Email is optional and phone is required', [name, 'email:email?', 'phone:phone', size]],
    ['Let the email be optional', [name, 'email:email?', phone, size]],
    ['The phone must be filled in', [name, email, 'phone:phone', size]],
    ['Only name should be required', [name, 'email:email?', phone, 'size:one_of?(S|M|L)']],
    ['Only the phone is not required', all],
    ['Add a comment to the end', [...all, 'comment:paragraph']],
    ['Only the email is optional', [name, 'email:email?', 'phone:phone', size]],
    ['Change the email to optional', [name, 'email:email?', phone, size]],
    ['Haz el correo opcional', [name, 'email:email?', phone, size]],
    ['Quita el teléfono', [name, email, size]],
    // In other words.
    ['Add other as an option for size', [name, email, phone, 'size:one_of(S|M|L|other)']],
    ['Change the choices for size: S, XL', [name, email, phone, 'size:one_of(S|XL)']],
    ['Sizes should be S, L and XL', [name, email, phone, 'size:one_of(S|L|XL)']],
    ['The size options should be S or L', [name, email, phone, 'size:one_of(S|L)']],
    ['Please remove the size question and the phone field', [name, email]],
    ['Swap name and email', [email, name, phone, size]],
    ['Make everything required except the phone', all],
    ['Make all fields optional but the name', [name, 'email:email?', phone, 'size:one_of?(S|M|L)']],
    [
      'Haz opcionales todos los campos',
      ['name:text?', 'email:email?', phone, 'size:one_of?(S|M|L)'],
    ],
    ['Add an upload field for the invoice', [...all, 'invoice:document']],
    [
      'Añade una pregunta: ¿Cómo nos conociste? (Google, Amigo)',
      [...all, 'como_nos_conociste:one_of(Google|Amigo)'],
    ],
    ['Add a new question: Do you smoke?', [...all, 'do_you_smoke:one_of(Yes|No)']],
    // Fields by their places, and places.
    ['Remove the last question', [name, email, phone]],
    ['Delete the second field', [name, phone, size]],
    ['Make the third question required', [name, email, 'phone:phone', size]],
    ['Borra la última pregunta', [name, email, phone]],
    ['Change the order: phone first', [phone, name, email, size]],
    ['Change the order so that phone comes first', [phone, name, email, size]],
    ["I'd like the name to come last", [email, phone, size, name]],
    ['Add an optional note below name', [name, 'note:paragraph?', email, phone, size]],
    ['Add the city above name', ['city:text', name, email, phone, size]],
    [
      'Add a question: Are you below 18?',
      [name, email, phone, size, 'are_you_below_18:one_of(Yes|No)'],
    ],
    ['Add the city right after name', [name, 'city:text', email, phone, size]],
    ['Put size right after name', [name, size, email, phone]],
    ['Remove all optional fields', [name, email, size]],
    ["Phone isn't optional anymore", [name, email, 'phone:phone', size]],
    // Other kinds and other things.
    ['Change phone to mobile number', all],
    ['Make size a checkbox list', [name, email, phone, 'size:some_of(S|M|L)']],
    ['Use check boxes for the size', [name, email, phone, 'size:some_of(S|M|L)']],
    [
      'Ask for first and last name instead of name',
      ['first_name:text', 'last_name:text', email, phone, size],
    ],
    // In the words of those who want it.
    ['Please get rid of the phone box', [name, email, size]],
    ['Take out the phone. Leave out the size.', [name, email]],
    ['Let customers leave the name empty', ['name:text?', email, phone, size]],
    ['Customers must give their phone', [name, email, 'phone:phone', size]],
    ['Nothing should be required', ['name:text?', 'email:email?', phone, 'size:one_of?(S|M|L)']],
    ['All fields except the name are required', ['name:text?', email, 'phone:phone', size]],
    ['Start with the phone', [phone, name, email, size]],
    ['End with the name', [email, phone, size, name]],
    ['Make phone the first question', [phone, name, email, size]],
    ['Change the order to size, email, name', [size, email, name, phone]],
    [
      'Remove the email and instead ask for a WhatsApp number',
      [name, phone, size, 'whatsapp_number:phone'],
    ],
    ['Add a consent: I agree to be called', [...all, 'i_agree_to_be_called:consent']],
    ['The size should also offer XL', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['Sizes: add XL', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['Offer XL too', [name, email, phone, 'size:one_of(S|M|L|XL)']],
    ['Only offer S and M', [name, email, phone, 'size:one_of(S|M)']],
    ['Change size options: XS, S', [name, email, phone, 'size:one_of(XS|S)']],
    ['Size options are now S and L', [name, email, phone, 'size:one_of(S|L)']],
    // Choices in few words.
    ['Remove the L option', [name, email, phone, 'size:one_of(S|M)']],
    ['Remove size M', [name, email, phone, 'size:one_of(S|L)']],
    ['Change sizes to XS-XL', [name, email, phone, 'size:one_of(XS|S|M|L|XL)']],
    ['Change the size to 38, 40 or 42', [name, email, phone, 'size:one_of(38|40|42)']],
    [
      'Change "Size" choices to "Small", "Medium", "Large"',
      [name, email, phone, 'size:one_of(Small|Medium|Large)'],
    ],
    ['Let them choose more than one size. Only one size can be chosen.', all],
    ['Add toppings (cheese, ham)', [...all, 'toppings:some_of(cheese|ham)']],
    ['Add pick-up date & time', [...all, 'pick_up_date:date', 'pick_up_time:text']],
  ]
  it.each(EDITS)('is done, and nothing else: %s', (instruction, fields) => {
    const updated = updateByRules(built, instruction)
    expect(publishingFaults(updated)).toEqual([])
    const isRequired = instruction.endsWith('required') && instruction.startsWith('Move')
    const wanted = isRequired ? fields.map((one) => one.replace('?', '')) : fields
    expect(asked(updated)).toEqual(wanted)
  })

  it.each([
    'Rename the form to "New order"',
    'Add a title "New order"',
    'Call it "New order"',
    'Llama al flujo "New order"',
  ])('gives the form a title: %s', (instruction) => {
    expect(recoverForm(updateByRules(built, instruction))).toMatchObject({ title: 'New order' })
  })

  it('leaves the review out, and puts it at the end', () => {
    const without = updateByRules(built, 'No confirmation screen please')
    expect(recoverForm(without)).toMatchObject({ isReviewed: false })
    expect(updateByRules(without, 'Include a summary at the end')).toEqual(built)
  })

  it('means by "it" what was changed last, whatever that is called', () => {
    const form = recoverForm(
      updateByRules(built, 'Rename phone to "From $1 to $&" and make it required'),
    )
    expect(form?.fields[2]).toMatchObject({ label: 'From $1 to $&', isRequired: true })
  })

  it.each([`Change the name field's label to "You"`, 'Update the label of name to You'])(
    'changes a label: %s',
    (instruction) => {
      const form = recoverForm(updateByRules(built, instruction))
      expect(form?.fields[0]).toMatchObject({ name: 'name', label: 'You' })
    },
  )

  it.each(['Move email and phone to a new screen', 'Move email and phone to screen 2'])(
    'moves several fields to one screen: %s',
    (instruction) => {
      const form = recoverForm(updateByRules(built, instruction))
      expect(form?.fields.map((field) => [field.name, field.section])).toEqual([
        ...[
          ['name', 0],
          ['size', 0],
        ],
        ...[
          ['email', 1],
          ['phone', 1],
        ],
      ])
    },
  )

  it('renames by what a label is changed to', () => {
    const form = recoverForm(updateByRules(built, 'Change "Name" to "Full name"'))
    expect(form?.fields[0]).toMatchObject({ name: 'name', label: 'Full name', kind: 'text' })
  })

  it.each([
    `add ${'a, '.repeat(1_300)}`,
    ...['Move the foo to the end', 'Move name before foo', 'Move the name', 'Put foo first'],
    ...['Keep only foo', 'Remove everything except foo', 'Replace foo with address'],
    ...['Replace phone with email', 'Make name multiple choice', 'Allow several names'],
    ...['Add XL to the foo options', 'Only foo is required', 'Translate it to Spanish'],
    ...['Move phone to screen 0', 'Split it into 0 screens'],
    ...['Add a welcome text', 'Swap name and foo', 'Split it into nine screens'],
    ...['Change foo to bar', 'Add name and city', 'Undo the last change'],
    ...['Change S to M', 'Rename S to Small and XL to Huge'],
  ])('that cannot be done changes nothing: %j', (instruction) => {
    expect(updateByRules(built, instruction)).toEqual(expect.any(String))
  })
})

/** The contract's `maxLength` of an instruction. */
const INSTRUCTION_MOST = 4_000

it.each([
  ...['add a to b options ', 'move a before b ', 'change a options to ', 'only a is ', 'a, '],
  ...['replace a with b ', 'add a screen with ', 'make a into ', 'y ', 'the a details '],
  ...['if a hide b ', 'for a, ask ', 'a should be a list: '],
])(
  'an instruction is read in time that grows with its length, as long as one may be, when it repeats %j',
  async (part) => {
    const growth = await growthOf(Math.ceil(INSTRUCTION_MOST / 16 / part.length), (times) => {
      const instruction = `add ${part.repeat(times)}`
      return () => expect(updateByRules(built, instruction)).toEqual(expect.anything())
    })
    expect(growth).toBeLessThan(LINEAR_MOST)
  },
  60_000,
)

describe('an instruction about screens', () => {
  type Screens = { screens: { layout: { children: { name?: string }[] } }[] }
  const screensOf = (instruction: string, from = built) =>
    (updateByRules(from, instruction) as Screens).screens
      .map(({ layout }) => layout.children.flatMap((one) => one.name ?? []))
      .filter((names) => names.length > 0)

  it('adds a screen with what it asks for', () => {
    const done = [
      ['name', 'email', 'phone', 'size'],
      ['street', 'city'],
    ]
    expect(screensOf('Add a second screen with street and city')).toEqual(done)
    expect(screensOf('Add another page asking for street and city')).toEqual(done)
    expect(screensOf('Agrega una pantalla con street y city')).toEqual(done)
  })

  it('moves a field to one', () => {
    expect(screensOf('Move phone to the second screen')).toEqual([
      ['name', 'email', 'size'],
      ['phone'],
    ])
    expect(screensOf('Move the size to a new page')).toEqual([['name', 'email', 'phone'], ['size']])
    expect(screensOf('Put the size on its own screen')).toEqual([
      ['name', 'email', 'phone'],
      ['size'],
    ])
    const two = generateByRules('f', 'Screen 1: name, email. Screen 2: city.')
    expect(screensOf('Move email to screen 2', two)).toEqual([['name'], ['city', 'email']])
    expect(screensOf('Mueve city a la primera pantalla', two)).toEqual([['name', 'email', 'city']])
    expect(screensOf('Move the city before email', two)).toEqual([['name', 'city', 'email']])
    expect(screensOf('Move name to the end', two)).toEqual([['email'], ['city', 'name']])
  })

  it('divides the form', () => {
    const halves = [
      ['name', 'email'],
      ['phone', 'size'],
    ]
    expect(screensOf('Split it into two screens')).toEqual(halves)
    expect(screensOf('Divide el formulario en 2 pantallas')).toEqual(halves)
    expect(screensOf('Split the form into 3 pages').map(({ length }) => length)).toEqual([2, 1, 1])
  })

  it('puts what takes the place of an agreement with the other fields', () => {
    const agreed = generateByRules('f', 'Screen 1: name. Screen 2: city, consent to the terms.')
    const wanted = [['name'], ['city', 'comment']]
    expect(screensOf('Replace the consent to the terms with a comment', agreed)).toEqual(wanted)
    const swapped = screensOf('Swap name and consent to the terms', agreed)
    expect(swapped).toEqual([['city', 'name'], ['consent_to_the_terms']])
  })

  it('does not move what is agreed to from the last', () => {
    const agreed = generateByRules('f', 'Screen 1: name. Screen 2: city, consent to the terms.')
    const agreement = 'Move consent to the terms to the first screen'
    expect(screensOf(agreement, agreed).at(-1)).toContain('consent_to_the_terms')
  })
})

it('puts all fields on one screen, if they have room there', () => {
  const divided = updateByRules(built, 'Split it into two screens')
  const whole = updateByRules(divided, 'Put everything on one screen')
  expect(asked(whole)).toEqual(all)
  expect(whole).toMatchObject({ screens: [{ terminal: true }] })
  const more = updateByRules(whole, 'Add the city and the country')
  expect(updateByRules(more, 'Put everything on one screen')).toMatch(/^the instruction/)
})

it('knows the places and the title of a Spanish form', () => {
  const form = generateByRules('f', 'Formulario con nombre y correo')
  const added = updateByRules(form, 'Añade la fecha de nacimiento después del nombre')
  expect(asked(added)).toEqual(['nombre:text', 'fecha_de_nacimiento:date', 'correo:email'])
  const titled = updateByRules(form, 'Cambia el nombre del formulario a "Pedido"')
  expect(recoverForm(titled)?.title).toBe('Pedido')
})

it('gives several fields other labels at once', () => {
  const labelsAfter = (instruction: string) =>
    recoverForm(updateByRules(built, instruction))?.fields.map(({ label }) => label)
  const labels = labelsAfter('Rename name to full name and size to your size')
  expect(labels).toEqual(['Full name', 'Email', 'Phone', 'Your size'])
  expect(labelsAfter('Reword the size question to "Which size?"')?.at(-1)).toBe('Which size?')
  expect(labelsAfter('Change phone to mobile number')?.[2]).toBe('Mobile number')
})

it('divides a screen behind a field', () => {
  const divided = updateByRules(built, 'Split it after the email')
  const fields = recoverForm(divided)?.fields.map(({ section }) => section)
  expect(fields).toEqual([0, 0, 1, 1])
})

it('refuses what a form cannot have, and takes it for no field', () => {
  for (const what of ['a default value to name', 'a placeholder for the email']) {
    expect(updateByRules(built, `Add ${what}`)).toMatch(/^the instruction was not understood/)
  }
})

it.each(['The title should be "Orders"', 'Rename the flow "Orders"', 'The form is called Orders'])(
  'takes the title from: %s',
  (instruction) => {
    expect(recoverForm(updateByRules(built, instruction))?.title).toBe('Orders')
  },
)
