import { withSeveral } from '../spellings/several.ts'
import { withGroups } from '../words/groups.ts'
import { splitList } from '../words/lists.ts'
import { isChoice, isOfKnown } from '../words/sentences.ts'
import { tidy } from '../words/words.ts'

const A = '(?:an? |una? )?'
const LIST = '([^?()]*,[^?()]*)'
const QUESTION = '(["“«]?¿?[^?]{3,200}\\?["”»]?)'
const NUMBER = '(?:two|three|four|five|\\d{1,2}|dos|tres|cuatro|cinco)'
const PEOPLE =
  '(?:they|people|(?:the )?(?:customers?|users?|clients?|guests?)|(?:el |los )?clientes?)'

/** Ways to say what is added, each as a prompt would name it. */
const SPELLINGS = (
  [
    // '"How did you find us?" question with options'
    ['(?<=["”»]) (?:question|field|drop-?down|list)(?=:| (?:with|of)\\b)', ''],
    // "Google, Other (please specify)"
    [
      '\\b(others?|otr[oa]s?) \\((?:please |por favor,? )?(?:specify|describe|explain|especifi(?:car|que)|indi(?:car|que))\\)',
      '$1 - please specify',
    ],
    // "Notes, not required, up to 500 characters"
    [
      ',\\s(?:(?:which|that|it) (?:is|should be) )?((?:not )?(?:optional|required|mandatory)|opcional|obligatori[oa])(?=,|$)',
      ' ($1)',
    ],
    [
      ',\\s((?:up to|at most|at least|max(?:imum)?|min(?:imum)?|no more than|hasta|m[aá]ximo) \\d[^,]{0,40})$',
      ' ($1)',
    ],
    [',\\s((?:between|from|entre|del?) \\d+ ?(?:and|to|y|al?|-|–) ?\\d+)$', ' $1'],
    // 'Do you smoke?' with yes and no; "a yes/no question: first visit?"
    [
      '(?:(?<=\\?["”»]?),?| (?:with|con)) (?:the )?(?:options |answers )?(?:yes|sí) ?(?:and|or|y|o|/) ?no(?: answers| options)?$',
      ' (yes/no)',
    ],
    [
      `^${A}(?:new |nueva )?(?:pregunta (?:de )?)?(yes/no|yes or no|sí/no|sí o no)(?: (?:questions?|fields?))?(?: (?:about|on|sobre|acerca de))?:?\\s*(\\S.*)$`,
      '$2 ($1)',
    ],
    // '"How did you find us?" with Google, a friend'
    [`^${A}(?:new |nueva )?(?:question|field|pregunta|campo) (?=["“«])`, ''],
    [
      `^(?!an? ["“«])${QUESTION},? (?:with|con) (?:(?:the |las )?(?:options|choices|answers|opciones):? )?([^()]*,[^()]*)$`,
      '$1 ($2)',
    ],
    // "A country list (USA, Canada) with USA preselected"
    [
      ',? (?:with|con) ([^,()]{1,40}) (?:pre-?selected|selected|as (?:the )?default|by default|por defecto|preseleccionad[oa])$',
      ' (default $1)',
    ],
    // "Urgency: low, medium, high, default medium"
    [
      '^([^:()]{2,60}): ([^:()]*?,[^:()]*?),? (?:and )?(?:default(?:s to|ing to)?|preselected):? ([^,():]{1,40})$',
      '$1 ($2; default $3)',
    ],
    // "A question asking if they have allergies"
    [
      `^${A}(?:new |nueva )?(?:question|pregunta) (?:asking|that asks|que pregunte)(?: them)? (?=\\p{L})`,
      '',
    ],
    // "A question (about) whether it is their first visit"
    [
      `^${A}(?:new )?(?:question|field) (?:(?:about|on|to (?:ask|see|know)) )?(?=(?:whether|if) )`,
      '',
    ],
    // "A new question: do you smoke?", "2 more fields: age, city"
    [
      `^(?:(?:an?|una?|the|la|el|los|las|some|${NUMBER}) )?(?:(?:new|more|other|additional|extra|another|following|siguientes|nuev[ao]s?|otr[ao]s?) )?(?:questions?|fields?|preguntas?|campos?)(?: más| nuev[ao]s| siguientes)?:\\s*`,
      '',
    ],
    // "A field to capture the order number"
    [
      '^(?:an? |una? )?(?:new |nuevo )?(?:field|question|input|campo|pregunta) (?:to |that |which )?(?:captur(?:e|es|ing)|collect(?:s|ing)?|ask(?:s|ing)? for|enter(?:ing)?|store|record|para (?:capturar|pedir|ingresar)) (?:the |their |el |la )?',
      '',
    ],
    // "A field for the nationality with a dropdown of countries: Spain, France"
    [
      '^(?:an? |una? )?(?:new )?(?:field|question) (?:for|about) (?:the |their )?(.+?) (?:with|as) (?:an? )?(?:drop-?down|list|choice|selection)(?: (?:of|with)(?: [^:,]{1,30})?)?: (.+)$',
      '$1 ($2)',
    ],
    // "An age field that only accepts numbers from 18 to 99"
    [
      '^(?:an? |una? )?(.+?)(?: field| input)? (?:that|which) (?:only )?(?:accepts|allows|takes) (?:only )?(?:numbers|values) (?=from|between|of)',
      '$1 ',
    ],
    // "A place for comments", "a field where they can leave their handle"
    [
      '^(?:an? |some |una? )?(?:place|space|room|area|spot|box|espacio|lugar|cuadro) (?:for|to (?:write|leave|enter|add)|para) (?:their |the |an? |sus? |el |la |los )?',
      '',
    ],
    [
      `^(?:an? |una? |the )?(?:field|place|space|box|question|campo|espacio) (?:where|in which|donde|en (?:el|la) que) ${PEOPLE} (?:can |could |may |pued[ae]n? )?(?:leave|enter|write|give|add|put|type|share|provide|dejar|escribir|poner|dar) (?:their |the |an? |sus? |el |la |una? )?`,
      '',
    ],
    // "Checkbox: send me reminders"
    [
      `^${A}(?:required |mandatory |optional )?(?:consent |opt-?in |agreement )?(?:check ?box|tick ?box|casilla)(?: (?:saying|that says|with the text|labell?ed))?:? ?(?:(?<=: ?)["“«]?|["“«])([^"“”«»]+?)["”»]?$`,
      '"$1" (checkbox)',
    ],
    // "A dropdown with countries Spain, France and Italy"
    [
      `^${A}(?:drop-?down|select|list|menu|desplegable|lista)(?: list| menu)? (?:with|of|con|de) (?:the |las? |los )?(?!(?:options|choices|values|opciones)\\b)(\\p{L}{3,20}s) ((?:[^,:()]+, )+[^,:()]+,? (?:and|or|y|o) [^,:()]+)$`,
      '$1 ($2)',
    ],
    // "A question about how they found us with Instagram, a friend, other"
    [
      '^(?:an? )?(?:new )?question (?:about|on|asking) ((?:how|what|which|where|why|when)\\b[^,:()]{3,60}?) (?:with|from) ((?:[^,:()]+, )+[^,:()]+)$',
      '$1 ($2)',
    ],
    // '"Is this a gift?" yes or no, and if yes the message'
    ['(["”»?]),? \\(?yes ?(?:or|/) ?no\\)?,? (?:and )?(?=if (?:yes|so|no)\\b)', '$1 '],
    // "A photo upload for the receipt"
    [`^${A}(photo|picture|image) uploads? (?:for|of) (?:the|their) `, '$1 of '],
    // "One more question about the budget"
    [
      '^(?:(?:an?|one|una?|another|otra?) )?(?:(?:more|new|additional|extra|further|other|nueva?) )?(?:question|field|pregunta|campo)(?: más| nuev[ao])? (?:about|on|regarding|sobre|acerca de) (?:the |their |el |la |los |las |su )?(?!how|what|why|when|where|which|whether|if)',
      '',
    ],
    // "A budget question with three ranges: …"
    [
      ` (?:with|con) (?:the |las )?(?:following |siguientes )?(?:${NUMBER} )?(?:ranges|options|choices|answers|levels|categories|rangos|opciones|niveles):\\s*`,
      ': ',
    ],
    // "A multiple choice question: which days? Monday, Tuesday", "a multi-select of interests with music, sports"
    [
      `^${A}(?:(?:multiple[ -]choice|multi[ -]?select) question|pregunta de (?:opción|selección) múltiple): ${QUESTION} ${LIST}$`,
      '$1 (multiple choice: $2)',
    ],
    [
      `^${A}(?:multi[ -]?select|multiple[ -]choice(?: list| question| field)?|check ?box(?:es)?(?: list| group)?|selección múltiple) (?:(?:for|of|about|called|labell?ed|named|para|de) (?:the |their )?|(?=["“«]))([^,:()]{2,60}?)(?:,? (?:with|con)(?: the)?(?: options| choices| opciones)?:?|:) (.+)$`,
      '$1 (multiple choice: $2)',
    ],
    // "How did you find us? Options: Google, a friend"
    [
      `^${QUESTION} (?:(?:options|choices|answers|opciones|respuestas): ?)?(?!(?:if|si|with|con)\\b)${LIST}$`,
      '$1 ($2)',
    ],
    // "A field to upload the receipt", "que suban el comprobante"
    [
      `^${A}(?:field|option|button|place|way|question|campo|botón|opción) (?:to|for|para) (?:upload|attach|subir|adjuntar)(?:ing)? |^que (?:(?:el |los )?clientes? )?(?:suban?|adjunten?) `,
      'upload ',
    ],
    [
      `^${A}(?:second |another |new |further )?(?:file |document )?uploads? (?:for|of) (?:the |their )?`,
      'upload ',
    ],
    // "A date picker for when they want the delivery"
    [
      `^${A}(date|number|e-?mail|phone|photo|file|fecha) ?(?:picker|field|input|box|selector) (?:for|of|to (?:tell|say|choose)|para|de) (?:the |their )?(.+?)(, (?:not|no|must|future) .+)?$`,
      '$2 ($1)$3',
    ],
  ] as const
).map(([pattern, other]) => [new RegExp(pattern, 'iu'), other] as const)

/** "A size question with S, M, L" */
const QUESTION_WITH =
  /^(?!(?:an?|una?) (?:question|field|pregunta|campo) )((?:an? |una? )?[^,:()"“«]{2,60}?) (?:question|field|drop-?down|list|selector|menu|choice|pregunta|campo) (?:with|of|con|de) ([^()]*,[^()]*)$/iu

/** "Two dates: check-in and check-out" */
const TWO =
  /^(?:two|three|2|3) (date|time|photo|number|name|address|phone number|email)e?s: ((?:[^,()]+, )*[^,()]+ (?:and|&) [^,()]+)$/iu

/** "Two optional fields: company and job title" */
const WISHED_ALL = new RegExp(
  `^(?:(?:an?|una?|${NUMBER}) )?(?:(?:new|more|extra|nuev[oa]s?) )?(?:(required|mandatory|optional) (?:fields?|questions?)|(?:campos?|preguntas?) (opcional|obligatori[oa])(?:es|s)?):\\s*(.+)$`,
  'iu',
)

/** "A rating for cleanliness, service and food" */
const RATED =
  /^(?:an? )?(?:(?:star|5-star) )?ratings?(?: \(?(?:from )?(\d{1,2}) ?(?:-|to) ?(\d{1,2})\)?)? (?:for|of) ((?:[^,()]+, )*[^,()]+ (?:and|&) [^,()]+)$/iu

/** "Indoor or outdoor", asked of some */
const ALTERNATIVES = /^([^()?"“«]+?)( \(only if [^()]+\))?$/iu

/** "A required dropdown "Language" with English, French" */
const WISHED_FIRST =
  /^(?:an? |una? )?(?:new |nueva )?(required|mandatory|optional|opcional|obligatori[oa]) ((?:drop-?down|list|menu|radio (?:group|buttons)|select|check ?box(?:es| group)|multi-?select)(?: (?:field|question|input|list))? .+)$/iu

/** "Emergency contact details (name and phone)" */
const DETAILS_OF =
  /^(?:an? |the )?((?!contact|personal|customer|user)[\p{L} ]{3,40}?) (?:details|data|info(?:rmation)?) \(((?:full )?name\b[^()]*)\)$/iu

const WITH_CHOICES =
  /^(.*?) (?:with|con) (?:(?:the |las )?(?:options|choices|opciones):? )?(\S.*)$/iu
const LIST_FOR =
  /^(?:an? |una? )?(?:drop-?down|list|menu|radio (?:group|buttons)|single[ -](?:choice|select)|select|desplegable|lista)(?: (?:field|question|input|list|menu))?(?: (?:for|of|called|named|labell?ed|de|para|llamad[oa]) | (?=["“«]))/iu
const OPTIONS = /\b(?:options|choices|opciones)\b/iu

/** What is added, as a prompt would name it: "a new question: do you smoke?" is the question. */
export function additionSpelled(all: string): string {
  const [, wish = '', wished = ''] = WISHED_FIRST.exec(all) ?? []
  if (wished !== '') return `${additionSpelled(wished)} (${wish})`
  const what = SPELLINGS.reduce(
    (text, [pattern, other]) => text.replace(pattern, other),
    withGroups(withSeveral(all.replace(DETAILS_OF, '$1 ($2)'))),
  )
    .replace(QUESTION_WITH, (found, asked: string, list: string) =>
      isOfKnown(list) ? found : `${asked} (${list})`,
    )
    .replace(TWO, (_, of: string, list: string) =>
      splitList(list)
        .map(({ text }) => `${text.trim()} ${of}`)
        .join(', '),
    )
    .replace(WISHED_ALL, (_, wish = '', deseo = '', list = '') =>
      splitList(String(list))
        .map(({ text }) => `${text.trim()} (${wish}${deseo})`)
        .join(', '),
    )
    .replace(RATED, (_, least = '1', most = '5', list = '') =>
      splitList(String(list))
        .map(({ text }) => `${text.trim()} (${least}-${most})`)
        .join(', '),
    )
  const [, alone = '', condition = ''] = ALTERNATIVES.exec(what) ?? []
  if (isChoice(alone)) return `"${alone}" (${alone})${condition}`
  const [, asked = '', options = ''] = WITH_CHOICES.exec(what) ?? []
  const isListed = asked !== '' && (LIST_FOR.test(what) || OPTIONS.test(what))
  const bare = asked
    .replace(LIST_FOR, '')
    .replace(/(?<=["”»]) (?:question|field|drop-?down)$/iu, '')
  return isListed ? `${tidy(bare)} (${options})` : what
}
