import type { FieldKind } from '../forms/form.ts'
import { plain } from '../forms/form.ts'

/**
 * The words that determine a field's kind, in English and in Spanish without accents. The first match counts: a
 * "number of guests" is a number, a "phone number" a phone.
 */
const KINDS: readonly [FieldKind | 'rating', RegExp][] = [
  [
    'document',
    /^(?:proof of|comprobantes? del?|constancia de) [a-z]+(?: [a-z]+)?$|^constancia fiscal$|\b(?:photo|picture|image|screenshot|foto|imagen)s? (?:or|o|and\/or) \u2060?(?:an? |un )?videos?\b/,
  ],
  [
    'document',
    /^(?!.*\b(?:number|name|type|size|no|of|for|logo|photo|picture|image)\b).*\S (?:file|pdf|spreadsheet)$/,
  ],
  [
    'photo',
    /^(?:front|back)(?: side)? of (?:the |your )?(?:id(?: card)?|card|licen[cs]e|passport|document)$/,
  ],
  [
    'consent',
    /^(?:subscribe|unsubscribe)$|\b(?:photo|media|image|video|picture)s? (?:permission|consent|release)\b|^(?:allow|authori[sz]e) us to\b|^i (?:own|have|am|confirm|understand|certify|declare|authori[sz]e|acknowledge|hereby|give)\b|^(?:declaro|entiendo|soy)\b|\b(consent|waiver|confirm(?:ing|s)? (?:that|(?:they|you) (?:are|have|own|agree|understand|accept|will)|.* (?:is|are) (?:correct|accurate|true))|confirm(?:ar|an?|o)? que|(?:agreement|acknowledge?ment|confirmation) that|permission (to|for)|permiso (para|de)|sign(?:s|ed|ing)? that|i (agree|accept)|acepto|autorizo|^accept(?:s|ing|ance of)? (?:the|our|an?|this|these)\b|accept(s|ance|ing)?\b.*\b(terms|privacy|conditions|policy|rules|agreement|contract|nda|disclaimer|waiver|guidelines|code of conduct)|agree(s|ment|ing)? (to|with)|terms (and|&) conditions|terms of (use|service)|terms|privacy policy|gdpr|opt[- ]?in|(subscri\w+|sign(ing)? up|suscri\w+) (to|for|al?)\b.*\b(newsletter|news|updates|offers|promotions|marketing|boletin|novedades|ofertas|promociones)|consentimiento|acept\w*\b.*\b(terminos|condiciones|politica|privacidad|bases|reglas|reglamento|contrato)|terminos|politica de privacidad|aviso de privacidad|autorizacion)\b/,
  ],
  [
    'paragraph',
    /^(?:¿\s*)?(?:why|por que)\b|\bwhat (?:(?:can|could|should|would) )?(?:we|you|they|i)(?:['’]d| can| could| should| would|['’]d like to)? (?:improve|change|do (?:better|differently))\b|\bque (?:podemos|podriamos|deberiamos|se puede|cambiaria[ns]?|mejoraria[ns]?) ?(?:mejorar|cambiar)?|^(?:¿\s*)?what (?:made|makes|would make|could we do|could (?:be|have been) (?:better|improved)|is the (?:main |primary )?reason|happened|went (?:wrong|well|badly))\b|^(?:¿\s*)?que (?:paso|ocurrio|sucedio)\b/,
  ],
  [
    'text',
    /^.*\S (?:type|category|topic|model|brand|range|group|bracket|title|caption)$|^(?:type|category|kind|title|caption|tipo|categoria|titulo) (?:of|de)\b|\bdays? of (?:the )?week\b|\bdias? de la semana\b|\b(?:car|vehicle) make\b|^make$|\byear of\b|\b(?:licen[cs]e|number) plates?\b|\b(?:iban|swift|bic)$|^(?:full |first )?names of\b|^(?:the )?(?:last|first) (?:\d|four|three) digits of\b/,
  ],
  [
    'paragraph',
    /\b(reasons?|comments?|explanation|feedback|motivo|razon|comentarios?) (for|on|about|de|del|sobre|para)\b/,
  ],
  ['email', /\b(e-?mails?|mails?|correos?)\b/],
  [
    'phone',
    /\b((?<!\bon (?:the |your |their )?)phones?|mobile|land-?line|cell ?phone|telephone|whatsapp|(?:contact|call ?back|best) (?:number|no)|number to (?:reach|call)|numero de contacto|telefonos?|celular|movil)\b/,
  ],
  ['password', /\b(passcode|password|pin|contrasena)\b/],
  [
    'photo',
    /\b(photos?|photographs?|pictures?|pics?|images?|selfie|head ?shots?|logos?|screenshots?|capturas? de pantalla|fotos?|fotografias?|fotografic[ao]s?|imagen(es)?)\b/,
  ],
  [
    'text',
    /\b((order|confirmation|account|invoice|booking|reservation|document|id|passport|tracking|policy|room|table|house|apartment|flat|unit|reference|customer|serial|flight|member(ship)?|plate|licen[cs]e|vehicle|registration|card|student|patient|vat|tax|insurance|claim|case|ticket|contract|employee|staff|part|model|permit|receipt|social security|national|bank|routing) (number|no|id)|razon social|numero de (pedido|cuenta|factura|boleta|comprobante|recibo|folio|caso|reserva|documento|cliente|serie|vuelo|mesa|habitacion|referencia|pasaporte|guia|poliza|socio|tarjeta|orden|contrato|expediente|ticket|empleado|seguridad social|identificacion))\b|^(?!.*\b(?:of|favou?rite|lucky|guests?)\b).*\S number$|^(?:number|numero)$|^calle y \u2060?numero\b/,
  ],
  [
    'number',
    /^%|%$|\b(?:max|min|total|maximum|minimum) hours\b|^(?:seats|spots|places) available$|\bpercent(?:age)?\b|\bporcentaje\b|^total (?!(?:number|name)\b)[a-z]+$|\btotal$|^(?:luggage|bag|item|head|page|word) count$|^(?:days|weeks|months|years|hours) since\b|^(?:[a-z]+ )?(?!(?:earnings|expenses|costs|sales)\b)[a-z]+s per (?:day|week|month|year|person|visit|session)$|^hours [a-z]+$|^hours (?:per|an?|each) [a-z]+\b|\b(?:electric(?:ity)?|energy|water|gas|utility|monthly) bills?\b|\b(?:hourly|daily|weekly) rate$|\bin (?:usd|eur|gbp|dollars|euros|pounds|kg|kilos|lbs|cm|lit(?:er|re)s|met(?:er|re)s|feet|inches|km|miles|hours|days|weeks|minutes|months|years)$|\ben (?:dolares|euros|pesos|kg|kilos|cm|metros|km|horas|dias|semanas|minutos|meses|anos)$|^(?:passengers|adults|kids|bedrooms|bathrooms|dormitorios|habitaciones|banos|children|people|occupants|luggage pieces|pasajeros|adultos|ninos|personas)(?: (?:per|por) [a-z]+)?$|^years (?:driving|licensed|in|of|at|with|working)\b|^units (?:on|in|of)\b|^(?:minutes|minutos|horas) (?:of|de|to)\b|\b(?:expected|hourly) pay\b|\bpay per\b|\bwages?\b|\bdown payment$|^(?:monthly|annual|yearly|weekly|average) sales$|^(?:monthly|total|current|outstanding) debts?$|\bsuma asegurada\b/,
  ],
  [
    'number',
    /\b(number of|how many|how old|how much|quantity|amount|age|guests|head ?count|(?:party|group) size|square footage|m2|sq ?ft|guest count|mileage|temperatur[ea]|heart rate|pulse|kilometraje|square (?:met(?:er|re)s|feet)|metros cuadrados|years of|hours of|(?<!\bsource of )income|turnover|revenue|salary|budget|price|cost|weight|height|nights|number|cuant[oa]s?|cantidad|edad|anos|numero de|numero|presupuesto|precio|coste|costo|monto|ingresos?|salario|sueldo|importe|peso|altura|noches|comensales)\b/,
  ],
  [
    'date',
    /^(?:arrival|departure|llegada|salida)$|^(?:[a-z]+ )?deadline$|^last (?:visit|check-?up)$|^ultima (?:visita|revision)$|\b(?:trip|rental|lease|contract|project|event|stay|course) (?:start|end)$|^available (?:from|until|to)$|^check (?:in|out)$|\b(dates?|birth ?dates?|birthdays?|anniversar(?:y|ies)|aniversarios?|dob|(?<!\b(?:typical|average|normal) )day(?!-of\b)|check-?in|check-?out|fechas?|cumpleanos|nacimiento|dia)\b/,
  ],
  [
    'rating',
    /\b(ratings?|(?<!\b(?:heart|pulse|interest|exchange|hourly|daily) )rate|score|stars?|satisfaction|satisfied|califi(ca|que)\w*|puntua\w*|puntaje|valora\w*|evalua(?!tion)\w*|estrellas|satisfaccion|satisfech[oa])\b/,
  ],
  [
    'document',
    /\b(documents?|files?|attachments?|cv|videos?|resume|pdf|documentos?|archivos?|adjuntos?|curriculum)\b/,
  ],
  [
    'paragraph',
    /\b(?:cover|motivation) letter$|^carta de (?:presentacion|motivacion|motivos|intencion)$|\bwords about\b|^(?:ingredients|steps|procedure|ingredientes|pasos|preparacion)$|^steps to [a-z]+$|^(?:expected|actual) (?:results?|behaviou?r)$|\bjustifica(?:tion|cion)\b|\b(comments?|message|instructions|instrucciones|bio|biography|biografia|feedback|descri(be|ption)|details|notes?|suggestions?|reason|why|explain|explanation|opinions?|symptoms|remarks|enquiry|inquiry|complaint|testimonials?|reviews?|summary|resumen del?|special requests?|comentarios?|mensaje|descripcion|describ\w+|detalles|notas|observaciones|sugerencias?|motivo|razon|por que|opinion(es)?|sintomas|queja|reclamo|consulta)\b/,
  ],
  [
    'text',
    /\b(names?|user ?names?|nick ?names?|surname|address|city|town|country|street|zip|post ?code|postal|state|province|company|job|title|role|position|subject|topic|time|hour|reference|occupation|department|colou?r|size|service|product|type|category|plan|model|brand|breed|order|allerg(y|ies)|gender|nationality|language|location|branch|source|nombres?|apellidos?|direccion|ciudad|pais|calle|codigo|estado|provincia|empresa|cargo|puesto|profesion|asunto|tema|hora|talla|tamano|color|servicio|producto|tipo|categoria|modelo|marca|raza|pedido|alergias?|genero|idioma|ubicacion|sucursal|signature|firma|documento|dni|nif|rut|cedula|nacionalidad)\b/,
  ],
]

/** The kind of field that a description names; null when it contains no known word. */
export function kindNamed(description: string): FieldKind | 'rating' | null {
  const text = plain(description)
  return KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

/** The words that name a thing, in the singular: those of "service types" and "the type of service" are the same. */
export function wordsOf(said: string): string[] {
  const words = plain(said).match(/[a-z0-9]+/g) ?? []
  return words
    .filter((word) => !/^(?:of|the|de|del|la|el)$/.test(word))
    .map((word) => word.replace(/s$/, ''))
}

/** What a description says about the input itself, apart from the question. */
export type Wish = { isOptional: boolean; isRequired: boolean; style: FieldKind | null }

const OPTIONAL =
  /\b(optional(ly)?|not (required|mandatory|needed|necessary)|if (any|there (?:is|are) (?:any|one|some)|possible|applicable|available|needed|known|relevant|(they|you) (have (one|any|some|it|them)|(want|like|wish)(?! (to )?[a-z]+ )))|no (es )?obligatori[oa]s?|opcional(es|mente)?|si (lo )?desean?|si es posible|si procede|si aplica|si (?:los? |las? )?(?:tienen?|traen?|hay|existen?)(?: algun[oa]?s?| un[oa])?(?! [a-z]))\b/gu
const REQUIRED =
  /(?<!\b(?:services?|assistance|help|support|quantity|skills?|experience|servicios?|ayuda|asistencia|cantidad|productos?|material(?:es)?|experiencia|fechas?|horas?|cargo|puesto) )\b(required|mandatory|compulsory|obligatori[oa]s?|requerid[oa]s?)\b(?!\?)|(?<=[\p{L}\d)])(?<!(?:^|[,(/;]) ?\d)\s?\*(?!\S)/gu
const STYLES: readonly [FieldKind, RegExp][] = [
  [
    'some_of',
    /\b((?:select|choose|pick|tick|check) all that apply|(?:[-–—] )?multiple[ -](?:choice|selections?|answers?)(?: (?:allowed|possible))?|(?:multiple|several|more than one) (?:ones )?(?:allowed|possible|ok(?:ay)?)|multi-?select|(?:select|choose|pick|tick|check) (?:all|several|multiple)|(?:select|choose|pick|tick|check) (?:any|as many as (?:they|you) (?:like|want|wish))(?=:)|(?:[-–—] )?(?:can|may) (?:pick|choose|select) (?:multiple|several|many|more than one)|several|more than one|all that apply|multiple(?=:)|check ?boxes|(?:select|choose|pick|tick|check) any of|one or more (?:of|from)|seleccion multiple|opcion multiple|(?:(?:(?:se )?pueden? )?(?:elig|eleg|elij|escog|seleccion|marc)[a-z]+ )?(?:varias|varios)|casillas)\b:?|[,;]\s*(?:multiple|several)\s*$/gu,
  ],
  [
    'one_of',
    /\b(from (an?|the) (list|menu)|(?:from |in )(?:an? )?drop-?down(?: list| menu)?|drop-?down|radio( buttons?)?|single[ -]choice|select one|desplegable|seleccion unica|lista)\b/gu,
  ],
  ['number', /\b(as a number|numeric|numerico)\b/gu],
  ['paragraph', /\b(long (text|answer)|text ?area|multi-?line|paragraph|texto largo|parrafo)\b/gu],
  ['consent', /\b(?:check ?box|tick ?box)\b/gu],
  [
    'date',
    /^\s*(?:calendar|calendario)(?: picker)?\s*$|\b(?:calendar picker|(?:from|in|on|with|using|de|en|con) (?:an? |un )?(?:calendar|calendario))\b/gu,
  ],
]
const NOUNS =
  /\b(fields?|(?<!\b(?:their|your|all|security|secret) )questions?(?! for\b)|inputs?|sliders?|check ?box|(?<!\b(?:the|of|gift|mail|po|lunch|tool|food|original|which|this|their|your|per|each) )box(?! (?:types?|sizes?|numbers?|colou?rs?)\b)|text(?! (?:to|on|for|of)\b)|picker|campos?|preguntas?|casilla|texto)\b/gu

/**
 * Takes the wishes about the input out of a description: `whole` is what remains, `rest` the question. Words such as "field" are
 * removed only if something remains without them.
 */
export function readWish(description: string): { wish: Wish; whole: string; rest: string } {
  let rest = description
  const take = (pattern: RegExp) => {
    const before = rest
    rest = without(rest, pattern)
    return rest !== before
  }
  const isOptional = take(OPTIONAL)
  const isRequired = take(REQUIRED)
  const style = STYLES.find(([, pattern]) => take(pattern))?.[0] ?? null
  const bare = tidy(without(rest, NOUNS))
  const wish = { isOptional, isRequired, style }
  return { wish, whole: tidy(rest), rest: bare === '' ? tidy(rest) : bare }
}

/** A text without whatever matches a pattern; accents are ignored in the comparison. */
function without(text: string, pattern: RegExp): string {
  const letters = [...text.normalize('NFC')]
  // Letter by letter, so that a match without accents is cut out of the text with accents.
  const folded = letters.map((letter) => plain(letter).slice(0, 1) || ' ').join('')
  const cut = new Set<number>()
  for (const { index, 0: found } of folded.matchAll(pattern)) {
    for (let at = index; at < index + found.length; at++) cut.add(at)
  }
  return letters.filter((_, at) => !cut.has(at)).join('')
}

/** Single spaces between words, no space before a question mark, and no punctuation around the text. */
export function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replaceAll(' ?', '?')
    .replace(/^[\s,;:.\-–—*•]+|(?:[\s,;:.–—]|(?<![A-Z])-)+$/g, '')
    .trim()
}

/** What is quoted is matched first, and kept as it is. */
const ADDRESS =
  /["“«][^"“”«»]*["”»]|(?:\b(?:at|on|under|see|in|en)\s+)?(?:https?:\/\/|\bwww\.)(?:[^\s,;()<>"“”«»]*[^\s,;()<>"“”«».:!?])?/giu
const QUOTED = /^["“«]/
const EMPTY_BRACKETS = /\(\s*\)/g

/** A description without web addresses: their colons and slashes would be read as choices. */
export function withoutAddresses(text: string): string {
  return text
    .replace(ADDRESS, (found) => (QUOTED.test(found) ? found : ' '))
    .replace(EMPTY_BRACKETS, ' ')
}
