import { ADD, COUNT, KINDS, OPTION, PEOPLE, type Spelling, THE, WISHED } from './edit-words.ts'

const KIND = KINDS.map(([words]) => words).join('|')
const COUNTED = `(?:an?|one|una?|some|${COUNT}|\\d{1,2})`
const CHOOSE = '(?:choose|pick|select|tick|check|elegir|escoger|seleccionar|marcar)'
const LISTED = `(?:drop-?down|choice|(?:single|multiple)[ -]choice|radio buttons?|check ?boxes|multi-?select|list|lista|desplegable)(?: list| menu| field| question)?`

/** Ways to say in an instruction what one may choose, and of what kind a field is. */
export const CHOICE_SPELLINGS: readonly Spelling[] = [
  // "They should be able to choose only one size", "que puedan elegir varias tallas"
  [`${PEOPLE} (?:(?:should|must) be (?:able|allowed) to|can|may) (${CHOOSE} .+)`, 'let them $1'],
  [
    `(?:(?:haz |permite )?que )?(?:${PEOPLE} )?(?:se )?pued[ea]n? ${CHOOSE} (?:varios|varias|más de un[oa]?) (.+)`,
    'allow several $1',
  ],
  [
    `(?:que )?(?:${PEOPLE} )?(?:se )?(?:pued[ea]n? )?(?:solo|sólo)(?: (?:se )?pued[ea]n?)? ${CHOOSE} un[oa] (.+)`,
    'allow only one $1',
  ],
  [
    `(?:let|allow|permite(?: a)?) (?:(?:them|${PEOPLE})(?: to)? )?${CHOOSE} (?:varios|varias|más de un[oa]?|several|multiple|more than one|many|any number of) (?:of )?(.+)`,
    'allow several $1',
  ],
  [
    `(?:let|allow|permite(?: a)?) (?:them|${PEOPLE})(?: to)? ${CHOOSE} (?:only|just) (?:a single|one) (.+)`,
    'allow only one $1',
  ],
  // "Change the type of age to a list with …", "change age from number to text"
  [
    `((?:change|set|update|cambia) )${THE}(?:field |input )?(?:type|kind|format|tipo) (?:of|for|de|del) (.+?) ((?:to|into|a|por) .+)`,
    '$1$2 $3',
  ],
  [
    `(change|turn|convert|make|cambia|convierte) (.+?) (?:from|de) (?:an? |una? )?(?:${KIND}|date|email|phone|fecha|${WISHED})(?: field| input)? (?:to|into|a) (?:an? |una? )?(.+)`,
    '$1 $2 to $3',
  ],
  [
    `(.+?) (?:should|must|has to|debe)(?: now)? (?:be|ser|become) (?:an? |una? )?(${LISTED})(?: instead)?(?::| with:?| of:?| from:?| con:?| de:?)(?: (?:the |las )?(?:options|choices|opciones):?)? ([^:]+)`,
    'make $1 a $2 with $3',
  ],
  [
    `(?:make|turn|change|convert|convierte|cambia) (.+?) (?:into |to |en |a )?(?:an? |una? )?(${LISTED}): ([^:]+)`,
    'make $1 a $2 with $3',
  ],
  // "Add two more choices to size: XL and XXL", "add Massage to the list of services"
  [
    `${ADD} ${COUNTED}? ?(?:more |new |additional |extra |nuev[ao]s )?${OPTION}(?: m[aá]s| nuev[ao]s)? (?:to|for|in|a|al|para|de|en) (?:el |la )?([^:]+): (.+)`,
    'add the options $2 to $1',
  ],
  [
    `${ADD} (.+?) (?:(?:to|in|into) (?:the )?|(?:a|en) (?:la|las|los|el) )(?:lista?|menu|drop-?down|desplegable|set|range) (?:of|with|for|de|del)(?: available| possible)? (?:the |los |las |el |la )?(.+)`,
    'add the options $1 to $2',
  ],
  [
    `(.+?) (?:should|must|debe(?:ría)?) (?:have|offer|include|tener|ofrecer) (?:the |las |los )?(?:following |siguientes )?(?:options|choices|opciones)(?: of)?:? (?!.* (?:too|as well)$)(.+)`,
    'change the options of $1 to $2',
  ],
  // "Take S out of the sizes"
  ['(?:take|pull|get) (.+?) out of (.+)', 'remove $1 from $2'],
  // "Change the guest count to a choice of 1-20, 21-50"
  [
    '(?:change|make|turn|convert) (.+?) (?:into |to )?(?:an? )(?:choice|selection|range) (?:of|between|from|with) (.+)',
    'make $1 a list with $2',
  ],
  // "Change the reason to a list (check-up, illness)", "change the time to options: morning, evening"
  [
    `(?:make|turn|change|convert|convierte|cambia) (.+?) (?:into |to |en |a )?(?:an? |una? )?(${LISTED}) ?\\(([^()]*,[^()]*)\\)`,
    'make $1 a $2 with $3',
  ],
  [
    '(?:change|make|turn|switch) (.+?) (?:in)?to (?:the )?(?:options|choices):? (.+)',
    'make $1 a list with $2',
  ],
  // "Pet type: remove Bird", "include Hamster in pet types"
  ['([^:"“«]{1,60}): (?:remove|delete|drop|quita|elimina) (.+)', 'remove $2 from $1'],
  // "We need one more course: Ceramics", "add prices to the courses: Painting $50, …"
  [
    `(?:we|i) (?:also )?(?:need|want) ((?:${COUNTED} )?(?:more|other|additional|new) .+: .+)`,
    'add $1',
  ],
  [`${ADD} (?:the )?prices to (?:the )?(.+?): (.+)`, 'change the options of $1 to $2'],
  ['(?:take|strike|cross) (.+?) off (?:of )?(?:the (?:list|form|menu)|(.+))', 'remove $1'],
  // "Preferred days (Mon, Wed), they can choose more than one", "the course should allow several answers"
  [
    `(.+)\\(([^()]*,[^()]*)\\),? (?:and )?(?:they|people|customers|you) (?:can|may|could) ${CHOOSE} (?:more than one|several|multiple|many|any(?: number)?)(?: of (?:them|these))?`,
    '$1(multiple choice: $2)',
  ],
  [
    '(.+?) (?:should|must|can) (?:allow|accept|permit|have) (?:multiple|several|more than one) (?:answers?|choices?|selections?|options?)',
    'allow several $1',
  ],
  // "Painting is no longer available", "el curso de Pintura ya no está disponible"
  [
    '(?:(?:el|la) \\p{L}+ de )?(.+?) (?:(?:is|are) no longer (?:available|offered|an option)|ya no (?:está disponible|se ofrece|existe))',
    'remove $1',
  ],
  [`haz que (.+?) sean? (?:un |una )?(${KIND}|${LISTED})`, 'make $1 a $2'],
  // "Ask for the level only if they choose Drawing: beginner, advanced"
  [
    '((?:ask(?: for)?|pregunta(?: por)?|pide|add) )(.+?) ((?:only |solo |sólo )?(?:if|when|si|cuando) [^:]+): ([^:]*,[^:]*)',
    '$1$2 ($4) $3',
  ],
  // "Delivery: only standard and express", "they must pick at least one topping", "quantity as text"
  [
    '(?!make |keep |change |reduce )([^:"“«]{1,60}): (?:only|just|solo|sólo) (.+(?:,| and | or | y | o ).+)',
    'change the options of $1 to $2',
  ],
  [
    `${PEOPLE} (?:must|should|have to|need to) ${CHOOSE} ((?:at least|at most|up to|exactly|no more than|between) .+)`,
    'let them choose $1',
  ],
  [
    `(?!(?:add|ask|include|rename|call|label|use|mark|make|show|have|display|set|put|turn|change) )(.+?) as (?:an? )?(${KIND}|${LISTED})`,
    'make $1 a $2',
  ],
  // "Remove Pedicure from the list", "services should be checkboxes"
  [
    '((?:remove|delete|drop|quita|elimina) .+?) (?:from|de) (?:the |la |las )?(?:list|options|choices|menu|lista|opciones)',
    '$1',
  ],
  [
    `(.+?) (?:should|must|has to|needs to|debe) (?:be|become|ser) (?:an? |una? )?(${LISTED}|${KIND})`,
    'make $1 a $2',
  ],
  // "Limit services to two", "at least one service must be selected"
  [
    '(?:limit|restrict) (.+?) to (?:at most |a maximum of )?(two|three|four|five)',
    'let them choose up to $2 $1',
  ],
  [
    '((?:at least|at most|up to|exactly|no more than) .+?) (?:must|should|can|may|has to|have to) be (?:selected|chosen|picked|ticked|checked)',
    'let them choose $1',
  ],
  [
    '(?:give|offer) (?:them|people|customers|users) (?:an? |the )?(?:choice|option)s? (?:between|of) (.+) (?:and|or) (.+)',
    'add $1 or $2',
  ],
  // "Also rate the staff from 1 to 5"
  [
    'rate (?:the |our )?([^:,]+?)(?: from| on a scale (?:of|from)| with)? (\\d{1,2}) ?(?:to|-|–) ?(\\d{1,2})(?: stars)?',
    'add $1 rating from $2 to $3',
  ],
  ['rate (?:the |our )?([^:,\\d]+)', 'add $1 rating'],
  [
    `(?:let|have) (?:them|${PEOPLE})(?: to)? ${CHOOSE} (?:the |their |an? )?(.+?) (?:from|in|on|with|using) (?:an? )?calendar`,
    'make $1 a date picker',
  ],
  // 'Add "How did you find us?" as a dropdown with Google, a friend', "add the time after the date with options 9:00, 12:00"
  [
    `(?:${ADD}|ask(?: for)?) (.+?) as (?:an? )?(?:multiple[ -]choice|multi[ -]?select|check ?boxes)(?: list| question)?(?: with| of| from|:)(?: the)?(?: options| choices)?:? (.+)`,
    'add $1 (multiple choice: $2)',
  ],
  [
    `(?:${ADD}|ask(?: for)?) (.+?) as (?:an? )?${LISTED}(?: with| of| from|:)(?: the)?(?: options| choices)?:? (.+)`,
    'add $1 ($2)',
  ],
  [
    `(?:${ADD}|ask for) (.+?) ((?:after|before|below|above|behind) .+?) with (?:the )?(?:options|choices|answers):? (.+)`,
    'add $1 ($3) $2',
  ],
  [
    `${ADD} (?:el |los )?precios? a (?:las? |los |el )?(.+?): (.+)`,
    'change the options of $1 to $2',
  ],
  // "Pon M como talla predeterminada", "by default, the size should be M"
  [
    '(?:pon|usa|deja) (.+?) como (?:la |el )?(.+?) (?:predeterminad[oa]|por defecto)',
    'make $1 the default for $2',
  ],
  [
    '(?:por defecto|by default),? (?:la |el |the )?(.+?) (?:debe ser|es|sea|should be|is|must be) (.+)',
    'default $1 to $2',
  ],
]
