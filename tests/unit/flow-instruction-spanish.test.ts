import { describe, expect, it } from '@jest/globals'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { publishingFaults } from '../../flows/definition.ts'
import { changesBy } from '../support/flow-changes.ts'

describe('an instruction for the form of a salon, in Spanish', () => {
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

describe('an instruction for the form of a school, in Spanish', () => {
  const form = generateByRules(
    'f',
    'Inscripción al curso: nombre, correo, teléfono, curso (Pintura, Dibujo, Fotografía), edad, comentarios',
  )
  const CASES: [instruction: string, changes: string[]][] = [
    ['Agrega un campo de dirección después del teléfono', ['Dirección: text after telefono']],
    [
      'Por favor agrega la fecha de nacimiento del alumno',
      ['Fecha de nacimiento del alumno: date'],
    ],
    ['Quita la pregunta de edad', ['-edad']],
    [
      'Cambia el nombre del campo comentarios a "Algo más que debamos saber"',
      ['Algo más que debamos saber: paragraph'],
    ],
    ['Agrega otro curso: Cerámica', ['Curso: one_of(Pintura|Dibujo|Fotografía|Cerámica)']],
    ['El curso de Pintura ya no está disponible', ['Curso: one_of(Dibujo|Fotografía)']],
    ['Cambia Dibujo por Ilustración', ['Curso: one_of(Pintura|Ilustración|Fotografía)']],
    ['Haz que puedan elegir más de un curso', ['Curso: some_of(Pintura|Dibujo|Fotografía)']],
    ['Pregunta si ya han asistido antes', ['¿Ya han asistido antes?: one_of(Sí|No)']],
    [
      'Agrega una pregunta: ¿Cómo nos conociste? Opciones: Instagram, Google, Amigo',
      ['¿Cómo nos conociste?: one_of(Instagram|Google|Amigo)'],
    ],
    [
      'Agrega una pregunta de opción múltiple: ¿Qué días puedes venir? lunes, martes, miércoles',
      ['¿Qué días puedes venir?: some_of(lunes|martes|miércoles)'],
    ],
    ['Agrega una calificación de 1 a 5 estrellas', ['Calificación: one_of(1|2|3|4|5)']],
    ['El correo debería ser obligatorio y el teléfono opcional', ['Teléfono: phone?']],
    ['Todos los campos son obligatorios excepto comentarios', ['Comentarios: paragraph?']],
    [
      'Solo el nombre y el correo son obligatorios',
      [
        'Teléfono: phone?',
        'Curso: one_of?(Pintura|Dibujo|Fotografía)',
        'Edad: number?',
        'Comentarios: paragraph?',
      ],
    ],
    ['Que los comentarios no pasen de 250 caracteres', ['Comentarios: paragraph[..250]']],
    ['Máximo 250 caracteres en comentarios', ['Comentarios: paragraph[..250]']],
    ['La edad mínima es 18', ['Edad: number{Mínimo 18}']],
    ['Pon el curso al principio', ['order: curso, nombre, correo, telefono, edad, comentarios']],
    ['Pon el correo al final', ['order: nombre, telefono, curso, edad, comentarios, correo']],
    [
      'Divide el formulario en dos pantallas',
      ['screens: nombre, correo, telefono | curso, edad, comentarios'],
    ],
    [
      'Agrega una pantalla con la dirección, ciudad y código postal',
      [
        'Dirección: text',
        'Ciudad: text',
        'Código postal: text',
        'screens: nombre, correo, telefono, curso, edad | comentarios | direccion, ciudad, codigo_postal',
      ],
    ],
    ['Cambia el título por "Inscripción a talleres"', ['title: Inscripción a talleres']],
    ['Que el botón diga "Inscribirme"', ['button: Inscribirme']],
    ['Agrega un mensaje de bienvenida: "¡Hola! Qué gusto verte"', ['note: ¡Hola! Qué gusto verte']],
    [
      'Debajo del teléfono aclara que solo llamaremos por cambios',
      ['Teléfono: phone{Solo llamaremos por cambios}'],
    ],
    ['Agrega una casilla: acepto recibir novedades', ['Acepto recibir novedades: consent?']],
    ['Pide que suban el comprobante de pago', ['Comprobante de pago: document']],
    [
      'Pide nombre y teléfono de los padres si es menor de edad',
      ['Nombre de los padres: text?', 'Teléfono de los padres: phone?'],
    ],
    ['Muestra la edad solo para Fotografía', ['Edad: number when curso is Fotografía']],
    [
      'Pregunta el nivel solo si eligen Dibujo: principiante, intermedio, avanzado',
      ['Nivel: one_of(principiante|intermedio|avanzado) when curso is Dibujo after curso'],
    ],
    ['Reemplaza el teléfono por WhatsApp', ['WhatsApp: phone after correo', '-telefono']],
    ['Junta nombre y correo', ['Nombre y correo: text first', '-nombre', '-correo']],
    ['Convierte comentarios en una lista: Sí, No, Tal vez', ['Comentarios: one_of(Sí|No|Tal vez)']],
    ['Agrega "Otro" a los cursos', ['Curso: one_of(Pintura|Dibujo|Fotografía|Otro)']],
    ['Agrega talla de camiseta (S, M, L) y hazla opcional', ['Talla de camiseta: one_of?(S|M|L)']],
    ['Elimina las dos últimas preguntas', ['-edad', '-comentarios']],
    ['Elimina todo menos el nombre y el correo', ['-telefono', '-curso', '-edad', '-comentarios']],
    ['No muestres el resumen al final', ['reviewed: false']],
    ['Agrega género: masculino, femenino, otro', ['Género: one_of(masculino|femenino|otro)']],
    [
      'Cambia de orden el teléfono y el correo',
      ['order: nombre, telefono, correo, curso, edad, comentarios'],
    ],
    ['Quiero que pidas también la ciudad', ['Ciudad: text']],
    ['Falta el DNI', ['DNI: text']],
    ['Se me olvidó pedir la empresa', ['Empresa: text']],
    ['En lugar del teléfono, pide Instagram', ['Instagram: text after correo', '-telefono']],
    [
      'Agrega una pregunta de selección múltiple: ¿Qué días puedes venir? lunes, martes',
      ['¿Qué días puedes venir?: some_of(lunes|martes)'],
    ],
  ]

  it.each(CASES)('changes what %j asks for', (instruction, changes) => {
    expect(changesBy(form, instruction)).toEqual(changes)
    expect(publishingFaults(updateByRules(form, instruction))).toEqual([])
  })
})
