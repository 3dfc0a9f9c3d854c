import { JOINED } from '../words/lists.ts'

/** Choices that are written beside a thing without brackets, each with the brackets. */
export const BARE_CHOICES: readonly [RegExp, string][] = [
  // "Items – towels, pillows (multi select); notes"
  [
    /(?<=^|[:;,.\n] ?)((?:\p{L}{1,30} ){0,3}\p{L}{1,30}) [-–—] ([^-–—:;.?!()\n]*,[^-–—:;.?!()\n]*?),? \((?:multi-? ?select|multiple|several|(?:select|choose|pick|tick) (?:all|any|several|many))[^()\n]*\)(?=[;.\n]|$)/gimu,
    '$1 (multiple choice: $2)',
  ],
  // "Bouquet size small $25 medium $40 large $60"
  [/(?<= \p{L}{1,15} [$€£]\d+(?:\.\d\d)?) (?=\p{L}{1,15} [$€£]\d)/gu, ', '],
  [
    /(?<=\b(?:sizes?|plans?|types?|options?|tickets?|packages?|memberships?|tiers?|levels?)) ((?:\p{L}{1,15} [$€£]\d+(?:\.\d\d)?, ){1,10}\p{L}{1,15} [$€£]\d+(?:\.\d\d)?)(?=[,.;\n]|$)/gimu,
    ' ($1)',
  ],
  // "Age range 18-24, 25-34, 50+"
  [
    /(?<=\p{L}) (\d{1,4}[-–]\d{1,4}(?:, \d{1,4}[-–]\d{1,4}){1,10}(?:,? (?:and |or )?(?:\d{1,4}\+|(?:over|more than) \d{1,4}))?)(?=[,.;\n]|$)/gmu,
    ' ($1)',
  ],
  // "Reason - illness, change of plans, other"
  [
    /(?<=[,;:] ?[^-–—,:;.?!()\n]{2,60}\p{L}) [-–—] ([^-–—:;.?!()\n]*, (?:or |o )?(?:others?|something else|otr[oa]s?)(?: \p{L}{2,20})?)(?=[.;\n]|$)/gimu,
    ' ($1)',
  ],
  // "Arrival before or after 9pm"
  [
    /(?<=\p{L}) (before) or (after) (\d{1,2}(?::\d\d)? ?(?:[ap]m|h)?)\??(?=[,;.\n]|$)/gimu,
    ' ($1 $3, $2 $3)',
  ],
  // "Horario de mañana o tarde"
  [
    /\b(horario|turno)(?: de| por la)? (mañana|tarde|noche),? o (?:de |por la )?(mañana|tarde|noche)(?=[,;.\n]|$)/gimu,
    '$1 ($2, $3)',
  ],
  // "Masa fina o gruesa"
  [
    /(?<=[,:;] )(masa|salsa|carne|leche|pan|vino|arroz|caf[eé]|corte|tapa|tela|pintura|agua|piel|cama) (\p{L}{3,15}) [ou] (\p{L}{3,15})(?=[,;.\n]|$)/gimu,
    '$1 ($2, $3)',
  ],
  // "Offer slots Mon 10am, Tue 2pm"
  [
    /(?<=^|[.\n;] ?)(?:please )?offer (?:the |these |following ){0,3}(\p{L}{3,15} )?(slots?|times?|sizes?|options?|colou?rs?|plans?|dates?|flavou?rs?)(?: of)?:? ([^:;.?!()\n]*,[^:;.?!()\n]*)(?=[.\n]|$)/gimu,
    'Fields: $1$2 ($3)',
  ],
  // "Morning (8-12), afternoon (12-16)"
  [
    /\b(mornings?|afternoons?|evenings?|nights?|mañanas?|tardes?|noches?) \((\d{1,2}(?::\d\d)? ?(?:[ap]m|hs?)?) ?(?:-|–|to|a) ?(\d{1,2}(?::\d\d)? ?(?:[ap]m|hs?)?)\)/giu,
    `$1 $2${JOINED}-$3`,
  ],
  // "Urgency high medium low"
  [
    /(?<=\p{L}) (high|low|alt[oa]|baj[oa]) (medium|medi[oa]) (low|high|baj[oa]|alt[oa])(?=[,.;\n]|$)/gimu,
    ' ($1, $2, $3)',
  ],
  // "Laptop preference Mac or Windows", "presión preferida suave, media o fuerte"
  [
    /(?<=(?:^|[,;:.\n]) {0,2})((?:\p{L}{1,20} ){0,2}(?:preference|preferid[oa]s?|modalidad|turno|formato|format|mode|idioma(?: del? \p{L}{1,20})?|language|condition|status|transmission|transmisi[oó]n|condici[oó]n|estado|vivienda|entrega|(?:m[eé]todo|forma) de pago|payment(?: method)?|(?:nivel|level) (?:de|of) \p{L}{1,20})) ((?!(?:for|of|is|to|de|para|es)\b)[^\s,;:.()]{1,20}(?:, [^\s,;:.()]{1,20}){0,6},? (?:or|o|u) [^\s,;:.()]{1,20})(?=[,.;\n]|$)/gimu,
    '$1 ($2)',
  ],
  // "Simple yes or no: are you coming?"
  [
    /(?<=^|[.\n] ?)(?:an? |just (?:an? )?)?(?:(?:simple|quick) )?yes ?(?:or|\/) ?no(?: question)?: (?=[^?\n]{3,200}\?)/gimu,
    '',
  ],
  // "Three delivery options - standard, express"
  [/\b(?:two|three|four|five|six|[2-6]) ((?:\p{L}{2,20} )?options)(?= ?[-–—:(])/giu, '$1'],
  // "The guest picks a room type out of Standard, Deluxe and Suite, gives the arrival"
  [
    /\b(?:picks?|chooses?|selects?) (?:an? |the |their )?((?:\p{L}{2,20} ){0,2}\p{L}{2,20}) (?:out of|from|among) ((?:[^,;.:()\n]{1,30}, ){1,10}?[^,;.:()\n]{1,30},? (?:and|or) [^,;.:()\n]{1,30}?)(?=, (?:and )?(?:then )?(?:gives?|leaves?|enters?|writes?|tells?|provides?|adds?|uploads?|picks?|chooses?)\b)/giu,
    'chooses $1 ($2)',
  ],
  // "Which do you own? Phone, tablet, watch (pick all)"
  [
    /(?<=\? )([^?.:()\n]*,[^?.:()\n]*?) \((?:(?:pick|select|choose|tick|check) (?:all|any|several|multiple|many|more)|multiple|several)[^()\n]*\)/giu,
    '(multiple choice: $1)',
  ],
  // "Poll for lunch with pizza, sushi, salad and a comments field"
  [
    /(?<=^|\n)((?:an? |quick |short )*(?:poll|vote)) (?:for|about|on) ([^,:;.()\n]{3,40}?) with ((?:(?!an? |the |their |names?\b|e-?mail|phone)[^,;.:()\n]{2,25}, ){1,9}(?!an? )[^,;.:()\n]{2,25}?)(?:,? (?:and|plus) (?=an? [^,;.:()\n]{0,20}(?:field|box|comments?)\b))/giu,
    '$1: $2 ($3), ',
  ],
  // "Make an RSVP. Yes / No / Maybe."
  [
    /(\brsvp\b[^.?:\n]{0,40}[.:]) ?yes ?\/ ?no ?(?:\/ ?(maybe|not sure|perhaps))?(?=[.\n]|$)/giu,
    '$1 Will you attend? (Yes, No, $2)',
  ],
  // "Colour or black and white"
  [
    /\b(?:in )?(colou?r) or (?:black (?:and|&)\u2060? white|b ?[&/] ?w)(?=[,;.\n]|$)/giu,
    `"$1 or black and${JOINED} white" ($1, black and${JOINED} white)`,
  ],
]
