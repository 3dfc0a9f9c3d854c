import { describe, expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { shown } from '../support/flow-parts.ts'

describe('a prompt as an agent writes it, mostly in Spanish', () => {
  it.each<[prompt: string, asked: string[]]>([
    [
      'Crea un flujo de WhatsApp para registrar participantes de un torneo de pádel. Pantalla 1: nombre completo, celular, correo. Pantalla 2: categoría (primera, segunda, tercera), talla de camiseta (S, M, L, XL), nombre de la pareja. Pantalla 3: aceptación del reglamento. Botón final: "Inscribirme".',
      [
        'Nombre completo: text',
        'Celular: phone',
        'Correo: email',
        'Categoría: one_of primera|segunda|tercera',
        'Talla de camiseta: one_of S|M|L|XL',
        'Nombre de la pareja: text',
        'Aceptación del reglamento: consent',
        'button: Inscribirme',
      ],
    ],
    [
      'Genera un flujo de calificación de prospectos para una inmobiliaria: tipo de propiedad (casa, departamento, terreno), presupuesto (menos de 1 millón, 1-3 millones, más de 3 millones), zona de interés, ¿crédito o contado?, nombre y teléfono.',
      [
        'Tipo de propiedad: one_of casa|departamento|terreno',
        'Presupuesto: one_of menos de 1 millón|1-3 millones|más de 3 millones',
        'Zona de interés: text',
        '¿Crédito o contado?: one_of crédito|contado',
        'Nombre: text',
        'Teléfono: phone',
      ],
    ],
    [
      'Crea un formulario "Devolución de producto" que capture: número de orden, motivo (defectuoso, talla incorrecta, no me gustó, otro), si es otro especificar, foto del producto, y preferencia de solución: reembolso, cambio o nota de crédito.',
      [
        'Número de orden: text',
        'Motivo: one_of defectuoso|talla incorrecta|no me gustó|otro',
        'Especifique: text if motivo is otro',
        'Foto del producto: photo',
        'Preferencia de solución: one_of reembolso|cambio|nota de crédito',
      ],
    ],
    [
      'Formulario de pedido de pasteles: sabor (chocolate, vainilla, tres leches), tamaño (10, 20 o 30 personas), relleno (opcional), fecha de entrega (mínimo 2 días de anticipación), mensaje en el pastel (máx. 40 caracteres), entrega a domicilio o recoger en tienda; si es a domicilio, pedir la dirección.',
      [
        'Sabor: one_of chocolate|vainilla|tres leches',
        'Tamaño: one_of 10 personas|20 personas|30 personas',
        'Relleno?: text',
        'Fecha de entrega: date (Mínimo 2 días de anticipación)',
        'Mensaje en el pastel: paragraph ..40',
        'Entrega a domicilio o recoger en tienda: one_of entrega a domicilio|recoger en tienda',
        'Dirección: text if entrega_a_domicilio_o_recoger_en_tienda is entrega a domicilio',
      ],
    ],
    [
      'Cuestionario de preselección: ¿eres mayor de edad?, ¿tienes disponibilidad de tiempo completo?, ¿cuántos años de experiencia tienes? (0-1, 2-4, 5 o más), pretensión salarial, adjunta tu CV, correo y teléfono.',
      [
        '¿Eres mayor de edad?: one_of Sí|No',
        '¿Tienes disponibilidad de tiempo completo?: one_of Sí|No',
        '¿Cuántos años de experiencia tienes?: one_of 0-1|2-4|5 o más',
        'Pretensión salarial: text',
        'CV: document',
        'Correo: email',
        'Teléfono: phone',
      ],
    ],
    [
      'Formulario para donadores: monto ($100, $200, $500, otro), frecuencia (única, mensual), nombre, correo, ¿desea recibo deducible? (sí/no), RFC si desea recibo.',
      [
        'Monto: one_of $100|$200|$500|otro',
        'Frecuencia: one_of única|mensual',
        'Nombre: text',
        'Correo: email',
        '¿Desea recibo deducible?: one_of sí|no',
        'RFC: text if desea_recibo_deducible is sí',
      ],
    ],
    [
      'Pregunta al cliente si quiere agendar, cambiar o cancelar su cita. Si quiere cambiar, pide la nueva fecha; si quiere cancelar, el motivo.',
      [
        '¿Quiere agendar, cambiar o cancelar su cita?: one_of agendar|cambiar|cancelar su cita',
        'Nueva fecha: date if quiere_agendar_cambiar_o_cancelar_su is cambiar',
        'Motivo: paragraph if quiere_agendar_cambiar_o_cancelar_su is cancelar su cita',
      ],
    ],
    [
      'Inspección de vehículo: placas, kilometraje, nivel de gasolina (1/4, 1/2, 3/4, lleno), golpes o rayones (sí/no), fotos del vehículo (hasta 4), observaciones.',
      [
        'Placas: text',
        'Kilometraje: number',
        'Nivel de gasolina: one_of 1/4|1/2|3/4|lleno',
        'Golpes o rayones: one_of sí|no',
        'Fotos del vehículo: photo ..4',
        'Observaciones: paragraph',
      ],
    ],
    [
      'Encuesta: califica del 1 al 5: comida, servicio, ambiente y precio. Después pregunta qué platillo fue su favorito y si volvería.',
      [
        'Comida: one_of 1|2|3|4|5',
        'Servicio: one_of 1|2|3|4|5',
        'Ambiente: one_of 1|2|3|4|5',
        'Precio: one_of 1|2|3|4|5',
        'Qué platillo fue su favorito: text',
        '¿Volvería?: one_of Sí|No',
      ],
    ],
    [
      'Survey: rate from 1 to 5: food, service, ambience and price.',
      [
        'Food: one_of 1|2|3|4|5',
        'Service: one_of 1|2|3|4|5',
        'Ambience: one_of 1|2|3|4|5',
        'Price: one_of 1|2|3|4|5',
      ],
    ],
    [
      'How many years of experience do you have? (0-1, 2-4, 5 or more), email',
      ['How many years of experience do you have?: one_of 0-1|2-4|5 or more', 'Email: email'],
    ],
    [
      'Reason (broken, other), if other specify, photo',
      ['Reason: one_of broken|other', 'Please specify: text if reason is other', 'Photo: photo'],
    ],
    ['Dents or scratches (yes/no), name', ['Dents or scratches: one_of yes|no', 'Name: text']],
    [
      'Ask customers whether they want to book, change or cancel. If they want to change, ask for the new date.',
      [
        'Book, change or cancel: one_of book|change|cancel',
        'New date: date if book_change_or_cancel is change',
      ],
    ],
    ['Order: flavour, delivery (home, shop)', ['Flavour: text', 'Delivery: one_of home|shop']],
    [
      'Pedido: sabor, entrega (a domicilio, en tienda); si es a domicilio, pedir la dirección.',
      [
        'Sabor: text',
        'Entrega: one_of a domicilio|en tienda',
        'Dirección: text if entrega is a domicilio',
      ],
    ],
    [
      'Solicitar cotización de mudanza. Campos: dirección de origen, fecha tentativa, nombre',
      ['Dirección de origen: text', 'Fecha tentativa: date', 'Nombre: text'],
    ],
  ])('%j', (prompt, expected) => {
    expect(shown(generateByRules('form', prompt))).toEqual(expected)
  })
})
