import { splitList } from '../words/lists.ts'
import { isOfKnown } from '../words/sentences.ts'
import { kindNamed } from '../words/words.ts'
import { outsideQuotes } from './protected.ts'

const LIST = '([^:;.?!()\\n]*,[^:;.?!()\\n]*)'
const THING = '(\\p{L}[^:;,.?!()\\[\\]\\n]{1,60}?)'
const OTHERS = '(?:they|you|people|(?:the |our )?(?:customers?|users?|clients?|guests?))'
const MANY =
  '(?:several|many|multiple|more than one|all(?: (?:that|which) apply)?|any(?: (?:that|which) apply)?|as many as (?:they|you) (?:like|want|wish|need)|varios|varias|m[aá]s de un[oa]|todos|todas|tod[oa]s (?:las|los) que (?:\\p{L}+ )?\\p{L}+)'
const PICK =
  '(?:choose|select|pick|tick|check|elegir|elij[ae]n?|eliges?|marcar?|marque|seleccion[ae]n?)'
const SEVERAL = `(?:multi(?:ple)?(?:[ -]?(?:choices?|select(?:ion)?|answers?|options?))?|several|many|(?:check|tick) ?boxes|(?:can )?${PICK} ${MANY}|select all|varios|varias|m[uú]ltiples?|selecci[oó]n m[uú]ltiple|casillas)`
const SINGLE = `(?:single(?:[ -]?(?:choice|select(?:ion)?|answer|option))?|(?:choose|select|pick) (?:just |only )?one|one only|only one|drop-?down(?: list| menu)?|radio(?: buttons?)?|list|[uú]nica|selecci[oó]n [uú]nica|eli(?:ge|ja) un[oa]|desplegable|lista)`
const START = '(?<=^|[,;.\\n] ?)'
const BEGIN = '(?<=^|[;.\\n] ?)'
/** What shows choices: behind "with", words like "many" and "list" tell of other things too. */
const BOXES =
  '(?:multi[ -]?select(?:ion)?|multiple[ -](?:choices?|select(?:ion)?|answers?)|(?:check|tick) ?boxes|selecci[oó]n m[uú]ltiple|casillas)'
const MENU =
  '(?:single[ -](?:choice|select(?:ion)?)|drop-?down(?: list| menu)?|radio(?: buttons?)?|selecci[oó]n [uú]nica|desplegable|lista desplegable)'
const QUESTION = '(?: (?:question|field|list|group|menu))?'
const ABOUT =
  '(?:for|about|of|on|asking(?: for| about)?|sobre|para|de) (?:the |their |our |el |la |los |las |sus? )?'

/** Ways to say how many may be chosen of what, each as "Sides (multiple choice: fries, rice)" or "Size (S, M)". */
const SPELLINGS = (
  [
    // "Sides (several, min 1, max 3): fries, rice"
    [
      `${START}${THING} ?\\(${SEVERAL}[,;] ((?:max(?:imum)?|up to|at most|min(?:imum)?|at least|hasta|m[aá]ximo|m[ií]nimo)\\b[^()\\n]{1,30})\\): ${LIST}`,
      '$1 ($2): $3',
    ],
    // "Sides (multi): fries, rice", "size [dropdown]: S, M"
    [`${START}${THING} ?[([]${SEVERAL}[)\\]]: ${LIST}`, '$1 (multiple choice: $2)'],
    [`${START}${THING} ?[([]${SINGLE}[)\\]]: ${LIST}`, '$1 ($2)'],
    // "Their interests with checkboxes: music, sport"
    [
      `(?<=\\p{L}) (?:with|using|as|con|como) (?:an? |una? )?${BOXES}${QUESTION}(?: (?:of|with|de|con))?:? ${LIST}`,
      ' (multiple choice: $1)',
    ],
    [
      `(?<=\\p{L}) (?:with|using|as|con|como) (?:an? |una? )?${MENU}${QUESTION}(?: (?:of|with|de|con))?:? ${LIST}`,
      ' ($1)',
    ],
    // "A multi-select for sides with fries, rice"
    [
      `(?:\\ban? |\\buna? )?(?<!\\p{L})${BOXES}${QUESTION} ${ABOUT}${THING}(?::| with| from| con| entre) ${LIST}`,
      '$1 (multiple choice: $2)',
    ],
    [
      `(?:\\ban? |\\buna? )?(?<!\\p{L})(?:single[ -]choice|radio(?: buttons?)?)${QUESTION} ${ABOUT}${THING}(?::| with| from| con| entre) ${LIST}`,
      '$1 ($2)',
    ],
    [
      `${START}(?:una )?(?:(?:lista |men[uú] )?desplegable) (?:de|para) (?:el |la |los |las )?${THING}(?::| con) ${LIST}`,
      '$1 ($2)',
    ],
    // "Toppings (ham, olives), they can pick more than one", "which languages, they can select several: …"
    [
      `\\(([^():\\n]*,[^():\\n]*)\\),? (?:and |y )?(?:${OTHERS} (?:can|may|could)|(?:se )?pueden?) ${PICK} ${MANY}(?=[.;,\\n]|$)`,
      '(multiple choice: $1)',
    ],
    [
      `(?<=\\p{L}),? (?:and |y )?(?:${OTHERS} (?:can|may|could)|(?:se )?pueden?) ${PICK} ${MANY}(?: of (?:them|these))?: ${LIST}`,
      ' (multiple choice: $1)',
    ],
    [
      `(?<=\\?) (?:(?:${OTHERS} )?(?:can|may|could) |(?:se )?pueden? )?${PICK} ${MANY}: ${LIST}`,
      ' (multiple choice: $1)',
    ],
    // "Sides, max 2: fries, salad, rice"
    [
      `${BEGIN}${THING}(?:,| [-–—]) ((?:max(?:imum)?\\.?|up to|at most|min(?:imum)?\\.?|at least|hasta|m[aá]ximo|m[ií]nimo) (?:\\d|two|three|dos|tres)): ${LIST}`,
      '$1 ($2): $3',
    ],
    // "Symptoms checklist: fever, cough"
    [`${BEGIN}(\\p{L}{3,20}) check ?list: ${LIST}(?=[.\\n]|$)`, '$1 (multiple choice: $2)'],
  ] as const
).map(([pattern, other]) => [new RegExp(pattern, 'gimu'), other] as const)

/** "Ask for exactly two toppings from ham, olives, corn" */
const COUNTED = new RegExp(
  `(?:${START}exactly |${START}exactamente |\\b(?:ask for|choose|pick|select|pide|elegir|elige) (?:exactly |exactamente )?)(two|three|four|five|\\d|dos|tres|cuatro) ${THING} (?:out of|from(?: among)?|among|entre|de entre) ${LIST}`,
  'gimu',
)
/** "How did you hear of us (Google, a friend)" */
const ASKED = new RegExp(
  `${BEGIN}((?:what|which|how|where|when|who|do|does|did|are|is|was|were|have|has|would|will|can)\\b[^?.;:,()\\n]{3,100}?) ?\\(([^()\\n]*,[^()\\n]*)\\)(?=[.\\n]|$)`,
  'gimu',
)
/** "Name and size: S, M, L" */
const BESIDE = new RegExp(
  `${BEGIN}((?:full |first |last )?name|phone(?: number)?|e-?mail|nombre|tel[eé]fono|correo) (?:and|y) ${THING}: ${LIST}`,
  'gimu',
)

/** A text in which each thing is followed by its choices in brackets, where it said how many may be chosen. */
export function withSeveral(text: string): string {
  return outsideQuotes(text, (bare) =>
    SPELLINGS.reduce((told, [pattern, other]) => told.replace(pattern, other), bare)
      .replace(COUNTED, (found, count: string, of: string, list: string) =>
        namesOther(list) ? found : `pick ${count} ${of}: ${list}`,
      )
      .replace(ASKED, (found, question: string, list: string) =>
        isOfKnown(list) ? found : `${question}? (${list})`,
      )
      .replace(BESIDE, (found, one: string, other: string, list: string) =>
        isOfKnown(list) ? found : `${one}, ${other} (${list})`,
      ),
  )
}

/** Whether a list goes on with what is asked for besides: "from work, name and phone". */
function namesOther(list: string): boolean {
  return splitList(list).some(({ text }) => kindNamed(text) !== null)
}
