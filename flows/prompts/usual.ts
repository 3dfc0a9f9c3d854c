import { type Language, plain } from '../forms/form.ts'

/** What a form is to ask for, as people list it. */
export type Listing = { asks: string; language: Language }

/** A kind of form: what it is called, in Spanish without accents, and what it asks for. */
type Usual = { named: Record<Language, RegExp>; asks: Record<Language, string> }

const CONTACT: Usual = {
  named: {
    en: /\bcontact(?:[ -]us)? (?:form|flow|page)|^contact us$|\b(?:form|flow)\b.{0,40}\b(?:contact|reach) us\b|\b(?:enquiry|inquiry) (?:form|flow)/,
    es: /\b(?:formulario|flujo) de (?:contacto|consultas?)\b|^contact(?:o|anos)$/,
  },
  asks: {
    en: 'name, email, optional phone, message',
    es: 'nombre, correo, teléfono (opcional), mensaje',
  },
}
const TABLE: Usual = {
  named: {
    en: /\b(?:book|reserv)\w* (?:an? |your |their |our )?tables?\b|\b(?:table|restaurant) (?:booking|reservation)s?\b|\breservation (?:form|flow)/,
    es: /\breserv\w* (?:de |una |la )*mesas?\b|\breservas? (?:de|en|para) (?:el |un |nuestro )?restaurante\b|\b(?:formulario|flujo) de reservas?\b/,
  },
  asks: {
    en: 'name, phone, date, time, number of guests, optional notes',
    es: 'nombre, teléfono, fecha, hora, número de personas, notas (opcional)',
  },
}
const APPOINTMENT: Usual = {
  named: {
    en: /\b(?:appointments?|consultations?|meetings?|visits?|demos?|viewings?) (?:booking|scheduling|request|form|flow)|\b(?:book|schedul|request|mak|arrang)\w* (?:an? |your |their |our )?(?:\w+ )?(?:appointments?|consultations?|meetings?|visits?|demos?|viewings?)\b|^(?:\w+ )?appointments?$|\bbooking (?:form|flow)/,
    es: /\b(?:agend|reserv|ped|solicit|program)\w* (?:de |una |la )*citas?\b|\b(?:formulario|flujo) (?:de|para) citas?\b/,
  },
  asks: {
    en: 'name, phone, date, time, optional notes',
    es: 'nombre, teléfono, fecha, hora, notas (opcional)',
  },
}
const NEWSLETTER: Usual = {
  named: { en: /\bnewsletter\b/, es: /\bboletin\b/ },
  asks: {
    en: 'name, email, consent to receive the newsletter',
    es: 'nombre, correo, consentimiento para recibir el boletín',
  },
}
const FEEDBACK: Usual = {
  named: {
    en: /\b(?:feedback|satisfaction|experience|review|opinion) (?:form|flow|survey|poll|questionnaire)|\b(?:customer|client|guest|patient|employee|user) (?:feedback|satisfaction)\b|^feedback$/,
    es: /\bencuesta de (?:calidad|experiencia)\b|\b(?:formulario|flujo) de satisfaccion\b/,
  },
  asks: {
    en: 'rating from 1 to 5, optional comment',
    es: 'calificación del 1 al 5, comentario (opcional)',
  },
}
const LEAD: Usual = {
  named: {
    en: /\blead (?:generation|gen|capture|qualification|form|flow)|\b(?:collect|captur|generat|qualify)\w* (?:new |more )?leads?\b/,
    es: /\b(?:capt|gener|calific)\w* (?:de )?(?:leads|prospectos|clientes)\b|\b(?:formulario|flujo) de (?:leads|prospectos)\b/,
  },
  asks: {
    en: 'name, optional company, email, phone',
    es: 'nombre, empresa (opcional), correo, teléfono',
  },
}
const REGISTRATION: Usual = {
  named: {
    en: /\b(?:registration|enrol?lment|rsvp|sign[ -]?up|membership) (?:form|flow|page)|^(?:\w+ )?(?:registration|sign[ -]?up)\b/,
    es: /\b(?:formulario|flujo) de (?:registro|inscripcion|alta)\b|^(?:registro|inscripcion)\b/,
  },
  asks: { en: 'name, email, phone', es: 'nombre, correo, teléfono' },
}
const COMPLAINT: Usual = {
  named: {
    en: /\bcomplaints? (?:form|flow)|\b(?:file|make|submit) a complaint\b/,
    es: /\b(?:formulario|flujo) de (?:quejas?|reclamos?|reclamaciones)\b/,
  },
  asks: {
    en: 'name, email, order number (optional), complaint',
    es: 'nombre, correo, número de pedido (opcional), queja',
  },
}
const SUPPORT: Usual = {
  named: {
    en: /\b(?:support|help ?desk|service) (?:tickets?|requests?|form|flow)|\b(?:ticket|incident) (?:form|flow)|\breport(?:ing)? (?:an? )?(?:problem|issue|bug|fault|incident)s?\b|\b(?:problem|issue|bug|incident) report/,
    es: /\btickets? de soporte\b|\b(?:formulario|flujo) de (?:soporte|ayuda|incidencias?)\b|\breport\w* (?:de )?(?:un |una )?(?:problemas?|incidencias?|error(?:es)?|fallas?)\b/,
  },
  asks: { en: 'name, email, subject, description', es: 'nombre, correo, asunto, descripción' },
}
const CALLBACK: Usual = {
  named: { en: /\bcall[ -]?backs?\b/, es: /\bsolicit\w* (?:de )?(?:una )?llamadas?\b/ },
  asks: {
    en: 'name, phone, preferred time (optional)',
    es: 'nombre, teléfono, hora preferida (opcional)',
  },
}
const QUOTE: Usual = {
  named: {
    en: /\b(?:quote|quotation|estimate)s? (?:request|form|flow)|\b(?:get|request|ask for) an? (?:free )?(?:quote|quotation|estimate)\b/,
    es: /\b(?:solicit|ped)\w* (?:de )?(?:un |una )?cotizacion(?:es)?\b|\b(?:formulario|flujo) de cotizacion(?:es)?\b/,
  },
  asks: { en: 'name, email, phone, details', es: 'nombre, correo, teléfono, detalles' },
}
const ORDER: Usual = {
  named: {
    en: /\border(?:ing)? (?:form|flow)|\b(?:plac|tak)\w* (?:an )?orders?\b/,
    es: /\b(?:hac|tom)\w* (?:un )?pedidos\b/,
  },
  asks: {
    en: 'name, phone, product, quantity, address',
    es: 'nombre, teléfono, producto, cantidad, dirección',
  },
}
const JOB: Usual = {
  named: {
    en: /\b(?:job|employment) (?:application|form|flow)|\bapplication (?:form|flow)|\bapply\w* for (?:an? |the |our )?(?:jobs?|positions?)\b/,
    es: /\bsolicitud(?:es)? de empleo\b|\b(?:formulario|flujo) de empleo\b/,
  },
  asks: { en: 'name, email, phone, CV', es: 'nombre, correo, teléfono, currículum' },
}
const ADDRESS: Usual = {
  named: {
    en: /\b(?:address|shipping|delivery) (?:update|change|details|form|flow)|\b(?:updat|chang)\w* (?:of )?(?:an? |the |your |their )?address\b/,
    es: /\b(?:formulario|flujo) de (?:envio|entrega)s?\b/,
  },
  asks: { en: 'street, city, postal code', es: 'calle, ciudad, código postal' },
}
const RETURN: Usual = {
  named: {
    en: /\b(?:returns?|refunds?|exchanges?) (?:request )?(?:form|flow)|\b(?:request|ask for) an? (?:return|refund|exchange)\b|\breturn(?:ing)? (?:an? |the |their )?(?:products?|items?|orders?|purchases?)\b/,
    es: /\b(?:formulario|flujo) de (?:devolucion(?:es)?|reembolsos?|cambios?)\b|\bdevol(?:ver|ucion(?:es)?) (?:de )?(?:un |el )?(?:productos?|articulos?|pedidos?|compras?)\b/,
  },
  asks: {
    en: 'name, order number, reason for the return, comments (optional)',
    es: 'nombre, número de pedido, motivo de la devolución, comentarios (opcional)',
  },
}

const USUAL = [
  ...[CONTACT, TABLE, APPOINTMENT, NEWSLETTER, FEEDBACK, LEAD, REGISTRATION, COMPLAINT, SUPPORT],
  ...[CALLBACK, QUOTE, ORDER, JOB, ADDRESS, RETURN],
]

/** How far into a prompt its kind of form may be named: farther on it is only mentioned. */
const NAMED_WITHIN = 100
/** Asks for words about a form, and not for one. */
const TELLING = /^(?:please )?(?:tell|write|say|sing|explain|dime|cuenta\w*|escrib\w*|explic\w*)\b/

/**
 * What a form of the kind that a prompt names usually asks for; null for a kind that is not known. For prompts
 * that name no fields themselves.
 */
export function usualOf({ asks: prompt, language }: Listing): Listing | null {
  const text = plain(prompt).replace(/\s+/g, ' ').trim()
  const start = text.replace(/[.!]+$/, '').slice(0, NAMED_WITHIN)
  if (TELLING.test(start)) return null
  for (const name of [start, ...turned(start)]) {
    for (const { named, asks } of USUAL) {
      const isSpanish = named.es.test(name) || (language === 'es' && named.en.test(name))
      if (isSpanish) return { asks: asks.es, language: 'es' }
      if (named.en.test(name)) return { asks: asks.en, language: 'en' }
    }
  }
  return null
}

const FOR =
  /\b(?:form|flow|survey) (?:for|about|to (?:get|request|handle|manage)) (?:an? |the |our |my |your )?((?:[\w'’-]+ ){0,3}[\w'’-]+)$/

/** "A form for job applications" the other way round, as forms are called: "job application form". */
function turned(start: string): string[] {
  const [, topic] = FOR.exec(start) ?? []
  return topic === undefined ? [] : [`${topic} form`, `${topic.replace(/s$/, '')} form`]
}
