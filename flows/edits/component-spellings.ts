import { ADD, ORDINAL, REMOVE, SCREEN, type Spelling, WISHED } from './edit-words.ts'

/** What programs and their agents call a field. */
const COMPONENT =
  '(?:(?:text|number|phone number|email|date) (?:area|box|input|field)s?|inputs?(?: fields?)?|drop-?downs?|text ?areas?|radio(?: ?(?:group|buttons?))?s?|check ?box(?: ?group)?(?:es)?|selections?|selectors?|date ?pickers?|components?|elements?|options? list)'

const ON_SCREEN = `(?:(?:the )?(?:${ORDINAL}|next|last) ${SCREEN}|${SCREEN} (?:\\d|${ORDINAL}))`

/** Verbs of programs, as those that are read. */
export const VERB_SPELLINGS: readonly Spelling[] = [
  ['(?:modify|edit|adjust|alter|reset|revert) (.+)', 'change $1'],
  ['create (.+)', 'add $1'],
  ['(let|allow|have|ask) the (?:user|customer|client|guest|visitor|person) (.+)', '$1 them $2'],
  ['keep just (.+)', 'keep only $1'],
]

/** Ways to speak of fields as a program does: as components with properties, options and screens. */
export const COMPONENT_SPELLINGS: readonly Spelling[] = [
  ['only require (.+)', 'make only $1 required'],
  // "The phone must start with +44"
  [
    '(?!add|if|when)(?:the )?(.+?) (must (?:(?:start|begin|end) with|match|be in the format) .+)',
    'explain below $1 that it $2',
  ],
  // "The number can't exceed 6", "add a reference at the top, not required"
  [
    "(.+?) (?:can(?:not|['’]t)|must not|may not|should not|shouldn['’]t|mustn['’]t) (?:exceed|be over) (\\d+(?: characters)?)",
    'limit $1 to $2',
  ],
  [
    `(${ADD} .+?) (at the (?:top|beginning|start)),? ((?:not )?(?:required|optional|mandatory))`,
    '$1 ($3) $2',
  ],
  // 'Add a question before the notes: "Parking?" with yes or no answers'
  [
    `${ADD} (?:an? )?(?:new )?(?:question|field) ((?:right |just )?(?:before|after|above|below) [^:"“«]+): (["“«].+)`,
    'add $2 $1',
  ],
  [
    `(?:change|set|make|update) (.+?) so (?:that )?it(?: is|['’]s) (?:no longer|not) (?:required|mandatory)`,
    'make $1 optional',
  ],
  [`(?:change|set|make|update) (.+?) so (?:that )?it(?: is|['’]s) (${WISHED})`, 'make $1 $2'],
  ['(?:remove|drop|lift) (?:the )?requirement (?:for|from|on|of) (.+)', 'make $1 optional'],
  ['(.+?) (?:should|must) be an? number (between \\d+ and \\d+)', '$1 must be $2'],
  [
    'set (?:an? |the )?default(?: value| option)? (?:of|to|as) (.+?) (?:for|on|in) (?:the )?(.+)',
    'default $2 to $1',
  ],
  [
    '(?:replace|change) (?:the )?(?:text|number|short text|long text) (?:field|input|box) (?:for|of) (?:the )?(.+?) (?:with|to|by|into) (.+)',
    'make $1 $2',
  ],
  [
    `(?:reduce|cut|bring down) (?:the )?(?:number of )?${SCREEN}s to (?:one|1|a single one)`,
    'put everything on one screen',
  ],
  [
    `(?:reduce|cut|bring down) (?:the )?(?:number of )?${SCREEN}s to (\\d|two|three|four|five)`,
    'split it into $1 screens',
  ],
  [
    '(?:make|have) (?:the )?(.+?)(?: box| field| area)? (?:bigger|larger|taller)',
    'make $1 a long text',
  ],
  [
    '(.+?) (?:is|comes|gets|should be) asked first,? (?:and )?then (.+)',
    'change the order: $1, $2',
  ],
  // "Set the comments' max length to 500", "set required to true for phone"
  [
    "(?:set|change|limit|update) (?:the )?(.+?)(?:['’]s?)? (?:max(?:imum)?(?:[ -]?(?:length|characters|chars))|character limit|length limit) to (\\d+)(?: (?:characters|chars))?",
    'limit $1 to $2 characters',
  ],
  [
    "(?:set|change|update) (?:the )?(.+?)(?:['’]s?)? (?:min(?:imum)?[ -]?(?:length|characters|chars)) to (\\d+)(?: (?:characters|chars))?",
    '$1 must have at least $2 characters',
  ],
  [
    "(?:set|change|toggle|update) (?:the )?(.+?)(?:['’]s?)? (?:required|mandatory)(?: (?:flag|property|attribute))? to (?:true|yes|on)|(?:set|mark) (?:the )?(?:required|mandatory)(?: (?:flag|property))? (?:to true |= ?true )?(?:for|on|of) (?:the )?(.+?)(?: to true)?",
    'make $1$2 required',
  ],
  [
    "(?:set|change|toggle|update) (?:the )?(.+?)(?:['’]s?)? (?:required|mandatory)(?: (?:flag|property|attribute))? to (?:false|no|off)|(?:set) (?:the )?required(?: (?:flag|property))? (?:to false |= ?false )?(?:for|on|of) (?:the )?(.+?)(?: to false)?",
    'make $1$2 optional',
  ],
  [
    "(?:make|set|have|change) (?:the )?(.+?)(?:['’]s?)? default(?: (?:value|option))? to (.+)",
    'default $1 to $2',
  ],
  [
    '(?:allow|enable) (?:the )?(?:selecting|selection of|choosing|picking|multiple selection (?:for|of|on|in)) (?:multiple |several |more than one )?(.+)',
    'allow several $1',
  ],
  // "On screen 2, add a comment", "on the second screen, rename size"
  [`(?:on|in|to) ${ON_SCREEN}:?,? (?:please )?(?!${ADD})(?=\\p{L}+ )(.+)`, '$1'],
  [`(?:on|in|to) (${ON_SCREEN}):?,? (?:please |also )?(${ADD} .+)`, '$2 to $1'],
  [`(.+? )?${ON_SCREEN}['’]s? (.+)`, '$1$2'],
  [
    `((?:move|put) .+?) (?:to|on|onto) ${ON_SCREEN},? (?:and )?((?:right |just |directly )?(?:after|before|below|above|behind) .+)`,
    '$1 $2',
  ],
  // "Change the order: email first, then the name"
  ['change (?:the )?order: (.+?) first,? (?:and )?then (.+)', 'change the order: $1, $2'],
  [`turn (?:the )?(.+?) into (?:an? )?(${WISHED})(?: field| question| one)?`, 'make $1 $2'],
  // "Ensure that the phone has 10 digits"
  ['(?:ensure|make sure|guarantee|verify)(?: that)? (.+)', '$1'],
  [
    '(?:the )?(.+?)(?<! (?:must|should|can|may|to|not)) (?:has|have) ((?:exactly |at least |at most )?\\d+ (?:digits?|characters?))',
    '$1 must have $2',
  ],
  [
    '(?:increase|raise|reduce|lower|decrease|extend) (?:the )?(.+?)(?: character| length)? (?:limit|maximum|max(?: length)?) to (\\d+)(?: characters)?',
    'limit $1 to $2 characters',
  ],
  // 'Change the form's title from "A" to "B"'
  [
    '((?:change|rename|update) .*(?:title|button|label|text|name).*) from ["“«][^"”»]+["”»] (to ["“«].+)',
    '$1 $2',
  ],
  [
    '(?:reword|rephrase|rename|change) (.+?) to (?:something|be) [^:"“«]{0,30}: ?(["“«].+)',
    'rename $1 to $2',
  ],
  // "Take the phone off", "no more size question"
  ['take (?:the )?(.+?) (?:off|out|away)(?: (?:of )?(?:it|the form))?', 'remove $1'],
  ['no more (?!than\\b)(.+?)(?: questions?| fields?)?', 'remove $1'],
  // "Use checkboxes instead for size"
  ['use (.+?) instead for (?:the )?(.+)', 'change $2 to $1'],
  // "Split it into two pages, the second with the size"
  [
    `(?:split|divide) (?:it|this|the form|the flow) (?:in)?to (?:two|2) ${SCREEN}s?,? (?:with )?(?:the )?second(?: (?:one|${SCREEN}))? (?:with|for|having|containing|has|asks for|asking for) (.+)`,
    'move $1 to a new screen',
  ],
  // "I need the size to be radio buttons instead of a dropdown"
  [
    '(?:i|we) (?:need|want|would like) (?:the )?(?!to\\b)(.+?) to be (?!able)(.+?)(?: (?:instead of|rather than|not) .+)?',
    'make $1 $2',
  ],
  [
    `${ADD} (?:a )?validation (?:to|for|on) (?:the )?(.+?)(?: so(?: that)?|:| that)? (?:it )?((?:must|should|has to|needs to) .+)`,
    'explain below $1 that it $2',
  ],
  // "Add a conditional field: if size is L, ask for the colour"
  [
    `${ADD} (?:an? )?conditional (?:field|question|rule|logic|branch)(?: (?:so that|such that|where|that)|:|,)? ((?:if|when) .+)`,
    '$1',
  ],
  [
    '(?:for) ((?!the |our |my |each |every |all |it |this )[^,:"“«]{2,40}?)(?: (?:tickets?|customers?|orders?|users?|people|guests?|bookings?|members?))?,? (?:also|please) (ask|show|add|collect|request|require) (.+)',
    'if $1, $2 $3',
  ],
  // 'Add a consent checkbox at the end: "I agree"', 'put a heading on top that says "Join us"'
  [`(${ADD} .+?) ((?:at|to) the (?:very )?(?:end|bottom)(?: of the form)?): (["“«].+)`, '$1: $3'],
  [
    `(?:${ADD}|put|show|display|set) (?:an? |the )?(?:heading|headline|header|title)(?: (?:at the top|on top|on the first ${SCREEN}))?(?: (?:that says|saying|reading|with the text|of))?:? (["“«][^"”»]+["”»])(?: (?:at the top|on top))?`,
    'change the title to $1',
  ],
  [
    `(?:${ADD}|put|show|display) (?:an? |the )?(?:short |brief |warm |friendly )?(?:welcome|greeting|intro(?:duction|ductory)?)(?: (?:text|message|note|line))? (?:on|to|at) (?:the )?(?:first|opening|start(?:ing)?) ${SCREEN}(?: (?:that says|saying|reading))?:? (["“«].+["”»])`,
    'add a welcome message: $1',
  ],
  // 'Add a dropdown "Language" with English, French, placed after email'
  [
    `(${ADD} .+?),? (?:and )?(?:(?:place|put|position|insert)(?:d|ed)? (?:it )?|positioned |located |right |just |directly )((?:after|before|below|above) .+)`,
    '$1 $2',
  ],
  // "Shorten it to name and email only"
  ['((?:reduce|cut|trim|strip|shorten) .+?) (?:only|alone)', '$1'],
]

/** Words for what kind of field it is, behind the name of one. */
const BEHIND_NAME = new RegExp(
  `(?<=["”»]) ${COMPONENT}(?= (?:to|so|from|with|as|optional|required|mandatory|after|before|and|into|a|an|on|default)\\b|['’]s|$)`,
  'giu',
)
const BEHIND_WORDS = new RegExp(
  `(?<=\\bthe (?:(?!(?:to|an?|into|as|with|of|for)\\b)[\\p{L}-]{2,20} ){1,3})${COMPONENT}(?= (?:to|so|from|as|optional|required|mandatory|after|before|and|into|default)\\b|['’]s|$)`,
  'giu',
)
const CHANGING = new RegExp(
  `^(?:please |also )?(?:${REMOVE}|modify|edit|update|adjust|reset|rename|hide|limit|move|make|change|convert|turn|set|update|swap|mark|reorder|show|replace)\\b`,
  'iu',
)

/** An instruction that changes what is there, without the words for components behind the names of fields. */
export function withoutComponents(step: string): string {
  if (!CHANGING.test(step)) return step
  return step
    .replace(BEHIND_NAME, '')
    .replace(BEHIND_WORDS, '')
    .replace(/ +(?=['’]s| |$)/g, '')
}
