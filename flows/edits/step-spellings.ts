import { PLACE } from '../spellings/sections.ts'
import { withSharedWishes } from '../spellings/shared-wishes.ts'
import { withToldWishes } from '../spellings/told-wishes.ts'
import { ORDINAL } from './edit-words.ts'

const ADD = '(?:add|ask for|put|use)'
const REMOVE = '(?:remove|delete|drop|take out|get rid of)'
const REST = '(?:the rest|everything else|all (?:the )?others?|all other fields)'
const START = '(?<=^|[.;\\n] ?)'
const UNTIL = '(?=[.;\\n]|$)'
const ON_SCREEN = `(?:on|to|in|en|a) (?:the |la )?(?:(?:${ORDINAL}) (?:${PLACE})|(?:${PLACE}) (?:\\d|${ORDINAL}))`

/** Ways to say several things in one sentence, each as the sentences that say them one by one. */
const SPELLINGS = (
  [
    // "Make the following changes:", "update the form so that the phone is optional"
    [
      '^\\s*(?:please )?(?:(?:make|apply|do) (?:the following|these) (?:changes|edits|updates|modifications)(?: (?:to|in) (?:the|this|my) (?:form|flow|survey))?|(?:update|modify|change|edit|adjust|revise) (?:the|this|my|our) (?:form|flow|survey)(?: (?:as follows|like this|(?=(?:so|such) that)|(?=so )))?)\\s*(?::|(?:so|such) that|so)\\s+',
      '',
    ],
    [
      '^\\s*(?:por favor,? )?(?:(?:realiza|haz|aplica|hazle) (?:los siguientes|estos|estas) (?:cambios|modificaciones|ajustes)(?: (?:al|en el|a este) (?:formulario|flujo))?\\s*:|(?:actualiza|modifica|cambia|ajusta) (?:el|este) (?:formulario|flujo) (?=para que |de (?:modo|manera|forma) que )(?:para|de (?:modo|manera|forma)))\\s*',
      '',
    ],
    [
      `${START}(?:the )?((?:last|first) (?:two|three))(?: ones)? (?=(?:are|should be|must be|can be) )`,
      'the $1 fields ',
    ],
    [`${START}the (last|first)(?: one)? (?=(?:is|should be|must be|can be) )`, 'the $1 field '],
    // "Can the phone be required and the email optional?"
    [
      `${START}(?:can|could|should|may) (?:the |their )?([^.;,?\\n]{1,40}?) be ((?:optional|required|mandatory)(?! if| when)[^.;?\\n]{0,60})\\?`,
      'make $1 $2',
    ],
    ['^[ \\t]*(?:[-*•–]|\\(?\\d{1,2}[.)])[ \\t]+', ''],
    // 'Change "First name" label to "Given name" and "Last name" label to "Family name"'
    [
      `${START}(change|rename|set|update) ((?:the )?(?:label of )?"\\d+"(?: label)?) to ("\\d+"),? and ((?:the )?(?:label of )?"\\d+"(?: label)?) to ("\\d+")${UNTIL}`,
      '$1 $2 to $3. $1 $4 to $5',
    ],
    // 'Rename "A" -> "B", "C" -> "D"'
    [
      `${START}rename ("\\d+") ?(?:->|→|=>|to) ?("\\d+"),? (?:and )?("\\d+") ?(?:->|→|=>|to) ?("\\d+")${UNTIL}`,
      'rename $1 to $2. Rename $3 to $4',
    ],
    [
      '\\b(?:the )?(?:cta|call to action)(?: button| label| text)?(?= to | should |:)',
      'the button',
    ],
    // "The notes should be optional and limited to 300 characters"
    [
      `${START}(?:the )?([^.;,\\n]{1,40}?)(?: field| question)? (?:should|must) be (optional|required|mandatory) and (?:limited to|at most|max(?:imum)?(?: of)?|no longer than) (\\d+) characters${UNTIL}`,
      'make $1 $2. Limit $1 to $3 characters',
    ],
    // "Make the notes required and limit them to 300 characters"
    [
      `${START}(?:make|mark) (?:the )?([^.;,\\n]{1,40}?) (optional|required|mandatory),? (?:and|but) (?:limit|cap|restrict) (?:it|them) (?:to|at) (?=\\d)`,
      'make $1 $2. Limit $1 to ',
    ],
    // "Make the notes multi-line and optional"
    [
      `${START}make (?:the )?([^.;,\\n]{1,40}?) ((?:an? )?(?:multi-?line|long|numeric|drop-?down|date|text|number|radio buttons?|multi-?select)(?: field| text| list)?) and (optional|required|mandatory)${UNTIL}`,
      'make $1 $2. Make $1 $3',
    ],
    // 'Edit the "Plan" field: rename to "Tariff", options A, B', 'update copy: title "A", button "B"'
    [
      `${START}(?:edit|change|update|modify) (?:the )?("\\d+"|\\p{L}{2,20})(?: field| question)?: rename (?:it )?to ("\\d+"),? (?:and )?(?:with )?(?:the )?options:? ([^.;\\n]+)${UNTIL}`,
      'change the options of $1 to $3. Rename $1 to $2',
    ],
    [
      `${START}(?:edit|change|update|set) (?:the )?(?:copy|texts?|wording):? title:? ("\\d+"),? (?:and )?button:? ("\\d+")${UNTIL}`,
      'change the title to $1. Change the button to $2',
    ],
    [
      ',? (?:and|but) keep (?:the )?(?:same )?(?:options|choices|rest|others)(?: (?:the same|as (?:is|they are|it is)))?(?=[.;\\n]|$)',
      '',
    ],
    // 'Add a title "Orders" and a subtitle "We reply soon"'
    [
      `${START}(?:add|set|use) (?:an? |the )?(?:title|heading) ("\\d+"),? and (?:an? |the )?(?:subtitle|subheading|description|note|intro(?:duction)?|text) ("\\d+")`,
      'change the title to $1. Add a note at the top saying $2',
    ],
    // "Make the product a multi-select with a maximum of 3"
    [
      `${START}(?:make|turn|convert) (?:the )?([^.;,\\n]{1,40}?) (?:into )?(?:an? )?(?:multi-?select|multiple[ -]choice|check ?boxes)(?: list)? with (?:an? )?(?:(?:max(?:imum)?|limit)(?: of)?|up to|at most) (\\d+)(?: choices| options)?${UNTIL}`,
      'allow several $1. Let them choose up to $2 $1',
    ],
    // "Add Other to the product and, when chosen, ask them to specify"
    [
      `${START}((?:add|include) [^.;\\n]{1,80}?),? and,? (?:when|if) (?:it(?:['’]s| is) )?(?:chosen|selected|picked),? ask (?:them |customers |users )?(?:to )?(specify|describe|explain)(?: (?:it|which|what))?${UNTIL}`,
      '$1. Ask them to $2',
    ],
    // 'Add "Other" to size and ask them to specify if they pick it', "… with a text box to specify"
    [
      `${START}((?:add|include) [^.;\\n]{1,80}?),? and,? (?:ask (?:them |customers |users )?(?:to )?(specify|describe|explain)(?: (?:it|which|what))? (?:if|when) (?:it(?:['’]s| is) (?:chosen|selected|picked)|(?:they|customers|users) (?:choose|select|pick|tick)s?(?: (?:it|that|other))?)|(?:when|if) they (?:choose|select|pick|tick)s? (?:it|that),? ask (?:them )?(?:to )?(specify|describe|explain)(?: (?:it|which|what))?)${UNTIL}`,
      '$1. Ask them to $2$3',
    ],
    [
      `${START}((?:add|include) [^.;\\n]{1,80}?),? (?:with|and) an? (?:text )?(?:box|field|input) (?:for them )?to (specify|describe|explain)(?: (?:it|which|what))?${UNTIL}`,
      '$1. Ask them to $2',
    ],
    // "Add a city. It's optional", "agrega la ciudad, que sea opcional"
    [
      `${START}((?:add|include|ask for|agrega|añade|pide) [^.;\\n]{1,100}?)(?:[,;]|\\. ?) ?(?:(?:but )?(?:it|this(?: one| field)?|that)(?:['’]s| is| should be| must be| can be)|es|que sea|debe ser) ((?:not )?(?:optional|required|mandatory)|opcional|obligatori[oa])${UNTIL}`,
      '$1, $2',
    ],
    // "Clear the options of size and use S, M instead"
    [
      `${START}(?:clear|remove|delete|drop) (?:all )?(?:the |of the )?options (?:of|for|from|in) (?:the )?([^.;\\n]{1,40}?),? and (?:use|add|put) ([^.;\\n]{1,150}?)(?: instead)?${UNTIL}`,
      'change the options of $1 to $2',
    ],
    // "Delete the email and replace it with a phone"
    [
      `${START}${REMOVE} (?:the )?([^.;,\\n]{1,60}?),? and replace it with ([^.;\\n]{1,100})${UNTIL}`,
      'replace $1 with $2',
    ],
    // "Change the title to Orders and the button to Send"
    [
      `${START}(change|set|rename|cambia|pon) (?:the |el )?(?:form )?((?:title|button|título|botón) (?:to|a) [^.;\\n]{1,80}?),? (?:and|y) (?=(?:the |el )?(?:title|button|note|título|botón) (?:to|a) )`,
      '$1 $2. $1 ',
    ],
    // "Put name and email on page one and the date on page two"
    [
      `${START}(put|move|pon|mueve) ([^.;\\n]{1,80}? ${ON_SCREEN}),? (?:and|y) (?!(?:then|put|move|the rest|the others|everything|all other|el resto|lo demás)\\b)(?=[^.;\\n]{1,80}(?:${PLACE}))`,
      '$1 $2. $1 ',
    ],
    // "Delete the phone and add WhatsApp in its place"
    [
      `${START}${REMOVE} (?:the )?([^.;,\\n]{1,60}?)(?:,|;)? (?:and )?(?:instead )?${ADD} ([^.;,\\n]{1,60}?) (?:in its place|instead)${UNTIL}`,
      'replace $1 with $2',
    ],
    // "Keep name and phone; remove the rest", "remove everything else but keep the name"
    [
      `${START}keep ([^.;\\n]{1,200}?)[;,]? (?:and |but )?${REMOVE} ${REST}${UNTIL}`,
      'keep only $1',
    ],
    [`${START}${REMOVE} ${REST},? (?:but|and) keep ([^.;\\n]{1,200})${UNTIL}`, 'keep only $1'],
  ] as const
).map(([pattern, other]) => [new RegExp(pattern, 'gimu'), other] as const)

/** "Add the following fields:", and each on a line of its own */
const LIST =
  /^[ \t]*(?:please )?((?:add|include|ask for|collect|remove|delete|drop|agrega|añade|pide|quita|elimina)\b[^\n:]{0,60}):[ \t]*\n((?:[ \t]*(?:[-*•–]|\(?\d{1,2}[.)])[ \t]+[^\n]+(?:\n|$))+)/gimu
const ADDED =
  /^\s*(?:(?:please|can you|could you|also|por favor),? )*(?:add|include|ask for|collect|agrega|añade|incluye|pide)\b/i
const MARK = /\s*(?:^|\n)[ \t]*(?:[-*•–]|\(?\d{1,2}[.)])[ \t]+/u

/** An instruction, without what is quoted in it, in which each sentence says one thing, or several that verbs tell apart. */
export function stepsSpelled(instruction: string): string {
  const listed = instruction.replace(
    LIST,
    (_, head: string, lines: string) =>
      `${head}: ${lines.trim().split(MARK).filter(Boolean).join(', ')}\n`,
  )
  // What is said of what is added, and of nothing that is there.
  const told = withToldWishes(listed)
  const named = ADDED.test(told) ? withSharedWishes(told) : told
  return SPELLINGS.reduce((text, [pattern, other]) => text.replace(pattern, other), named)
}
