import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction for the form of a hotel', () => {
  const form = generateByRules(
    'f',
    'Room booking: name, phone, date, room type (Single, Double), notes',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Add a question about smoking and make it a yes/no', ['Smoking: one_of(Yes|No)']],
    [
      'Add "How did you find us?" as a dropdown with Google, Facebook, Friend',
      ['How did you find us?: one_of(Google|Facebook|Friend)'],
    ],
    ['add email, it should be optional', ['Email: email?']],
    [
      'Add city, state and zip code before notes and make them optional',
      ['City: text? after room_type', 'State: text? after city', 'Zip code: text? after state'],
    ],
    [
      'Remove notes. Add a rating from 1 to 5. Change the button to Done.',
      ['Rating: one_of(1|2|3|4|5)', '-notes', 'button: Done'],
    ],
    [
      'Move date to the end, rename it to Visit date, and make it optional',
      ['Visit date: date?', 'order: name, phone, room_type, notes, date'],
    ],
    ['Rename name to Full name and move phone below it', ['Full name: text']],
    ['First add age, then remove notes', ['Age: number', '-notes']],
    [
      'Replace room type options with Single, Double, Suite and Family',
      ['Room type: one_of(Single|Double|Suite|Family)'],
    ],
    ['Add Suite to the room types, remove Single', ['Room type: one_of(Double|Suite)']],
    ['Make room type multiple choice and limit it to 2', ['Room type: some_of(Single|Double)']],
    ['Ask for number of guests (1-6)', ['Number of guests: one_of(1|2|3|4|5|6)']],
    [
      'Add check-in and check-out dates instead of date',
      ['Check-in date: date after phone', 'Check-out date: date after check_in_date', '-date'],
    ],
    [
      'Use two dates: check-in and check-out instead of date',
      ['Check-in date: date after phone', 'Check-out date: date after check_in_date', '-date'],
    ],
    ['Add breakfast included? (yes/no)', ['Breakfast included?: one_of(yes|no)']],
    ['Hide notes for Single rooms', ['Notes: paragraph when room_type is Double']],
    ['Phone: add hint "with country code"', ['Phone: phone{With country code}']],
    ['Phone (optional)', ['Phone: phone?']],
    ['Notes -> Special requests', ['Special requests: paragraph']],
    ['Change notes label: Special requests', ['Special requests: paragraph']],
    ['Title -> Room booking', ['title: Room booking']],
    ['Button -> Book', ['button: Book']],
    ['Delete phone; add WhatsApp', ['WhatsApp: phone', '-phone']],
    [
      'Delete phone, add WhatsApp number in its place',
      ['WhatsApp number: phone after name', '-phone'],
    ],
    ['Put WhatsApp number in place of phone', ['WhatsApp number: phone after name', '-phone']],
    ["Let's drop the notes and instead ask for arrival time", ['Arrival time: text', '-notes']],
    ['Change date to date and time', ['Date and time: date']],
    ['Split date into date and time', ['Time: text after date']],
    [
      'Add time after date with options 9:00, 12:00, 15:00',
      ['Time: one_of(9:00|12:00|15:00) after date'],
    ],
    ['Add number of nights, default 1', ['Number of nights: number=1']],
    ['Add number of nights with a default of 1', ['Number of nights: number=1']],
    ['keep name, phone and date; remove the rest', ['-room_type', '-notes']],
    ['Remove everything else but keep name and phone', ['-date', '-room_type', '-notes']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction for a contact form', () => {
  const form = generateByRules(
    'f',
    'Contact sales: name, email, company, interest (Demo, Pricing, Support), message',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Add a question "What\'s your budget?" with options Under $500, $500-$1000, Over $1000',
      ["What's your budget?: one_of(Under $500|$500-$1000|Over $1000)"],
    ],
    ['Please insert a field for job title below company', ['Job title: text after company']],
    ['The message should be optional', ['Message: paragraph?']],
    ['Drop company', ['-company']],
    ['Include their website URL', ['Website URL: text']],
    ['Make email the first field', ['order: email, name, company, interest, message']],
    [
      'Change "Message" to a multiple choice: Demo, Pricing, Support',
      ['Message: some_of(Demo|Pricing|Support)'],
    ],
    [
      'Add a new option "Partnership" under interest',
      ['Interest: one_of(Demo|Pricing|Support|Partnership)'],
    ],
    [
      'Interest should have 4 options: Demo, Pricing, Support, Other',
      ['Interest: one_of(Demo|Pricing|Support|Other)'],
    ],
    ['Delete the option Support', ['Interest: one_of(Demo|Pricing)']],
    ['People can tick more than one interest', ['Interest: some_of(Demo|Pricing|Support)']],
    ["Don't make company mandatory", ['Company: text?']],
    ['Company size instead of company', ['Company size: text after email', '-company']],
    ['Add team size as a number between 1 and 500', ['Team size: number{From 1 to 500}']],
    [
      'Add a timeline question (now, this quarter, this year)',
      ['Timeline: one_of(now|this quarter|this year)'],
    ],
    ['Hide message unless interest is Support', ['Message: paragraph when interest is Support']],
    ["I'd like two screens", ['screens: name, email, company | interest, message']],
    ['Put message on its own page', ['screens: name, email, company, interest | message']],
    [
      'Move company and interest to the second page',
      ['screens: name, email, message | company, interest'],
    ],
    ['Rename the form to Contact sales', ['title: Contact sales']],
    ['Button text: Request a demo', ['button: Request a demo']],
    ['Intro: Tell us a bit about you', ['note: Tell us a bit about you']],
    ['Add note under email: we never share it', ['Email: email{We never share it}']],
    [
      'Add a country dropdown (USA, Canada, Mexico) with USA preselected',
      ['Country: one_of(USA|Canada|Mexico)=USA'],
    ],
    [
      'Message must be between 20 and 500 characters',
      ['Message: paragraph[..500]{At least 20 characters}'],
    ],
    ['Add consent to be contacted', ['Consent to be contacted: consent']],
    [
      'Make the form ask for first and last name separately',
      ['First name: text first', 'Last name: text after first_name', '-name'],
    ],
    ['Add a file upload for the brief (PDF)', ['Brief: document']],
    ['Ask how many employees they have', ['How many employees you have: number']],
    ['Ask when they want to start', ['When you want to start: date']],
    ['Ask where they are located', ['Where you are located: text']],
    ['Ask who referred them, optional', ['Who referred you: text?']],
    [
      'Add a yes/no question "Are you a current customer?" before company',
      ['Are you a current customer?: one_of(yes|no) after email'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})

describe('an instruction for an order, in Spanish', () => {
  const form = generateByRules(
    'f',
    'Pedido: nombre, teléfono, correo, talla (S, M, L), entrega (a domicilio, recoger en tienda), dirección, notas',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Quiero añadir un campo para la fecha de entrega', ['Fecha de entrega: date']],
    ['Añade una opción más a talla: XL', ['Talla: one_of(S|M|L|XL)']],
    ['Elimina la talla S', ['Talla: one_of(M|L)']],
    ['Cambia la etiqueta de correo a "Tu correo electrónico"', ['Tu correo electrónico: email']],
    ['El campo notas debe ser opcional', ['Notas: paragraph?']],
    [
      'Pon el teléfono como primera pregunta',
      ['order: telefono, nombre, correo, talla, entrega, direccion, notas'],
    ],
    [
      'Haz el formulario de dos páginas',
      ['screens: nombre, telefono, correo, talla | entrega, direccion, notas'],
    ],
    ['Quita el campo de notas, ya no lo necesitamos', ['-notas']],
    ['Agrega una pregunta de sí o no sobre factura', ['Factura: one_of(sí|no)']],
    ['Agrega "¿Requiere factura?" con opciones Sí y No', ['¿Requiere factura?: one_of(Sí|No)']],
    [
      'Solo muestra la dirección si eligen a domicilio',
      ['Dirección: text when entrega is a domicilio'],
    ],
    [
      'Oculta la dirección si eligen recoger en tienda',
      ['Dirección: text when entrega is a domicilio'],
    ],
    ['El teléfono debe tener 10 dígitos', ['Teléfono: phone{10 dígitos}']],
    ['Agrega cantidad, entre 1 y 10', ['Cantidad: one_of(1|2|3|4|5|6|7|8|9|10)']],
    ['Por defecto la talla debe ser M', ['Talla: one_of(S|M|L)=M']],
    ['Pon M como talla predeterminada', ['Talla: one_of(S|M|L)=M']],
    ['Escribe debajo de notas: "Máximo una línea"', ['Notas: paragraph{Máximo una línea}']],
    ['Cambia el botón para que diga Comprar', ['button: Comprar']],
    ['Ponle de título "Pedido"', ['title: Pedido']],
    ['Deja opcionales la dirección y las notas', ['Dirección: text?', 'Notas: paragraph?']],
    ['Permite subir una foto', ['Foto: photo?']],
    ['Pide una foto del comprobante, opcional', ['Foto del comprobante: photo?']],
    ['Convierte talla en selección múltiple', ['Talla: some_of(S|M|L)']],
    ['Agrega el precio a las tallas: S $10, M $12, L $14', ['Talla: one_of(S $10|M $12|L $14)']],
    ['Después del nombre pregunta la edad', ['Edad: number after nombre']],
    [
      'Antes de las notas agrega color (rojo, azul, verde)',
      ['Color: one_of(rojo|azul|verde) after direccion'],
    ],
    [
      'Intercambia el nombre y el teléfono',
      ['order: telefono, nombre, correo, talla, entrega, direccion, notas'],
    ],
    ['Cambia teléfono por celular', ['Celular: phone']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
