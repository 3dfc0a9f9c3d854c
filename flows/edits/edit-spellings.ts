import { CHOICE_SPELLINGS } from './choice-spellings.ts'
import { COMPONENT_SPELLINGS, VERB_SPELLINGS, withoutComponents } from './component-spellings.ts'
import { FRAME_SPELLINGS } from './frame-spellings.ts'
import { ADD, COUNT, PEOPLE, REMOVE, rule, type Spelling } from './edit-words.ts'
import { OPTION_SPELLINGS } from './option-spellings.ts'
import { PLACE_SPELLINGS } from './place-spellings.ts'
import { SPANISH_SPELLINGS, withSpanishNames } from './spanish-spellings.ts'

/** Ways to say in an instruction what is asked for at all. */
const REQUEST_SPELLINGS: readonly Spelling[] = [
  // "The form should also capture the job title"
  [
    '(?:the|this) (?:form|flow|survey) (?:should|must|needs to|has to) (?:also )?(?:capture|collect|ask for|include|have|contain|request|gather) (.+)',
    'add $1',
  ],
  // "I forgot to add the budget", "también necesitamos la dirección"
  [
    '(?:(?:oh,? |sorry,? )?(?:i|we) (?:forgot|missed)|(?:se me |se nos )?olvid[oóeé]|olvidamos)(?: to)?(?: (?:add|include|ask for|mention|agregar|añadir|incluir|pedir))? (.+)',
    'add $1',
  ],
  [
    '(?:también )?(?:necesito|necesitamos|nos hace falta|hace falta|faltan?)(?: también)?(?: agregar| añadir| pedir)? (?!que )(.+)',
    'agrega $1',
  ],
  ['(?:ya )?no (?:necesito|necesitamos|quiero|queremos) (.+)', 'quita $1'],
  ['ya (no (?:pidas|pidan|preguntes|pregunten)) (?:más )?(.+)', '$1 $2'],
  [
    `(.+?) no (es|son|debe ser|deben ser) (obligatori[oa]s?|requerid[oa]s?|opcional(?:es)?)`,
    '$1 es no $3',
  ],
  [
    `(?:let|have) (?:them|${PEOPLE}) (?=(?:upload|attach|leave|write|enter|add|share|send) (?!.*\\b(?:if|when|empty|blank|out)\\b))(.+)`,
    'add $1 (optional)',
  ],
  [
    '(change|set|update|edit) (?:the )?(?:(?:label|wording|text) (?:for|on)|(?:wording|text|phrasing) of) (.+)',
    '$1 the label of $2',
  ],
  [
    '(change|rename|edit|reword|rephrase|replace|cambia|renombra) (?:the |la |el )?(?:question|field|label|pregunta|campo|etiqueta) (["“«].+)',
    '$1 $2',
  ],
  ['use (["“«][^"”»]+["”»]) instead of (["“«][^"”»]+["”»])', 'rename $2 to $1'],
  [`(${ADD} .+) al (?!final$|principio|inicio|comienzo|formulario|flujo|\\d)(.+)`, '$1 a el $2'],
  // "Allergies: make it a yes/no question"
  ['([^:"“«]{1,60}): ((?:make|mark|move|set|put|change|limit) )it (.+)', '$2$1 $3'],
  // "Don't ask about allergies unless the event is a wedding"
  [
    "(?:do not|don['’]t|never|no) (?:ask|show|display|preguntes|muestres)(?: for| about| por)? (.+?) ((?:unless|if|when|a menos que|si|cuando) .+)",
    'hide $1 $2',
  ],
  [
    '((?:if|when) .+?),? (?:let|have|ask) (?:them|people|customers|users)(?: to)? (?:please )?(specify|explain)(?: (?:it|which(?: one)?|what|why|more|further))?',
    '$1, ask for "Please $2"',
  ],
  [
    '((?:si|cuando) .+?),? (?:que|pide que) (?:lo )?(?:especifiquen?|expliquen?)(?: (?:cu[aá]l|qu[eé]|más))?',
    '$1, pregunta "Especifique"',
  ],
  // "I'd like the guest count to have a minimum of 1 and a maximum of 20"
  [
    "(?:(?:i|we)(?:['’]d| would)? (?:like|want) )?(.+?) (?:to|should|must) have (?:an? )?min(?:imum)?(?: of)? (\\d{1,4}),? (?:and )?(?:an? )?max(?:imum)?(?: of)? (\\d{1,4})(.*)",
    '$1 between $2 and $3$4',
  ],
  [
    '((?:limit|restrict|cap|limita) .+ \\d+) (?:max(?:imum)?|at most|tops|máximo|como máximo)',
    '$1',
  ],
  // "Limit age to 18-99"
  [
    '(?:limit|restrict|limita|restringe) (.+?) (?:to|a) (?:between |from |the range )?(\\d{1,4}) ?(?:-|–|to|and|a|y) ?(\\d{1,4})',
    '$1 between $2 and $3',
  ],
  // "If it is an emergency, hide the time", "for cats, ask …"
  [
    '((?:if|when|si|cuando) [^,"“«]+?),? (?:hide|skip|leave out|do not ask(?: for| about)?|don[\'’]t ask(?: for| about)?|oculta|no preguntes(?: por)?|omite) (.+)',
    'hide $2 $1',
  ],
  [
    '(?:for|para) (?!the |our |my |las? |los |everyone|all |each |it |this |that )([^,:"“«]{2,60}), (?:also )?((?:ask|show|add|collect|request|pide|pregunta) .+)',
    'if $1, $2',
  ],
  [
    `((?:${REMOVE}) .+?)(?: altogether| completely| entirely| from the form| por completo| del formulario)`,
    '$1',
  ],
  // "A question at the end: do you agree?", "make it required to pick a course"
  [
    `(?:${ADD}|put|pon) (?:an? |una? )?(?:new |nueva |open(?:-ended)? )?(?:question|field|pregunta|campo) ((?:at|to) the (?:end|beginning|start|top|bottom)|al (?:final|principio|inicio))(?::|,? asking(?: for| about)?|,? called|,? about|,? for|,? sobre) (.+)`,
    'add $2 $1',
  ],
  [
    'make it (required|mandatory|optional) (?:for (?:them|customers|people) )?to (?:pick|choose|select|give|enter|provide|fill in|answer) (?:an? |the |their )?(.+)',
    'make $2 $1',
  ],
  // "Change Name so it says Full name", "call the course field Workshop", "Drawing is now called Sketching"
  [
    '(?:change|make|update) (.+?) (?:so (?:that )?it (?:says|reads)|to (?:say|read)):? (.+)',
    'rename $1 to $2',
  ],
  [
    '(?:call|name|label) (?:the )?(?!form|flow|button)(.+?) (?:field|question):? (.+)',
    'rename $1 to $2',
  ],
  ['(.+?) is now (?:called|named|known as) (.+)', 'rename $1 to $2'],
  [
    '(?:i|we) (?:only want|want only|just want|only need|just need)(?: (?:the |these )?(?:\\d{1,2} |two |three |four |five )?(?:questions|fields))?:? (.+)',
    'keep only $1',
  ],
  // "Set a limit of 300 characters on the reason", "under the phone write …"
  [
    '(?:set|add|put|pon) (?:an? |un )?(?:character |length |word )?(?:limit|max(?:imum)?(?: length)?|l[ií]mite|m[aá]ximo) (?:of|de) (\\d+) (characters|words|caracteres|palabras) (?:on|for|to|in|en|para|a) (.+)',
    'limit $3 to $1 $2',
  ],
  [
    '(?:set|add|put|pon) (?:an? |un )?(?:character |length |word )?(?:limit|max(?:imum)?(?: length)?|l[ií]mite|m[aá]ximo) (?:of|de) (\\d+) (?:on|for|to|in|en|para|a) (.+)',
    'limit $2 to $1 characters',
  ],
  // "Add the question What is your budget? with 3 answers low, high"
  [
    `${ADD} (?:an? |the |una? |la )?(?:question|pregunta) ([\\p{Lu}¿][^?"“«]*\\?)(?: (?:with|con) (?:the |las )?(?:(?:${COUNT}|\\d{1,2}) )?(?:answers|options|choices|respuestas|opciones)?:? ?([^()]*,[^()]*))`,
    'add "$1" ($2)',
  ],
  // "Quiero que pidas también la ciudad"
  [
    '(?:quiero|queremos|quisiera|necesito|me gustaría) que (?:pidas|preguntes|agregues|añadas|incluyas)(?: también)?(?: por)? (.+)',
    'agrega $1',
  ],
  [
    '(?:quiero|queremos|quisiera|necesito|me gustaría) que (?:quites|elimines|borres) (.+)',
    'quita $1',
  ],
  // "Que los comentarios no pasen de 250 caracteres", "la edad mínima es 18"
  [
    '(?:que )?(.+?) no (?:pasen?|excedan?|superen?|tengan? más)(?: de)? (?:los )?(\\d+) (caracteres|palabras|letras)',
    'limit $1 to $2 $3',
  ],
  [
    '(?:max(?:imum)?|m[aá]ximo|at most|up to|hasta)(?: of| de)? (\\d+) (characters|words|caracteres|palabras) (?:for|in|on|en|para) (.+)',
    'limit $3 to $1 $2',
  ],
  [
    '(?:the |la |el )?(.+?) (?:mínim[oa]|minimum) (?:is|es|debe ser|should be):? (\\d{1,4})',
    '$1 al menos $2',
  ],
  [
    '(?:limit|restrict) (?:the )?(.+?) to (?:only )?(future|past) (?:dates|days)',
    '$1 must be in the $2',
  ],
  ['(?:the )?minimum (.+?) (?:is|should be|must be):? (\\d{1,4})', '$1 must be at least $2'],
  // "Ask for the address unless they choose pickup", "only those who choose Standard should see the date"
  ['((?:ask(?: for)?|show|pide|muestra) .+?) (?:unless|a menos que) (.+)', '$1 only if not $2'],
  [
    'only (?:customers|people|those|users|guests) who (.+?) should (?:see|be asked(?: for)?|get|fill in|be shown) (?:the )?(.+)',
    'only ask for $2 if they $1',
  ],
  // "Add a follow-up for ratings below 3: what went wrong?", "for scores of 1 or 2, ask why"
  [
    `(?:${ADD} (?:an? )?follow-? ?up(?: question)? )?for (?:ratings|scores) (?:of )?((?:(?:below|under|above|over) )?\\d{1,2}(?: (?:or|and|to) (?:\\d{1,2}|less|below|lower|more|above|higher))?)(?::|,? ask(?:ing)?(?: them)?) (.+)`,
    'if the rating is $1, ask $2',
  ],
  // 'Add "What can we improve?" if they answer no to the recommendation'
  [
    `(?:${ADD}|ask)(?: an?)? (["“«][^"”»]+["”»])(?: question| field)? (?:if|when) they (?:answer|say|choose|pick|select) (\\p{L}+) (?:to|in|for|on) (.+)`,
    'if $3 is $2, ask $1',
  ],
  [
    `${ADD} (?:an? )?follow-? ?up(?: question)? (?:to|for|after|on) (?:the )?(.+?)(?::| asking) (.+)`,
    'add $2 after $1',
  ],
  [
    '(.*?)(?:questions|fields|preguntas) (\\d{1,2}) (?:and|&|y) (\\d{1,2})(.*)',
    '$1question $2 and question $3$4',
  ],
  [
    '(?:the )?(?:label|question|text|wording) (?:for|of) (.+?) (?:should|must) (?:be|say|read):? (.+)',
    'rename $1 to $2',
  ],
  // "Change the date to a range: earliest and latest date"
  [
    '(?:change|turn|split|make) (.+?) (?:in)?to (?:an? |two |three )?(?:ranges?|(?:separate )?fields|(?:separate )?dates|pair|questions)(?: of [a-z]+)?: (.+)',
    'replace $1 with $2',
  ],
  // "Add the email, it should be optional", "notes -> special requests"
  [
    `(${ADD} .+?),? (?:and |but )?(?:it|which|that|they) (?:should be|must be|is|are) ((?:not )?(?:optional|required|mandatory))`,
    '$1 ($2)',
  ],
  ['(?:the )?title ?(?:->|→|=>) ?(.+)', 'change the title to $1'],
  ['(?:the )?button ?(?:->|→|=>) ?(.+)', 'change the button to $1'],
  ['(.+?) ?(?:->|→|=>) ?(.+)', 'rename $1 to $2'],
  [
    '(?:change|set|update) (?:the )?(?!form|flow|button|title)(.+?) (?:label|name): (.+)',
    'rename $1 to $2',
  ],
  // "Add dietary needs only when breakfast is yes", "make the notes only appear if …", "hide the notes for …"
  [
    `${ADD} (.+?)(?:,? (?:that|which) (?:appears?|shows?(?: up)?|is (?:shown|asked|visible)))? only ((?:if|when) .+)`,
    'ask for $1 only $2',
  ],
  [
    '(?:make|let|have) (.+?) (?:only )?(?:appear|show(?: up)?|be (?:shown|visible)|visible)(?: only)? ((?:if|when) .+)',
    'show $1 only $2',
  ],
  [
    '(hide|oculta) (?!.* (?:if|when|unless|si|cuando) )(.+?) (?:for|from|para) (?!everyone|all\\b|the)(.+)',
    '$1 $2 if $3',
  ],
  ['(?:put|use|add|ask for) (.+?) in place of (.+)', 'replace $2 with $1'],
  [
    'permite(?: que| a los clientes)? (?:subir|adjuntar|suban|adjunten) (.+)',
    'add upload $1 (optional)',
  ],
]

/** Ways to write an instruction, each as one that is read; they are about the whole of it. */
const SPELLINGS = [
  ...VERB_SPELLINGS,
  ...OPTION_SPELLINGS,
  ...COMPONENT_SPELLINGS,
  ...SPANISH_SPELLINGS,
  ...REQUEST_SPELLINGS,
  ...FRAME_SPELLINGS,
  ...CHOICE_SPELLINGS,
  ...PLACE_SPELLINGS,
].map(([pattern, other]) => [rule(pattern), other] as const)

const QUOTED = /["“«]([^"”»]*)["”»]/g
/** Of a single word in quotation marks, the word may tell what is meant: "Submit". */
const WORD = /^\p{L}+$/u
const ADDING = new RegExp(`^(?:please |also |por favor,? )*(?:${ADD}|ask|pide|pregunta)\\b`, 'iu')
/** "Remove the question about allergies" */
const QUESTION_ABOUT =
  /(?<= (?:the |la |el )?)(?:question|field|pregunta|campo) (?:about|on(?! (?:its|a|an) (?:own|new|separate) )|regarding|asking (?:for|about)|that asks (?:for|about)|sobre|acerca de|que pide) (?:the |their |el |la |los |las )?/iu

/** An instruction as it is read: "they should be able to choose several sizes" is "allow several sizes". */
export function instructionSpelled(step: string): string {
  const quoted: string[] = []
  const bare = step.replace(QUOTED, (found, text: string) =>
    WORD.test(text) ? found : `"${quoted.push(found) - 1}"`,
  )
  const asked = withSpanishNames(bare)
  const named = ADDING.test(asked) ? asked : withoutComponents(asked.replace(QUESTION_ABOUT, ''))
  return SPELLINGS.reduce((text, [pattern, other]) => text.replace(pattern, other), named).replace(
    /"(\d+)"/g,
    (found, at: string) => quoted[Number(at)] ?? found,
  )
}
