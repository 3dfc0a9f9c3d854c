/** People who rate. */
const PEOPLE =
  'customers?|users?|clients?|guests?|people|them|they|patients?|attendees|participants|visitors|members|students|employees|parents|diners|buyers|travell?ers|passengers|residents|tenants|volunteers|shoppers|respondents|everyone'
const GENTE =
  'clientes?|usuari[oa]s?|pacientes?|huésped(?:es)?|invitad[oa]s?|asistentes?|participantes?|alumn[oa]s?|estudiantes?|emplead[oa]s?|miembros?|soci[oa]s?|personas?|gente|pasajer[oa]s?|visitantes?|comensales?'

/** Ways to write what is rated, and on which scale, each with the one that is read. */
export const RATING_SPELLINGS: readonly [RegExp, string][] = [
  // "A survey where guests rate the room, the staff and the breakfast"
  [
    new RegExp(
      `(?<=^|[.!?\\n] ?)[^.!?:,;()\\n]{0,80}\\b(?:where|in which|so(?: that)?|that (?:lets?|allows)|letting|let|have|allow|for) (?:(?:the|our|my|all|each) )?(?:${PEOPLE}) (?:(?:can|could|should|may|will|to) )?(?:rate|score|grade)s? (?=\\p{L})`,
      'giu',
    ),
    'Rate ',
  ],
  [
    new RegExp(
      `(?<=(?:^|[.!?:\\n]|,? (?:and|then)) ?)(?:(?:the|our|my|all|each) )?(?:${PEOPLE}) (?:(?:can|could|should|may|will|then) )?(?:rate|score|grade)s? (?=\\p{L})`,
      'giu',
    ),
    'Rate ',
  ],
  [
    new RegExp(
      `(?<=^|[.!?\\n] ?)[^.!?:,;()\\n]{0,80}\\b(?:donde|en (?:la|el) que|para que|que) (?:(?:el|la|los|las|mis|nuestros|cada) )?(?:${GENTE}) (?:puedan? )?(?:califi(?:ca[nr]?|quen?)|eval[uú](?:an?|en?|ar)|valor(?:an?|en?|ar)|punt[uú](?:an?|en?|ar)) (?=\\p{L})`,
      'giu',
    ),
    'Califica ',
  ],
  [
    new RegExp(
      `(?<=^|[.!?:\\n] ?)(?:(?:el|la|los|las|mis|nuestros|cada) )?(?:${GENTE}) (?:puedan? )?(?:califi(?:ca[nr]?|quen?)|eval[uú](?:an?|en?|ar)|valor(?:an?|en?|ar)|punt[uú](?:an?|en?|ar)) (?=\\p{L})`,
      'giu',
    ),
    'Califica ',
  ],
  // "A survey to rate the room, the staff and the food from 1 to 5"
  [
    /\b(survey|poll|form|flow|questionnaire) (?:to|for|that) (?:rate|rating|score) (?=[^.:;()\n]{2,200}(?:,| and )[^.:;\n]{1,80})/giu,
    '$1: rate ',
  ],
  [
    /\b(?:(?:use|with|using) )?(?:stars?|ratings?) \(?(?:from )?(\d{1,2}) ?(?:-|–|to) ?(\d{1,2})\)? (?:for|of) (?=[^.;:\n]{0,100}(?:,| and ))/giu,
    'Rate from $1 to $2: ',
  ],
  // "Ease of use, design, speed (all rated 1-5)"
  [
    / \((?:each|all)(?: of them)? (?:rated|scored) (?:from )?(\d{1,2}) ?(?:-|–|to) ?(\d{1,2})(?: stars| scale)?\)/giu,
    ' (each from $1 to $2)',
  ],
  // "Rate your stay: room, food, staff. Scale 1-5."
  [
    /\brate [^:.\n]{0,60}: ([^:.\n]{2,200})\.\s+(?:use an? |on an? |the )?scale(?: is|:)? (?:of |from )?(\d{1,2}) ?(?:-|–|to) ?(\d{1,2})(?=[.\n]|$)/giu,
    'Rate from $2 to $3: $1',
  ],
  [
    /\b(?:(?:\d|two|three|four|five|six) )?star ratings(?: (?:for|of|on):?|:) (?=[^.;:()\n]{0,100}(?:,| and ))/giu,
    'ratings (from 1 to 5) for ',
  ],
  // "Rate our driver with stars"
  [/(?<=\brate [^.,;:()\n]{2,60}) (?:with|using|in) stars\b/giu, ' from 1 to 5'],
  // "Rate us on speed and price", "rate food, drinks and music": without a scale, from 1 to 5.
  [/\brate (?:us|our \p{L}{2,20}|it|them) (?:on|for|in terms of):? /giu, 'rate '],
  [
    /(?<=^|[:.;\n] ?)rate (?=[^.;:()\d\n]{1,200}(?:,| and )[^.;:()\d\n]{1,100}(?:[.;\n]|$))/giu,
    'Rate from 1 to 5 ',
  ],
  // "Cleanliness/staff/breakfast ratings out of 5"
  [
    /(?<![\p{L}/])(\p{L}{2,20})\/(\p{L}{2,20})(?:\/(\p{L}{2,20}))? ratings(?: (?:out of|from 1 to|1 ?[-–] ?)(?= ?5\b) ?5)?/giu,
    'ratings (from 1 to 5) for $1, $2, $3',
  ],
  [/\bratings (?:for|of|on) (?=[^.;:()\n]{0,100}(?:,| and ))/giu, 'ratings (from 1 to 5) for '],
  [
    /\b(?:estrellas|calificaci[oó]n|puntuaci[oó]n) (?:del? )?(\d{1,2}) al? (\d{1,2}) (?:para|de) (?=[^.;:\n]{0,100}(?:,| y ))/giu,
    'Califica del $1 al $2 ',
  ],
  // "With a scale of 1 to 5 for: food, service"
  [
    /,? ?\b(?:(?:with|using|on|use|show) (?:an? )?(?:(?:scale|rating) (?:of|from) )?|(?:con|usando|en|usar?|utiliza) (?:una )?escala (?:del? )?)(\d{1,2}) ?(?:-|–|to|al?) ?(\d{1,2})(?: scale)?(?: (?:for|of|para|de):?|:) (?=[^.;\n]*(?:,| and | y ))/giu,
    '.\nRate from $1 to $2: ',
  ],
  // "A survey: from 1 to 5 food, service": the scale first, and no word for what to do with it.
  [/(?<=(?:^|[:;.\n]) ?)(?=from \d{1,2} to \d{1,2}:? \p{L}[^:;.\n]*(?:,| and ))/giu, 'Rate '],
  [
    /(?<=(?:^|[:;,.\n]) ?)(del? \d{1,2} al? \d{1,2}:?,?) (?:qué tal|cómo (?:estuvo|fue|encontró|le pareció)) (?=\p{L})/giu,
    '$1 ',
  ],
  [/(?<=(?:^|[:;.\n]) ?)(?=del? \d{1,2} al? \d{1,2}:? \p{L}[^:;.\n]*(?:,| y ))/giu, 'Califica '],
]
