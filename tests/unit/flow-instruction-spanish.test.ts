import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction for a form in Spanish', () => {
  const form = generateByRules(
    'f',
    'Cita en el salón: nombre, teléfono, correo, edad, servicio (Manicura, Pedicura, Uñas), fecha, hora, notas',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    [
      'Agrega una pregunta de sí o no: ¿Es tu primera visita?',
      ['¿Es tu primera visita?: one_of(sí|no)'],
    ],
    ['Añade un campo opcional de alergias después de la edad', ['Alergias: text? after edad']],
    ['Cambia "Notas" por "Comentarios adicionales"', ['Comentarios adicionales: paragraph']],
    ['Cambia la pregunta Notas por Observaciones', ['Observaciones: paragraph']],
    ['Elimina el campo edad', ['-edad']],
    ['Quita la opción Pedicura y agrega Masaje', ['Servicio: one_of(Manicura|Uñas|Masaje)']],
    ['Agrega la opción Masaje al servicio', ['Servicio: one_of(Manicura|Pedicura|Uñas|Masaje)']],
    [
      'Agrega Masaje y Facial a los servicios',
      ['Servicio: one_of(Manicura|Pedicura|Uñas|Masaje|Facial)'],
    ],
    ['Que puedan elegir varios servicios', ['Servicio: some_of(Manicura|Pedicura|Uñas)']],
    ['Permite elegir hasta 2 servicios', ['Servicio: some_of(Manicura|Pedicura|Uñas)[..2]']],
    [
      'Pon el correo antes del teléfono',
      ['order: nombre, correo, telefono, edad, servicio, fecha, hora, notas'],
    ],
    [
      'Mueve notas a otra pantalla',
      ['screens: nombre, telefono, correo, edad, servicio | fecha, hora | notas'],
    ],
    [
      'Haz obligatorios el nombre y el teléfono y lo demás opcional',
      [
        'Correo: email?',
        'Edad: number?',
        'Servicio: one_of?(Manicura|Pedicura|Uñas)',
        'Fecha: date?',
        'Hora: text?',
        'Notas: paragraph?',
      ],
    ],
    [
      'Todo opcional menos el nombre',
      [
        'Teléfono: phone?',
        'Correo: email?',
        'Edad: number?',
        'Servicio: one_of?(Manicura|Pedicura|Uñas)',
        'Fecha: date?',
        'Hora: text?',
        'Notas: paragraph?',
      ],
    ],
    ['El correo no es obligatorio', ['Correo: email?']],
    [
      'Pregunta también cómo nos conocieron (Google, Instagram, un amigo)',
      ['Cómo nos conocieron: one_of(Google|Instagram|un amigo)'],
    ],
    [
      'En vez de edad pide fecha de nacimiento',
      ['Fecha de nacimiento: date after correo', '-edad'],
    ],
    ['Cambia edad por fecha de nacimiento', ['Fecha de nacimiento: date after correo', '-edad']],
    ['Ya no pidas la edad', ['-edad']],
    ['No necesitamos la edad', ['-edad']],
    ['Une fecha y hora en un solo campo', ['Fecha y hora: text after servicio', '-fecha', '-hora']],
    ['Separa el nombre en nombre y apellidos', ['Apellidos: text after nombre']],
    ['Limita las notas a 200 caracteres', ['Notas: paragraph[..200]']],
    ['La edad debe estar entre 18 y 99', ['Edad: number{De 18 a 99}']],
    [
      'Agrega una nota al inicio: "Te confirmamos en 24 horas"',
      ['note: Te confirmamos en 24 horas'],
    ],
    ['Cambia el botón a "Reservar"', ['button: Reservar']],
    ['El título debe ser Salón Glow', ['title: Salón Glow']],
    ['Llama al formulario Reserva de salón', ['title: Reserva de salón']],
    [
      'Muestra notas solo si el servicio es Pedicura',
      ['Notas: paragraph when servicio is Pedicura'],
    ],
    [
      'Si eligen Pedicura, pregunta el número de calzado',
      ['Número de calzado: number when servicio is Pedicura after servicio'],
    ],
    [
      'Agrega el consentimiento de privacidad al final',
      ['Acepto la política de privacidad: consent'],
    ],
    [
      'Agrega una casilla para aceptar la política de privacidad',
      ['Acepto la política de privacidad: consent'],
    ],
    ['Sin confirmación al final', ['reviewed: false']],
    ['Quita el resumen', ['reviewed: false']],
    [
      'Agrega un texto de ayuda al teléfono: Solo para confirmar la cita',
      ['Teléfono: phone{Solo para confirmar la cita}'],
    ],
    [
      'El servicio por defecto debe ser Manicura',
      ['Servicio: one_of(Manicura|Pedicura|Uñas)=Manicura'],
    ],
    [
      'Pon las opciones de servicio: Corte, Color, Peinado',
      ['Servicio: one_of(Corte|Color|Peinado)'],
    ],
    ['Convierte la edad en una lista con 18-25, 26-40, 41+', ['Edad: one_of(18-25|26-40|41+)']],
    ['Convierte notas en texto corto', ['Notas: text']],
    [
      'Cambia el orden: servicio, fecha, hora, nombre',
      ['order: servicio, fecha, hora, nombre, telefono, correo, edad, notas'],
    ],
    ['Renombra servicio como tratamiento', ['Tratamiento: one_of(Manicura|Pedicura|Uñas)']],
    [
      'Intercambia correo y teléfono',
      ['order: nombre, correo, telefono, edad, servicio, fecha, hora, notas'],
    ],
    ['Agrega dos preguntas más: ciudad y código postal', ['Ciudad: text', 'Código postal: text']],
    ['También necesitamos la dirección', ['Dirección: text']],
    ['Deja solo nombre y teléfono', ['-correo', '-edad', '-servicio', '-fecha', '-hora', '-notas']],
    ['Haz que el correo sea opcional', ['Correo: email?']],
    ['Agrega un campo para subir una foto', ['Foto: photo']],
    ['Reemplaza Pedicura por Pedicura spa', ['Servicio: one_of(Manicura|Pedicura spa|Uñas)']],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
