import { BARE_CHOICES } from './bare-choices.ts'
import { RATING_SPELLINGS } from './rating-spellings.ts'

/** Ways to write how a thing is answered, each with the one that is read: scales, yes or no, lists behind dashes. */
export const ANSWER_SPELLINGS: readonly [RegExp, string][] = [
  // "Company size – 1-10, 11-50, 51+"
  [
    /(?<=[\p{L}\d)]) [-–—] ((?:[<>$€£]? ?\d[\d.]*[km]?\+?(?: ?[-–] ?[$€£]?\d[\d.]*[km]?)?(?:, |(?= *$))){2,20})/gimu,
    ' ($1)',
  ],
  // "Membership plan - monthly $30, annual $300, start date"
  [
    /(?<=[\p{L}\d)]) [-–—] ((?:[^,;:()\n]{1,30}[$€£] ?\d[\d.]*(?:\/\p{L}{1,10})?, ){1,20}[^,;:()\n]{1,30}[$€£] ?\d[\d.]*\d?(?:\/\p{L}{1,10})?)/giu,
    ' ($1)',
  ],
  // "Food, service and cleanliness (rate 1 to 5)": all of them.
  [
    /(?:(?<=,[^:;.()\n]{1,200} (?:and|y|e) [^,;:.()\n]{1,40} ?)\((?=rate|rating|scored|cal|val|pun|to be)|\((?=[^()\n]{1,20} (?:all|each|cada un[oa]|tod[oa]s)\b)|[-–—] (?=(?:rate|cal|val)[^-–—\n]{1,40} [-–—]))(?:to be )?(?:rate[ds]?|rating|scored|calific(?:ar|ados?|adas?|a)|valor(?:ar|a)|puntuar)(?: (?:all|each|cada un[oa]|tod[oa]s))?(?: of them| one)?(?: from| on a scale (?:of|from)| del?)? (\d) ?(?:-|–|to|al?) ?(\d{1,2})(?:\)| [-–—])/giu,
    '(each from $1 to $2)',
  ],
  ...BARE_CHOICES,
  // "How was it? 😀 😐 😞"
  [/(?<=\?) ?((?:\p{Emoji_Presentation}\uFE0F?[ ,/]{0,2}){2,10})(?=[.\n]|$| )/gmu, ' ($1)'],
  // "Does it hurt? From 1 to 10"
  [
    /(?<=\?),? (?:from |del? )?(\d{1,2}) ?(?:-|–|to|al?) ?(\d{1,2})(?=[,.;\n]|$)/gimu,
    ' (from $1 to $2)',
  ],
  // "Height, weight, shoe size, in cm"
  [/, (?:all )?in (?:cm|mm|inches|kg|lbs|met(?:er|re)s)(?=[.\n]|$)/gimu, ''],
  // "Time 7:00, 8:00 or 9:00"
  [
    /(?<=\b(?:time|hour|slot|hora))(?: (?:from|among|de|entre))? (\d{1,2}:\d\d(?:, \d{1,2}:\d\d){0,10},? (?:or|and|o|y) \d{1,2}:\d\d)/giu,
    ' ($1)',
  ],
  // "Breakfast time 7, 8 or 9"
  [
    /(?<=\b(?:time|hour|slot|hora)) (\d{1,2} ?(?:[ap]m)?(?:, \d{1,2} ?(?:[ap]m)?){0,10},? (?:or|o) \d{1,2}(?: ?[ap]m)?)(?![\d:])/giu,
    ' ($1)',
  ],
  // "¿Cómo llega? Auto, bus; ¿cuánto tarda?"
  [
    /(?<=\?) ([^?¿.:;()\n]*,[^?¿.:;()\n]*);(?= ?(?:¿|(?:how|what|which|when|where|who|do|did|are|is|would)\b)[^;\n]*\?)/giu,
    ' ($1).',
  ],
  // "Pizza order. Toppings ham, olives. Crust thin or thick."
  [
    /(?<=(?:^|[.;\n]) {0,2})(toppings?|crusts?|sauces?|sides?|flavou?rs?|drinks?|extras|fillings?|bread|milk|dressing|protein|masa|salsas?|sabor(?:es)?|bebidas?|ingredientes|relleno) ((?!(?:is|are|should|can|must|of|and|or|es|son)\b)[^,;:.?()\n]{2,30}(?:, [^,;:.?()\n]{2,30}){0,20},? (?:(?:and|or|y|o) )?[^,;:.?()\n]{2,30})(?=[.;\n]|$)(?<=[^.;\n]*(?:,| or | o )[^.;\n]*)/gimu,
    '$1 ($2)',
  ],
  // "Phone - phone number", on a line of its own
  [
    /^([ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+\p{L}[^\n:–—()-]{1,40}) [-–—] ((?:phone |whole )?number|e-?mail(?: address)?|date(?: picker)?|(?:short |long |free )?text|teléfono|correo|fecha|número|texto)(?=,|[ \t]*$)/gimu,
    '$1 ($2)',
  ],
  // "Which of these do you use? (A, B, C) - select all that apply"
  [
    /\(([^()\n]*,[^()\n]*)\),? ?(?:[-–—] ?)?\(?(?:please )?(?:select|choose|pick|check|tick) (?:all(?: that apply)?|any|several|multiple|as many as (?:you|they) (?:like|want))\)?(?=[.,;\n]|$)/giu,
    '(multiple choice: $1)',
  ],
  // "Service (oil change, brakes) multiple"
  [
    /\(([^()\n:]*,[^()\n:]*)\),? (?:[-–—] )?(?:multiple|multi(?:-?select)?|several|varios|varias)(?: (?:allowed|possible|choice|selection))?(?=[.,;\n]|$)/gimu,
    '(multiple choice: $1)',
  ],
  // "Which courses interest you? Excel, Python - can pick more than one"
  [
    /(?<=\? )([^?.:()\n]*,[^?.:()\n]*?),? [-–—] (?:(?:you|they) )?(?:can|may) (?:pick|choose|select|tick|check) (?:more than one|several|multiple|many|any)(?=[.;\n]|$)/gimu,
    '(multiple choice: $1)',
  ],
  // "Own or rent home"
  [
    /(?<=(?:^|[,;:.\n]) {0,2})(own|rent|lease) or (own|rent|lease)(?: (?:your |their |the )?(?:home|house|property|apartment|place))?(?=[,.;?\n]|$)/gimu,
    '"$1 or $2" ($1, $2)',
  ],
  // "Availability: Monday, Tuesday (multiple)"
  [
    /(?<!\b(?:options|choices|answers|opciones|respuestas)): ?([^:;.?!()\n]*,[^:;.?!()\n]*) \((?:multiple|several|select all(?: that apply)?|choose (?:many|several|any)|varias|varios)\)/giu,
    ' (multiple choice: $1)',
  ],
  // "How old are you? Under 18, 18-25, over 40"
  [
    /(?<=\?) ((?:(?:(?:under|over|below|above|less than|more than) )?[$€£]?\d[\d.]*k?\+?(?: ?[-–] ?[$€£]?\d[\d.]*k?)?(?:, |(?= *$))){3,20})/gimu,
    ' ($1)',
  ],
  // "Choose between email or SMS for updates"
  [
    /\b(?:choose|pick|select) (?:between|from) ([^,;.:()\s]{1,30}) (?:or|and) ([^,;.:()\s]{1,30}) for (?:the |their )?(\p{L}{1,30}(?: \p{L}{1,30})?)(?=[.,;\n]|$)/giu,
    '$3 ($1, $2)',
  ],
  // "How was the fit - too small, just right, too big?"
  [
    /(?<=^|[.:;?\n] ?)((?:how|what|which|when|where|who|is|are|was|do|does|did) [^-–—?.:;\n]{2,80}) [-–—] ([^-–—?.:;\n,]{1,40}(?:, (?:or )?[^?.:;\n,]{1,40}){1,10})\?/giu,
    '$1? ($2)',
  ],
  // "Mood (😀 😐 😞)"
  [/(?<=\([^()\n]{0,60}\p{Emoji_Presentation}) (?=\p{Emoji_Presentation})/gu, ', '],
  // "A date field for the arrival"
  [
    /\b(?:an? )?(date|number|numeric|e-?mail|phone|photo|file|document) (?:field|input|picker|box) for (?:the |their |an? )?((?:\p{L}{1,20} ){0,2}?\p{L}{1,20})(?=[,.;\n]|$| and )/giu,
    '$2 ($1)',
  ],
  // "A dropdown for the country with Spain, Portugal and France"
  [
    /\b(?:drop-?down|list|select|menu) (?:for|of) (?:the |their |an? )?((?:\p{L}{1,20} ){0,2}\p{L}{1,20}) with ((?:(?!an? |the )[^,;.:()\n]{1,30}, ){0,20}?(?!an? |the )[^,;.:()\n]{1,30},? (?:and|or) (?!an? |the )[^,;.:()\n]{1,30}?)(?=[,;.\n]|$)/giu,
    '$1 ($2)',
  ],
  [/ (?:from|out of) (?:the |a |this )?(?:following )?list(?=:)/giu, ''],
  // "Q: How did you find us?", and on the next line "A: Google / a friend"
  [/(?<=\?)[ \t]*\n[ \t]*(?:A|R|Answers?|Respuestas?): ?([^\n()?]{1,200})/gu, ' ($1)'],
  // "A survey about food and service, each rated 1 to 5": what a survey is about is asked for there.
  [
    /\b(survey|poll|form|questionnaire|encuesta|formulario|cuestionario) (?:about|on|of|for|covering|regarding|sobre|acerca de) (?=[^.:;()\n]{3,300} (?:each|all|cada un[oa]|todos)(?: of them)? (?:rated|scored|graded|calificad))/giu,
    '$1: ',
  ],
  [
    /\b(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez) (?:questions|preguntas) (?:about|on|covering|regarding|sobre|acerca de) (?=[^.:;\n]*(?:,| and | y ))/giu,
    'questions: ',
  ],
  [/(?<=: ?)questions: /giu, ''],
  // What is looked for is ahead at first, and only then what stands before it: that is read from the line's start.
  [/(?= [-–—] )(?<=^[^?\n]*[^\s?:]) [-–—] ([^-–—\n:;.?!()]+) [-–—] (?![^()\n]*\))/gm, ' ($1) '],
  [
    /,? (?:each|all|cada un[oa]|todos)(?: of them)? (?:(?:rated|scored|graded|calificad[oa]s?)(?: on an?(?: scale)?)?|(?:on|with|using) an?(?: scale)?|en una escala)(?: from| of| del?)? (\d{1,2}) ?(?:-|–|to|a|al) ?(\d{1,2})\b(?: scale)?/giu,
    ' (each from $1 to $2)',
  ],
  [
    /\b(?:up to|at most|hasta) \d{1,2} (\p{L}{1,30}(?: \p{L}{1,30})?) (?:from|out of|de|entre):? ([^;.:()\n]{1,300})/giu,
    '$1 (multiple choice: $2)',
  ],
  // "A form for parents - name, email": what stands behind the first dash is asked for.
  [
    /^([^-–—:,.?!\n]{0,80}\b(?:form|flow|survey|poll|quiz|questionnaire|get|collect|gather|ask for|formulario|encuesta|cuestionario|flujo)\b[^-–—:,.?!\n]{0,60}) [-–—] (?=[^\n]*,)/iu,
    '$1: ',
  ],
  ...RATING_SPELLINGS,
  [
    /(?:\b(?:an?|una) )?(?:open(?:-ended)? question|pregunta abierta) (?:about|for|on|of|asking for|de|sobre|para) (?:the |their |las? |los )?((?:(?!(?:and|y)\b)\p{L}{1,20} ){0,3}(?!(?:and|y)\b)\p{L}{1,20})/giu,
    '$1 (long text)',
  ],
  // "A booking: room type - single, double; check-in"
  [
    /(?<=[:;,] )((?:\p{L}{1,30} ){0,2}\p{L}{1,30}) [-–—] ([^-–—:;.?!()\n]*,[^-–—:;.?!()\n]*)(?=;)/gu,
    '$1 ($2)',
  ],
  // "Ask for their consent and which channels: SMS, email"
  [
    /(?<=(?:,|\b(?:and|or|by|through|via)) (?:by |through |via )?)((?:which|what) \p{L}{3,20}(?: (?!they\b|you\b)\p{L}{2,20}){0,2}): ([^:;.?()\n]+,[^:;.?()\n]+)(?=[.\n]|$)/giu,
    '$1 ($2)',
  ],
  // "A rating and a text box"
  [
    /(?<=(?:\b(?:with|and|plus)|,) )(?:an? )?(?:(?:free|open|big|large|small) )?text ?(?:box|area|field)(?=[,.;\n]|$)/gimu,
    'comments',
  ],
  // "Dirección, hay alguien en peligro"
  [
    /(?<=[,;:] ?(?:y )?)(hay (?:alguien|alg[uú]n[oa]? \p{L}{1,20})[^,;:.?()\n]{0,40})(?=[,.;\n]|$)/gimu,
    '¿$1?',
  ],
  // "A vote: pick one: Dune, Emma"
  [/(?<=[:?] )(?:please )?(?:choose|select|pick) (?:only |just )?one: /giu, ''],
  // "A poll with thumbs up / thumbs down"
  [
    /\b(?:with|has|have|gives?|leaves?|by) (?:an? )?(?:choice of )?thumbs[ -]up ?(?:or|\/|and) ?(?:a )?(?:thumbs[ -])?down\b/gi,
    'with rating (Thumbs up, Thumbs down)',
  ],
  [/\bthumbs[ -]up ?(?:or|\/|and) ?(?:thumbs[ -])?down\b/gi, 'thumbs up/thumbs down'],
  [
    /\((?:(?:choose|select|pick) (?:many|several|any|multiple)(?: of)?|(?:elige|elija|selecciona|seleccione|escoge|escoja) (?:varios|varias|hasta \d{1,2}|todos los que [^():\n]{1,40})):? /giu,
    '(multiple choice: ',
  ],
  // "An intake (all required): name, age"
  [
    /^([^:(\n]{1,80}) \((?:all|everything)(?: fields)?(?: are)? (required|optional|mandatory)((?: except| but)(?: for)? [^()\n]{1,60})?\):/iu,
    'All fields are $2$3.\n$1:',
  ],
  [
    /^([^:(\n]{1,80}) \(tod[oa]s? (?:los campos )?(?:son )?(obligatori[oa]s?|opcional(?:es)?)\):/iu,
    'Todos los campos son $2.\n$1:',
  ],
  // "(1=hard, 5=easy)": what the ends of a scale mean.
  [
    /\((\d) ?= ?[^,()\n]{1,40}(?:,| to| and|;) ?(\d{1,2}) ?= ?[^,()\n]{1,40}\)/giu,
    '(from $1 to $2)',
  ],
  // "(1 poor - 5 excellent)"
  [
    /\(([01]) (?!(?:months?|years?|days?|hours?|weeks?|minutes?|people|persons?|guests?|mes|a[nñ]o|d[ií]a|hora|persona)(?!\p{L}))\p{L}[\p{L} ]{0,20}?(?: ?[-–—] ?|, ?| to )([3-7]|10) \p{L}[\p{L} ]{0,20}\)/giu,
    '(from $1 to $2)',
  ],
  // "Half or full day"
  [
    /\b(half|full|part)(?:[- ](?:day|time))? ?(?:or|\/) ?(full|half|part)[- ](day|time)\b/giu,
    '"$1 or $2 $3" ($1 $3, $2 $3)',
  ],
  // "(bacon, egg - choose any)"
  [
    /\(([^()\n]*),? [-–—] (?:(?:choose|pick|select|elija|elige) (?:any|several|multiple|all|as many|varios|varias)|multiple|several|multi-?select|varios|varias)\b[^()\n]*\)/giu,
    '(multiple choice: $1)',
  ],
  [/\(y ?\/ ?n\)|(?<=\p{L} )y ?\/ ?n(?=[,.;\n]|$)/giu, '(Yes/No)'],
  [/\(s ?\/ ?n\)/gi, '(Sí/No)'],
  [/(?<=\?) yes ?\/ ?no ?\/ ?(\p{L}{3,20})/giu, ' (Yes, No, $1)'],
  [/(?<=\?) yes,? no,? (?:or )?(\p{L}{3,20})(?=[.\n]|$)/gimu, ' (Yes, No, $1)'],
  [/(?<=\?) yes ?\/ ?no\b/gi, ' (Yes/No)'],
  [/(?<=\?) y ?\/ ?n\b/gi, ' (Yes/No)'],
  [/(?<=\?) sí ?\/ ?no\b/gi, ' (Sí/No)'],
  [/\bout of (5|10)\b/gi, 'from 1 to $1'],
  [/\b(?:one|uno) (?:to|a) (?:five|cinco)\b/gi, '1 to 5'],
  [/\b(?:one|uno) (?:to|a) (?:ten|diez)\b/gi, '1 to 10'],
  [
    /\b(?:(?:with|con) )?(?:out of|up to|hasta|sobre) (\d{1,2})(?= (?:stars?|points?|estrellas|puntos)\b)/gi,
    'from 1 to $1',
  ],
  [
    /\b(?:with|using|con|usando) (?:an? |una? )?(\d{1,2})\s?(?:-|–|to|a)\s?(\d{1,2})\b/gi,
    'from $1 to $2',
  ],
  [/(?<=\p{L})\s(yes|sí) (?:or|o) (no)\b/giu, ' ($1/$2)'],
  [/(?<=\p{L}) (yes|sí) ?\/ ?(no)(?=[,.;\n]|$)/giu, ' ($1/$2)'],
]
