import { english, type Kind, ofAny, spanish } from './kinds.ts'

/** What people think, want back, or want to know the price of, whatever it is about: before what it is about. */
export const OPINIONS: Kind[] = [
  {
    named: {
      en: english('nps|net promoter(?: score)?', 'recommendation'),
      es: spanish('nps|net promoter(?: score)?', 'recomendaci(?:on|ones)'),
    },
    asks: {
      en: 'How likely are you to recommend us? (0 to 10), What is the main reason for your score? (optional)',
      es: '¿Qué tan probable es que nos recomiende? (0 a 10), ¿Cuál es el motivo de su respuesta? (opcional)',
    },
  },
  {
    named: {
      en: /\b(?:feedback|satisfaction|experience|review|opinion|evaluation|engagement) (?:form|flow|survey|poll|questionnaire)|\b(?:customer|client|guest|patient|employee|user) (?:feedback|satisfaction|reviews?)\b|\b(?:delivery|event|course|training|workshop|webinar|product|service|app|website|food|stay|visit|class|order|restaurant|hotel|meal) (?:feedback|evaluation|survey)\b|\bsurvey (?:(?:about|on) |(?:of|for) (?:our|my|the) )|^feedback$|\bsurvey (?:our |the )?\w+ (?:about|on)\b|\bwhat (?:our |the )?\w+ think (?:of|about)\b|\bmeasur\w+ satisfaction\b/,
      es: /\b(?:medir|conocer) la satisfaccion\b|\bque (?:opinan|piensan)\b|\bencuesta (?:de|sobre) (?:la |el |nuestr[oa]s? )?(?:calidad|experiencia|satisfaccion|servicio|atencion|producto|evento|curso|clima laboral|visita|estadia|app|aplicacion)\b|\b(?:formulario|flujo) de (?:satisfaccion|evaluacion|opini(?:on|ones))\b/,
    },
    ofAny: ofAny(
      'survey|feedback|evaluation|review',
      'encuestas?|feedback(?= (?:de|del|sobre) )|evaluaci(?:on|ones)|opini(?:on|ones)',
    ),
    asks: {
      en: 'rating from 1 to 5, optional comment',
      es: 'calificación del 1 al 5, comentario (opcional)',
    },
  },
  {
    named: {
      en: /\bcomplaints? (?:form|flow)|\b(?:file|make|submit) a complaint\b/,
      es: /\b(?:formulario|flujo) de (?:quejas?|reclamos?|reclamaciones)\b/,
    },
    ofAny: ofAny('complaint', 'quejas?|reclamos?|reclamaci(?:on|ones)|denuncias?'),
    asks: {
      en: 'name, email, order number (optional), complaint',
      es: 'nombre, correo, número de pedido (opcional), queja',
    },
  },
  {
    named: {
      en: /\b(?:quote|quotation|estimate)s? (?:request|form|flow)|\b(?:get|request|ask for) an? (?:free )?(?:quote|quotation|estimate)\b/,
      es: /\b(?:solicit|ped)\w* (?:de )?(?:un |una )?(?:cotizacion(?:es)?|presupuesto)\b|\b(?:formulario|flujo) de cotizacion(?:es)?\b/,
    },
    ofAny: ofAny('quote|quotation|estimate', 'cotizaci(?:on|ones)|cotizar|presupuestos?'),
    asks: { en: 'name, email, phone, details', es: 'nombre, correo, teléfono, detalles' },
  },
  {
    named: {
      en: /\b(?:returns?|refunds?|exchanges?) (?:request )?(?:form|flow)|\b(?:request|ask for|apply for) an? (?:return|refund|exchange)\b|^(?:\w+ )?(?:return|refund|exchange)s?(?: requests?)?$|\breturn(?:ing)? (?:an? |the |their )?(?:products?|items?|orders?|purchases?)\b/,
      es: /\b(?:formulario|flujo) de (?:devolucion(?:es)?|reembolsos?|cambios?)\b|\bdevol(?:ver|ucion(?:es)?) (?:de )?(?:un |el )?(?:productos?|articulos?|pedidos?|compras?)\b/,
    },
    asks: {
      en: 'name, order number, reason for the return, comments (optional)',
      es: 'nombre, número de pedido, motivo de la devolución, comentarios (opcional)',
    },
  },
]

/** What is asked of whoever comes at a time, or is come to. */
const AT_A_TIME = {
  en: 'name, phone, date, time, optional notes',
  es: 'nombre, teléfono, fecha, hora, notas (opcional)',
}

/** What any business may ask, where nothing narrower is named. */
export const GENERAL: Kind[] = [
  {
    named: {
      en: /\bcontact(?:[ -]us)? (?:form|flow|page)|^contact us$|\b(?:form|flow)\b.{0,40}\b(?:contact|reach) us\b|\b(?:enquiry|inquiry) (?:form|flow)/,
      es: /\b(?:formulario|flujo) de (?:contacto|consultas?)\b|\bsolicitud de informacion\b|^contact(?:o|anos)$/,
    },
    ofAny: ofAny('inquiry|enquiry', 'consultas?'),
    asks: {
      en: 'name, email, optional phone, message',
      es: 'nombre, correo, teléfono (opcional), mensaje',
    },
  },
  {
    named: {
      en: /\b(?:book|reserv)\w* (?:an? |your |their |our )?tables?\b|\b(?:table|restaurant) (?:booking|reservation)s?\b|\breservation (?:form|flow)/,
      es: /\breserv\w* (?:de |una |la )*mesas?\b|\breservas? (?:de|en|para) (?:el |un |nuestro )?restaurante\b|\b(?:formulario|flujo) de reservas?\b/,
    },
    asks: {
      en: 'name, phone, date, time, number of guests, optional notes',
      es: 'nombre, teléfono, fecha, hora, número de personas, notas (opcional)',
    },
  },
  {
    named: {
      en: /\b(?:appointments?|consultations?|meetings?|visits?|demos?|viewings?) (?:booking|scheduling|request|form|flow)|\b(?:book|schedul|request|mak|arrang)\w* (?:an? |your |their |our )?(?:\w+ )?(?:appointments?|consultations?|meetings?|visits?|demos?|viewings?)\b|^(?:\w+ )?appointments?$|\bbooking (?:form|flow)/,
      es: /\b(?:agend|reserv|ped|pid|solicit|program)\w* (?:de |una |la |un )*(?:citas?|turnos?|consultas? medicas?)\b|^consulta medica$|\b(?:formulario|flujo) (?:de|para) citas?\b/,
    },
    ofAny: ofAny(
      'booking|reservation|appointment|session|lesson|consultation|scheduling',
      'citas?|reservas?|reservar|turnos?|agend(?:a|ar|e)|visitas?|solicitud de visita',
    ),
    asks: AT_A_TIME,
  },
  {
    named: { en: /\bnewsletter\b/, es: /\bboletin\b/ },
    asks: {
      en: 'name, email, consent to receive the newsletter',
      es: 'nombre, correo, consentimiento para recibir el boletín',
    },
  },
  {
    named: {
      en: /\bleave (?:their|your) (?:contact )?(?:details|information|info)\b|\blead (?:generation|gen|capture|qualification|form|flow)|\b(?:collect|captur|generat|qualify)\w* (?:new |more )?leads?\b/,
      es: /\b(?:capt|gener|calific)\w* (?:de )?(?:leads|prospectos|clientes)\b|\bdej(?:ar|en) (?:sus|los) datos\b|\b(?:formulario|flujo) de (?:leads|prospectos)\b/,
    },
    asks: {
      en: 'name, optional company, email, phone',
      es: 'nombre, empresa (opcional), correo, teléfono',
    },
  },
  {
    named: {
      en: /\b(?:registration|enrol?lment|rsvp|sign[ -]?up|membership) (?:form|flow|page)|^(?:\w+ )?(?:registration|sign[ -]?up)\b(?! (?:numbers?|no|dates?|ids?|codes?|fees?|status)\b)|\b(?:sign(?:ing)? up|regist(?:er|ering)|enrol(?:l|ling)?) (?:for|to|in) \w+|\bfree trial\b|\bjoin(?:ing)? (?:our|the|my) [\w ]{0,20}(?:program(?:me)?|club|community|group|list|team)\b/,
      es: /\bprueba gratuita\b|\b(?:formulario|flujo|ficha|hoja) de (?:registro|inscripcion|alta)\b|^(?:registro|inscripcion)\b|\b(?:inscribir(?:se)?|registrar(?:se)?|apuntarse) (?:a |al |en |para )*(?:un |una |el |la )?\w+|\bunirse (?:a|al) (?:nuestr[oa] |la |el )?[\w ]{0,20}(?:programa|club|comunidad|grupo|lista)\b/,
    },
    ofAny: ofAny(
      'registration|sign[ -]?up|enrol?lment|renewal|entry|membership|subscription',
      'registros?|inscripci(?:on|ones)|renovaci(?:on|ones)|suscripci(?:on|ones)|unirse',
    ),
    asks: { en: 'name, email, phone', es: 'nombre, correo, teléfono' },
  },
  {
    named: {
      en: /\b(?:support|help ?desk|service) (?:tickets?|requests?|form|flow)|\b(?:ticket|incident) (?:form|flow)|\breport(?:ing)? (?:an? |the )?(?:\w+ )?(?:problem|issue|bug|fault|incident)s?\b|\b(?:problem|issue|bug|incident) report/,
      es: /\btickets? de soporte\b|\b(?:formulario|flujo) de (?:soporte|ayuda|incidencias?)\b|\breport\w* (?:de )?(?:un |una )?(?:problemas?|incidencias?|error(?:es)?|fallas?)\b/,
    },
    asks: { en: 'name, email, subject, description', es: 'nombre, correo, asunto, descripción' },
  },
  {
    named: { en: /\bcall[ -]?backs?\b/, es: /\bsolicit\w* (?:de )?(?:una )?llamadas?\b/ },
    asks: {
      en: 'name, phone, preferred time (optional)',
      es: 'nombre, teléfono, hora preferida (opcional)',
    },
  },
  {
    named: {
      en: /\border(?:ing)? (?:form|flow)|\b(?:plac|tak)\w* (?:an )?orders?\b/,
      es: /\b(?:hac|tom)\w* (?:un )?pedidos\b|\b(?:formulario|flujo) de pedidos?\b/,
    },
    ofAny: ofAny('order|purchase|pre-?order', 'pedidos?|orden|compras?|pedir|ordenar|comprar'),
    asks: {
      en: 'name, phone, product, quantity, address',
      es: 'nombre, teléfono, producto, cantidad, dirección',
    },
  },
  {
    named: {
      en: /\b(?:job|employment) (?:applications?|applicants?|form|flow)|\bapplication (?:form|flow)|\bapply\w* for (?:an? |the |our )?(?:jobs?|positions?)\b/,
      es: /\bsolicitud(?:es)? de empleo\b|\bpostulaci(?:on|ones) (?:a|para|de) (?:una? |la )?(?:vacantes?|empleos?|puestos?|trabajos?)\b|\b(?:formulario|flujo) de empleo\b/,
    },
    asks: { en: 'name, email, phone, CV', es: 'nombre, correo, teléfono, currículum' },
  },
  {
    named: {
      en: /\b(?:address|shipping|delivery) (?:update|change|details|form|flow)|\b(?:updat|chang)\w* (?:of )?(?:an? |the |your |their )?address\b/,
      es: /\b(?:formulario|flujo|datos|direccion) de (?:envio|entrega)s?\b/,
    },
    asks: { en: 'street, city, postal code', es: 'calle, ciudad, código postal' },
  },
  {
    ofAny: {
      en: /^(?:.* )?(?:book|schedule|reserve)s? (?:an? |the |our |my |their |your )?\w+/,
      es: /^(?:.* )?(?:agend(?:ar|en?)|reserv(?:ar|en?)) (?:una? |el |la |su |tu )?\w+/,
    },
    asks: AT_A_TIME,
  },
  {
    named: {
      en: /\breport(?:ing)? (?:an? |the |lost |broken |damaged )*\w+/,
      es: /\breport(?:ar|en) (?:una? |el |la )?\w+/,
    },
    ofAny: ofAny('report', 'reportes?'),
    asks: {
      en: 'name, phone, location, description, photos (optional)',
      es: 'nombre, teléfono, ubicación, descripción, fotos (opcional)',
    },
  },
  {
    named: {
      en: /^call for (?:speakers|papers|proposals)\b|\bapply (?:for|to) \w+/,
      es: /^convocatoria\b|\bpostular(?:se)? (?:a|al|para) \w+/,
    },
    ofAny: ofAny(
      'application|proposal|nomination|submission',
      'postulaci(?:on|ones)|candidaturas?|solicitud de (?:beca|ingreso)',
    ),
    asks: {
      en: 'full name, email, phone, why are you applying?',
      es: 'nombre completo, correo, teléfono, ¿por qué se postula?',
    },
  },
  {
    named: { en: /\brequest (?:for|an?|the) \w+/, es: /\bsolicit(?:ar|en) (?:una? |el |la )?\w+/ },
    ofAny: ofAny('request|brief', 'solicitud(?:es)?'),
    asks: { en: 'name, phone, details', es: 'nombre, teléfono, detalles' },
  },
]
