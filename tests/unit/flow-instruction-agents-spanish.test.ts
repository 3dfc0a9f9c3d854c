import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe("an agent's instruction in Spanish", () => {
  const form = generateByRules(
    'f',
    'Formulario. Pantalla 1: nombre, correo, teléfono. Pantalla 2: sucursal (Centro, Norte, Sur), fecha, comentarios.',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Añade un campo de texto obligatorio llamado "Empresa" después de correo.',
      [
        'Empresa: text after correo',
        'screens: nombre, correo, empresa, telefono | sucursal, fecha, comentarios',
      ],
    ],
    [
      'Cambia la etiqueta de "Nombre" a "Nombre completo" y haz opcional el teléfono.',
      ['Nombre completo: text', 'Teléfono: phone?'],
    ],
    [
      'Agrega la opción "Sucursal Sur" al menú desplegable de sucursal.',
      ['Sucursal: one_of(Centro|Norte|Sur|Sucursal Sur)'],
    ],
    ['Elimina la opción "Norte" de sucursal.', ['Sucursal: one_of(Centro|Sur)']],
    [
      'Las opciones de sucursal deben ser: Centro, Norte, Sur, Online.',
      ['Sucursal: one_of(Centro|Norte|Sur|Online)'],
    ],
    [
      'Mueve la fecha a la primera pantalla.',
      ['screens: nombre, correo, telefono, fecha | sucursal, comentarios'],
    ],
    ['Haz que sucursal permita selección múltiple.', ['Sucursal: some_of(Centro|Norte|Sur)']],
    [
      'Convierte comentarios en un menú desplegable con Bueno, Regular, Malo.',
      ['Comentarios: one_of(Bueno|Regular|Malo)'],
    ],
    [
      'Agrega una casilla de consentimiento con el texto "Acepto recibir promociones".',
      [
        'Acepto recibir promociones: consent?',
        'screens: nombre, correo, telefono | sucursal, fecha, comentarios | acepto_recibir_promociones',
      ],
    ],
    ['El teléfono debe tener 10 dígitos.', ['Teléfono: phone{10 dígitos}']],
    [
      'Pon un mensaje de bienvenida: "Hola, gracias por escribirnos".',
      ['note: Hola, gracias por escribirnos'],
    ],
    ['Cambia el texto del botón final a "Enviar solicitud".', ['button: Enviar solicitud']],
    ['Quita la pantalla de confirmación.', ['reviewed: false']],
    [
      'Si sucursal es Centro, pregunta el piso.',
      [
        'Piso: text when sucursal is Centro after sucursal',
        'screens: nombre, correo, telefono | sucursal, piso, fecha, comentarios',
      ],
    ],
    [
      'Muestra comentarios solo cuando sucursal sea Norte.',
      ['Comentarios: paragraph when sucursal is Norte'],
    ],
    [
      'Reemplaza el correo por el número de cliente.',
      [
        'Número de cliente: text after nombre',
        '-correo',
        'screens: nombre, numero_de_cliente, telefono | sucursal, fecha, comentarios',
      ],
    ],
    [
      'Divide el nombre en nombre y apellidos.',
      [
        'Apellidos: text after nombre',
        'screens: nombre, apellidos, correo, telefono | sucursal, fecha, comentarios',
      ],
    ],
    [
      'Ordena los campos: teléfono, nombre, correo.',
      ['screens: telefono, nombre, correo | sucursal, fecha, comentarios'],
    ],
    ['Haz obligatorios todos los campos excepto comentarios.', ['Comentarios: paragraph?']],
    [
      'Realiza los siguientes cambios:\n1. Elimina comentarios\n2. Agrega edad\n3. Renombra fecha a "Fecha de visita"',
      [
        'Fecha de visita: date',
        'Edad: number',
        '-comentarios',
        'screens: nombre, correo, telefono | sucursal, fecha, edad',
      ],
    ],
    [
      'Agrega los siguientes campos:\n- Empresa (opcional)\n- Puesto',
      [
        'Empresa: text?',
        'Puesto: text',
        'screens: nombre, correo, telefono | sucursal, fecha, comentarios, empresa, puesto',
      ],
    ],
    ['Actualiza el formulario para que el teléfono sea opcional.', ['Teléfono: phone?']],
    [
      'El formulario también debe pedir la dirección y el código postal.',
      [
        'Dirección: text',
        'Código postal: text',
        'screens: nombre, correo, telefono | sucursal, fecha, comentarios, direccion, codigo_postal',
      ],
    ],
    [
      'Agrega un botón de opción "Urgencia" con Alta, Media, Baja.',
      [
        'Urgencia: one_of(Alta|Media|Baja)',
        'screens: nombre, correo, telefono | sucursal, fecha, comentarios, urgencia',
      ],
    ],
    [
      'Permite adjuntar hasta 3 fotos.',
      [
        'Fotos: photo?[..3]',
        'screens: nombre, correo, telefono | sucursal, fecha, comentarios | fotos',
      ],
    ],
    ['Establece el límite de comentarios en 200 caracteres.', ['Comentarios: paragraph[..200]']],
    [
      'Agrega texto de ayuda en teléfono: "Con código de país".',
      ['Teléfono: phone{Con código de país}'],
    ],
    ['Pon Norte como primera opción de sucursal.', ['Sucursal: one_of(Norte|Centro|Sur)']],
    ['Renombra la opción "Sur" a "Sur (nueva)".', ['Sucursal: one_of(Centro|Norte|Sur (nueva))']],
    [
      'Fusiona nombre y teléfono en un solo campo.',
      [
        'Nombre y teléfono: text first',
        '-nombre',
        '-telefono',
        'screens: nombre_y_telefono, correo | sucursal, fecha, comentarios',
      ],
    ],
    [
      'Agrega una pregunta de sí o no: "¿Es cliente?"',
      [
        '¿Es cliente?: one_of(sí|no)',
        'screens: nombre, correo, telefono | sucursal, fecha, comentarios, es_cliente',
      ],
    ],
    [
      'Agrega una calificación de 1 a 5 llamada "Satisfacción".',
      [
        'Satisfacción: one_of(1|2|3|4|5)',
        'screens: nombre, correo, telefono | sucursal, fecha, comentarios, satisfaccion',
      ],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
