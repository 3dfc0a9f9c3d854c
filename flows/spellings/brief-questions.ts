import { capitalised } from '../forms/form.ts'
import { cleaned } from '../words/fillers.ts'
import { splitList } from '../words/lists.ts'
import { kindNamed } from '../words/words.ts'

const WORD = '(?!(?:or|and|o|u|y)\\b)[^\\s,;:.?!()"“”]{1,30}'
/** A few words of a list, without what joins them to the next. */
export const WORDS = `${WORD}(?: ${WORD}){0,3}`
const LIST = `${WORDS}(?:, ${WORDS}){0,8},? (?:or|o) ${WORDS}`
const START = '(?<=(?:^|[,;:.?\\n)])\\s{0,3})(?:and |y )?'

/** "Need parking?", "own a car?", "have children?" */
const DO_YOU = new RegExp(
  `${START}(?<verb>need|want|have|own|require|drive|speak|play|use) (?<thing>(?!(?:what|which|to know|you|they|we|it)\\b)(?:[\\p{L}\\d'’-]{1,20} ){0,5}[\\p{L}\\d'’-]{1,20})\\?`,
  'gimu',
)
/** "Which day works best, Thursday or Friday?" */
const WHICH = new RegExp(
  `${START}(?<question>(?:what|which|how|where|when|who) (?:(?! [-–—] )[^,;:?().\\n]){3,60}), (?<list>${LIST})\\?`,
  'gimu',
)
/** "Are you buying, selling or renting?", "whether they are single, married or divorced" */
const ARE_YOU = new RegExp(
  `(?:${START}(?<asked>are|will|would|do|did) you|\\b(?:if|whether) (?:they|customers|clients|users|guests) (?<said>are|were|will|would|plan|intend))(?<more>(?: (?:be|prefer|like|want|need|rather|to|planning|looking|interested in)){0,3}) (?<list>${WORDS}(?:, ${WORDS}){1,8},? (?:or|o) ${WORDS})(?=\\?|[,;.\\n]|$)\\??`,
  'gimu',
)
/** "Should the trip go to the museum, the zoo or the park?" */
const THING = "(?:the|an?|our|my) [\\p{L}\\d’'-]{1,20}(?: [\\p{L}\\d’'-]{1,20})?"
const SHOULD = new RegExp(
  `${START}(?<question>(?:should|shall|do|does|would|will|can|is|are|did) [^,;:?().\\n]{3,80}?) (?<list>${THING}(?:, ${THING}){1,8},? or ${THING})\\?`,
  'gimu',
)
/** '"It was clear", "It was short" - each from strongly disagree to strongly agree' */
const STATEMENTS =
  /((?:"[^"\n]{1,200}"(?:,? (?:and )?)){2,20})[-–—]? ?\(?each (?:one )?(?:rated )?(?:from |on a scale of )?([^.;()"\n]{2,40} to [^.;()"\n]{2,40}?)\)?(?=[.;\n]|$)/gimu
/** "Satisfaction with price, speed and support on a 1-5 scale" */
const SATISFIED =
  /\bsatisfaction with ([^.:;()\n]{3,200}?),? (?:on an? |\()?(\d) ?(?:[-–]|to) ?(\d{1,2})(?: scale|\))/giu
/** "Select: individual / company" */
const SELECT =
  /(?<=(?:^|[.;\n])\s{0,3})(?:please )?(?:select|choose|pick)(?: one)?: ([^/.,;:()\n]{2,30}(?:\/[^/.,;:()\n]{2,30}){1,6})(?=[.;\n]|$)/gimu
/** "¿Votaría por A, B o C?" */
const CUAL = new RegExp(
  `(?<question>¿[^¿?,;:()\\n]{3,80}?) (?<list>${WORD}(?:, ${WORD}){1,6},? (?:o|u) ${WORD})\\?`,
  'giu',
)
/** "Si quiere agendar, cambiar o cancelar" */
const SI_QUIERE = new RegExp(
  `\\bsi (?<verb>quiere|desea|prefiere|necesita) (?<list>${WORDS}(?:, ${WORDS}){1,8},? (?:o|u) ${WORDS})(?=[,;.?\\n]|$)`,
  'giu',
)
/** "Speed, price and service, each rated poor, fair or good" */
const EACH_RATED = new RegExp(
  `(?<=[:.\\n] ?|\\bfor )(?<things>[^.:;()\\n]{3,100}(?:,| and) [^.:;()\\n]{2,100}?),? each (?:one )?(?:rated |scored )?(?:as )?(?<list>${LIST})(?=[.;\\n]|$)`,
  'gimu',
)
/** "Fever, cough, recent travel (yes/no each)" */
const EACH_YES =
  /(?<=[:.\n] ?|\b(?:ask|about|with|for) )([^.:;()\n]{3,100}(?:,| and | y )[^.:;()\n]{2,100}?)(?:,? | ?\()(?:(?:each|all|cada un[oa]|todos|todas)(?: of them)?(?: with)?:? (?:yes|sí)(?: ?\/ ?| or | o )no|(?:yes|sí)(?: ?\/ ?| or | o )no (?:for )?(?:each|all|cada un[oa]|todos|todas))(?:\)|(?=[.;,\n]|$))/giu
/** "Return reasons poll: too small / too large / other" */
const POLL =
  /^([^:\n]{3,60}?) (?:poll|survey|question|form): ([^:\n,./?]{1,40}(?:\/[^:\n,./?]{1,40}){2,10})(?=[.\n]|$)/imu
/** "List current medications" */
const LIST_THEM =
  /(?<=(?:^|[,;:.?\n])\s{0,3})(?:and )?(?:please )?list (?:all |any )?(?:of )?(?:(?:the|their|your|its) )?(?!(?:of|them|it|these|those|which)\b)(?=\p{L}[^,;:.?()\n]{2,80}(?:[,;.\n]|$))([^,;:.?()\n]{3,80}?)(?=[,;.\n]|$| and )/gimu
/** "New phone and/or new email" */
const AND_OR = new RegExp(
  `(?<=(?:^|[,;:.\\n]|\\b(?:with|enter|provide|give|ask for|then|pide|con))\\s{0,3})(?<list>${WORDS}(?:,? (?:and/or|y/o) ${WORDS}){1,5})(?=[,;.\\n]|$)(?![^()]*\\))`,
  'gimu',
)

const WANT_TO = new RegExp(
  `\\b(?:want|like|wish|need|prefer)s? to (${WORDS}(?:, ${WORDS}){0,8},? or ${WORDS})`,
  'iu',
)
const IF_WANT_TO =
  /\bif (?:they|the customer|the user|you)(?: would|['’]d)? (?:want|like|wish|need|prefer)s? to (\p{L}{2,20})(?=\b)/giu

/** A prompt whose brief questions are written out: "need parking?" is "do you need parking?". */
export function withBriefQuestions(prompt: string): string {
  return withChosen(prompt)
    .replace(DO_YOU, 'do you $<verb> $<thing>?')
    .replace(WHICH, (found, ...rest: unknown[]) => {
      const { question = '', list = '' } = groupsOf(rest)
      return areChoices(list) ? `${question}? (${choicesOf(list)})` : found
    })
    .replace(ARE_YOU, (found, ...rest: unknown[]) => {
      const { asked, said = '', more = '', list = '' } = groupsOf(rest)
      const verb = asked ?? (/^(?:plan|intend)$/i.test(said) ? `do you ${said}` : said)
      const question = asked || !verb.startsWith('do') ? `${verb} you` : verb
      return areChoices(list)
        ? `"${capitalised(question.toLowerCase())}${more} ${list}?" (${choicesOf(list)})`
        : found
    })
    .replace(SHOULD, (found, ...rest: unknown[]) => {
      const { question = '', list = '' } = groupsOf(rest)
      return areChoices(list) ? `"${capitalised(question)} ${list}?" (${choicesOf(list)})` : found
    })
    .replace(STATEMENTS, (_, list: string, scale: string) =>
      list.replace(/"[^"]+"/g, (statement) => `${statement} (${scale})`).replace(/[\s,–—-]+$/, ''),
    )
    .replace(SATISFIED, (_, list: string, least: string, most: string) =>
      splitList(list)
        .map(({ text }) => `${text.trim()} satisfaction (${least}-${most})`)
        .join(', '),
    )
    .replace(SELECT, (found, list: string) => {
      const choices = slashedIn(list)
      return areThings(choices) ? found : `"${choices.replaceAll(', ', ' or ')}" (${choices})`
    })
    .replace(CUAL, (found, ...rest: unknown[]) => {
      const { question = '', list = '' } = groupsOf(rest)
      return areChoices(list) ? `"${question} ${list}?" (${choicesOf(list)})` : found
    })
    .replace(SI_QUIERE, (found, ...rest: unknown[]) => {
      const { verb = '', list = '' } = groupsOf(rest)
      return areChoices(list) ? `"¿${capitalised(verb)} ${list}?" (${choicesOf(list)})` : found
    })
    .replace(EACH_RATED, (_, ...rest: unknown[]) => {
      const { things = '', list = '' } = groupsOf(rest)
      return splitList(things)
        .map(({ text }) => `${text.trim()} (${choicesOf(list)})`)
        .join(', ')
    })
    .replace(EACH_YES, (found, things: string) => {
      const yes = /\byes\b/i.test(found.slice(things.length)) ? 'yes' : 'sí'
      return splitList(things)
        .map(({ text }) => `${text.trim()} (${yes}/no)`)
        .join(', ')
    })
    .replace(POLL, (_, name: string, list: string) => {
      const choices = slashedIn(list)
      return areThings(choices) ? `Fields: ${choices}` : `Fields: ${name} (${choices})`
    })
    .replace(LIST_THEM, '$1 (long text)')
    .replace(AND_OR, (_, ...rest: unknown[]) =>
      (groupsOf(rest).list ?? '')
        .split(/,? (?:and\/or|y\/o) /i)
        .map((one) => `${one} (optional)`)
        .join(', '),
    )
}

/** "If they want to change", behind "whether they want to book, change or cancel": who chose that. */
function withChosen(prompt: string): string {
  const [, list = ''] = WANT_TO.exec(prompt) ?? []
  const wanted = splitList(list).map(({ text }) => text.trim().toLowerCase())
  return prompt.replace(IF_WANT_TO, (found, verb: string) =>
    wanted.some((one) => one.split(' ')[0] === verb.toLowerCase())
      ? `if they choose ${verb}`
      : found,
  )
}

function groupsOf(rest: unknown[]): Record<string, string | undefined> {
  return rest.at(-1) as Record<string, string | undefined>
}

/** What is between slashes, between commas. */
function slashedIn(list: string): string {
  return list
    .split('/')
    .map((one) => one.trim())
    .join(', ')
}

function choicesOf(list: string): string {
  return splitList(list)
    .map(({ text }) => cleaned(text))
    .join(', ')
}

/** Whether most of a list is known as something that is asked for. */
function areThings(list: string): boolean {
  const parts = splitList(list)
  return parts.filter(({ text }) => kindNamed(text) !== null).length > parts.length / 2
}

/** Whether nothing of a list is known as something that is asked for. */
function areChoices(list: string): boolean {
  return splitList(list).every(({ text }) => kindNamed(text) === null)
}
