import { english, type Kind, spanish } from './kinds.ts'

/** What is booked for a day, or for some: the narrower kinds first. */
export const BOOKINGS: Kind[] = [
  {
    named: {
      en: english(
        'cancell?(?:ing|ation)?s? (?:of )?(?:an? |the |their |your |my )?(?:appointment|booking|reservation|order|subscription|membership)s?|(?:appointment|booking|reservation|order|subscription|membership) cancell?ations?|reschedul(?:e|ing)',
        'cancell?ation',
      ),
      es: spanish(
        'cancel(?:ar|acion(?:es)?) (?:de |una? |la |el |su |mi )*(?:citas?|reservas?|pedidos?|suscripci(?:on|ones))|reprogramar|reprogramacion(?:es)?',
        'cancelacion(?:es)?',
      ),
    },
    asks: {
      en: 'name, phone, reference number, reason (optional)',
      es: 'nombre, teléfono, número de referencia, motivo (opcional)',
    },
  },
  {
    named: {
      en: english(
        '(?:hotel|hostel|room|accommodation|guest ?house|cabin|villa) (?:bookings?|reservations?)|book(?:ing)? (?:an? |the )?(?:\\w+ )?rooms?|(?:booking|reservation)s?(?: form| flow)? (?:for|at|in) (?:an? |the |our |my )?(?:\\w+ )?(?:hotel|hostel|guest ?house|inn|resort)',
        'hotel|accommodation',
      ),
      es: spanish(
        'reserv(?:a|as|ar) (?:de |en |una |la |el |un )*(?:hotel|habitaci(?:on|ones)|alojamiento|hostal|cabanas?)',
        'hotel|alojamiento|hospedaje',
      ),
    },
    asks: {
      en: 'name, phone, check-in date, check-out date, number of guests, notes (optional)',
      es: 'nombre, teléfono, fecha de entrada, fecha de salida, número de huéspedes, notas (opcional)',
    },
  },
  {
    named: {
      en: english(
        '(?:car|vehicle|bike|scooter|van|boat) (?:rental|hire)s?|rent(?:ing)? an? (?:car|vehicle|bike|scooter|van|boat)',
      ),
      es: spanish(
        '(?:alquil|rent|arrend|arriend)\\w+ (?:de |un |una )*(?:autos?|coches?|carros?|vehiculos?|motos?|bicicletas?)',
      ),
    },
    asks: {
      en: 'name, phone, pick-up location, pick-up date, return date',
      es: 'nombre, teléfono, lugar de recogida, fecha de recogida, fecha de devolución',
    },
  },
  {
    named: {
      en: english('test drives?'),
      es: spanish('pruebas? de manejo|test drive'),
    },
    asks: {
      en: 'name, phone, car model, date, time',
      es: 'nombre, teléfono, modelo de auto, fecha, hora',
    },
  },
  {
    named: {
      en: english(
        '(?:car|vehicle|auto|bike|motorcycle) (?:service|servicing|repair|maintenance|inspection)s?',
        'garage|workshop appointment',
      ),
      es: spanish(
        '(?:servicio|reparacion|mantenimiento|revision) (?:de |del |para )*(?:el |su |un )?(?:autos?|coches?|carros?|vehiculos?|motos?)',
        'taller',
      ),
    },
    asks: {
      en: 'name, phone, vehicle model, license plate, preferred date, description of the problem',
      es: 'nombre, teléfono, modelo del vehículo, placa, fecha preferida, descripción del problema',
    },
  },
  {
    named: {
      en: english(
        '(?:travel|trip|tour|flight|safari|cruise|excursion) (?:inquiry|enquiry|booking|reservation|request|planning|package)s?|(?:holiday|vacation) (?:inquiry|enquiry|booking|planning|package)s?|(?:plan|book)(?:ning|ing)? (?:an? |their |your )?(?:trip|holiday|vacation|tour|flight|cruise|safari)s?',
        'travel|tour',
      ),
      es: spanish(
        '(?:consulta|reserva|solicitud|cotizacion|planear|reservar) (?:de |un |una |su )*(?:viajes?|tours?|excursi(?:on|ones)|vuelos?|paquetes? turisticos?)',
        'viajes?|tours?',
      ),
    },
    asks: {
      en: 'name, phone, destination, departure date, return date, number of travelers, budget (optional)',
      es: 'nombre, teléfono, destino, fecha de salida, fecha de regreso, número de viajeros, presupuesto (opcional)',
    },
  },
  {
    named: {
      en: english(
        '(?:event|party|birthday|wedding|venue|catering|photo ?shoot|photography|dj|band) (?:booking|inquiry|enquiry|request|planner|planning|package|reservation|hire)s?|(?:book|hir)(?:e|ing)? (?:an? |our |the )?(?:venue|caterer|photographer|dj|band)s?',
        'catering|photography',
      ),
      es: spanish(
        '(?:reserva|consulta|solicitud|cotizacion|contratacion) de (?:eventos?|salon(?:es)?|banquetes?|catering|fotografia|bodas?|fiestas?)|(?:reservar|contratar) (?:un |el |una )?(?:salon|fotografo|catering|dj)',
        'catering',
      ),
    },
    asks: {
      en: 'name, phone, event date, type of event, number of guests, details (optional)',
      es: 'nombre, teléfono, fecha del evento, tipo de evento, número de invitados, detalles (opcional)',
    },
  },
  {
    named: {
      en: english(
        'rsvps?|invitation responses?|attendance confirmations?|confirm(?:ing)? (?:their |your )?attendance',
        'wedding|attendance',
      ),
      es: spanish('confirm(?:ar|acion(?:es)?) (?:de |su |tu |la )*asistencia|rsvp'),
    },
    asks: {
      en: 'name, will you attend? (yes, no), number of guests, dietary requirements (optional)',
      es: 'nombre, ¿asistirá? (sí, no), número de invitados, restricciones alimentarias (opcional)',
    },
  },
  {
    named: {
      en: english(
        '(?:home|house|cleaning|plumbing|plumber|electrical|electrician|repair|maintenance|handyman|gardening|pest control|laundry|moving) (?:services? )?(?:requests?|bookings?|appointments?|services?)|report(?:ing)? (?:an? )?(?:maintenance|repair) (?:issue|problem|fault)s?',
        'maintenance|repair|house cleaning',
      ),
      es: spanish(
        '(?:servicio|solicitud|visita)s? (?:de |a |para )?(?:limpieza|plomeria|fontaneria|electricista|reparaci(?:on|ones)|mantenimiento|jardineria|mudanzas?|lavanderia|domicilio)',
        'mantenimiento|limpieza|reparaci(?:on|ones)',
      ),
    },
    asks: {
      en: 'name, phone, address, what do you need?, preferred date (optional)',
      es: 'nombre, teléfono, dirección, ¿qué necesita?, fecha preferida (opcional)',
    },
  },
  {
    named: {
      en: english(
        'confirm(?:ing)? (?:an? |the |their |your )?(?:appointment|booking|reservation|visit)s?|(?:appointment|booking|reservation|visit) confirmations?',
      ),
      es: spanish(
        'confirm(?:ar|acion(?:es)?) (?:de |una |la |su |tu )*(?:citas?|reservas?|visitas?|turnos?)',
      ),
    },
    asks: {
      en: 'do you confirm? (yes, no), another date (optional), comments (optional)',
      es: '¿confirma? (sí, no), otra fecha (opcional), comentarios (opcional)',
    },
  },
]
