import { ADD, COUNT, EXCEPT, SCREEN, type Spelling, WISHED } from './edit-words.ts'

const PASSIVES = Object.entries({
  ...{ split: 'split', divided: 'split', removed: 'remove', deleted: 'remove', dropped: 'remove' },
  ...{ moved: 'move', renamed: 'rename', replaced: 'replace', changed: 'change', added: 'add' },
  ...{ merged: 'merge', combined: 'merge' },
})

/** Ways to say in an instruction where fields stand, and which must be filled in. */
export const PLACE_SPELLINGS: readonly Spelling[] = [
  // "We need the surname as well, after the name"
  [
    '(?:i|we) (?:also )?(?:need|want) (?!to\\b|customers|people|them|users|guests)(.+?)(?:,? (?:as well|too))?,? ((?:right |directly )?(?:before|after|below|above|behind) (?:the )?[^,]+)',
    'add $1 $2',
  ],
  [
    '(?:can|could|should|may) (?:the )?(.+?) (?:come|go|be|stand) (?:the )?(first|last)\\??',
    'put $1 $2',
  ],
  ['((?:swap|switch|exchange|intercambia) )(?:the order of |el orden de )(.+)', '$1$2'],
  ['(?:require|exige) (?:the |el |la )?(.+?) only', 'make only $1 required'],
  [
    '(.+?) (?:should|must|has to|needs to|debe) (?:be|come|go|ser|ir) (?:the |el |la )?(first|last)(?: question| field| one)?',
    '$1 should be $2',
  ],
  // "Start a new page after the email", "three screens please"
  [
    `(?:start|begin|put|insert|add|empieza|comienza|agrega) (?:an? |una )?(?:new |nueva )?${SCREEN}(?: break)? ((?:after|behind|después del?) (?!.*\\b(?:with|for|asking|con|para)\\b).+)`,
    'split it $1',
  ],
  [`(${COUNT}|[2-5]) ${SCREEN}s`, 'split it into $1 screens'],
  // "Name and phone required, the rest optional"
  [
    `(?:make |mark |set |haz |pon |deja )?(.+?)(?: as)? (${WISHED})(?:,? (?:and|but|y|pero)|,) (?:make |haz |deja )?(?:all |todo )?(?:the rest|(?:the |all )?others?|everything else|the other fields|el resto|lo demás|los demás)(?: as| of them)? ${WISHED}`,
    'make only $1 $2',
  ],
  [
    `(?:haz|pon|deja|make|mark) (${WISHED}) (.+?)(?:,? (?:and|but|y|pero)|,) (?:the rest|(?:the |all )?others?|everything else|el resto|lo demás|los demás) ${WISHED}`,
    'make only $2 $1',
  ],
  [
    `((?:everything|all(?: fields)?|todos?|todas?)(?: los campos)? ${WISHED},? ${EXCEPT} .+)`,
    'make $1',
  ],
  // "Single page please", "make the form two pages"
  [
    `(?:(?:on |in |en |make it |hazlo en )?(?:an? |una )?(?:single|one|sola|única) ${SCREEN}|una (?:sola|única) ${SCREEN})(?: only)?`,
    'put everything on one screen',
  ],
  [
    `(?:make|turn|hazlo|haz|divide|separa)(?: the form| it| this| el formulario)?(?: into| in| en| de)? (?:(?:an? )?(${COUNT}|[2-5])[ -])(?:${SCREEN})s?(?: form)?`,
    'split it into $1 screens',
  ],
  [
    `(?:split|separate|separa|take|pull) (.+?) (?:onto|on to|to|into|out to|a|en) (an?|another|its own|their own|a new|otra|una) ((?:new |separate |nueva )?${SCREEN})`,
    'move $1 to $2 $3',
  ],
  [
    `${ADD} (?:an? |una )?(?:new |nueva )?(?:section|sección) (?:for|about|called|on|with|para|de|sobre|con) (?:the |their |los |las )?[^,:()]{2,40}?(?::| with| asking for| that asks for| con) (?:the |their )?(.+)`,
    'add a screen with $1',
  ],
  ['(.+?) right (at the (?:very )?(?:start|beginning|top|end|bottom).*)', '$1 $2'],
  ['(.+?) (?:at|to) the very (start|beginning|top|end|bottom)(.*)', '$1 at the $2$3'],
  // "After the reason, add a photo", "swap the email for an address"
  [
    `((?:after|before|behind|below|above|después del?|antes del?) .+?),? ((?:${ADD}|ask(?: for| about)?|insert|put|pregunta(?: por)?|pide) .+)`,
    '$2 $1',
  ],
  ['(?:switch|swap|exchange|trade) (.+?) for (?:an? |the )?(.+)', 'replace $1 with $2'],
  [
    `(?:combine|merge|put|join) (?:all |the |both )+${SCREEN}s (?:into|in|on|to) (?:one|a single one|the same one|a single ${SCREEN}|one ${SCREEN})`,
    'put everything on one screen',
  ],
  [
    `(?:all|every|everything|tod[oa]s?)(?: (?:the |los |las )?(?:fields?|questions?|campos|preguntas))? (?:(?:is|are|should be|must be|es|son|deben ser) )?(${WISHED}),? ${EXCEPT} (.+)`,
    'make everything $1 except $2',
  ],
  ['(?:pasa|pasar|lleva|llevar|coloca|colocar) (.+)', 'mueve $1'],
  ['cambia (?:de |el )orden (?:de |del )?(?:el |la )?([^:]+ y [^:]+)', 'intercambia $1'],
  // "Ask for the name first", "start by asking the name"
  [
    '(?:start|begin) (?:by asking(?: for)? (?:the |their )?|with (?:the |their ))([^,]+)|ask(?: for)? (?:the |their )?([^,]+?) first',
    'put $1$2 first',
  ],
  ['(?:have|put|make|use) (.+?) as the (first|last)(?: question| field| one)?', 'put $1 $2'],
  [
    '(?:nothing|no field) (?:but|except|other than) (?:the )?(.+?) (?:is|should be|must be) required',
    'make only $1 required',
  ],
  // "Ask for the phone on the second page", "put the notes on a page by themselves"
  [
    `(?:ask(?: for)?|collect|request|have|group|keep|pide) (?:the )?(.+? (?:on|in|en) (?:the |an? |its |their |la |una |otra )[^,]*${SCREEN}(?: by (?:itself|themselves))?)`,
    'put $1',
  ],
  [
    `((?:put|move) .+? (?:on|to|in)) (?:an? )?${SCREEN} (?:by (?:itself|themselves)|of (?:its|their) own|alone)`,
    '$1 its own screen',
  ],
  // "The name should be split into first and last name"
  ...PASSIVES.map(([done, verb]): Spelling => [
    `(?:the )?(.+?) (?:should|must|can|needs? to|has to|have to) be ${done}(?: from the form)?( .+)?`,
    `${verb} $1$2`,
  ]),
  [
    `(?:make|have|keep) (?:only )?(?:the |la )?first ${SCREEN} (?:(?:with|ask|for|have) )?(?:only|just) (.+)`,
    'put $1 on the first screen and the rest on the second',
  ],
  [
    `(?:do not|don['’]t|never) (?:make|mark|keep) (.+?)(?: as)? (?:required|mandatory)`,
    'make $1 optional',
  ],
  [
    '(?:reduce|cut|trim|strip|shorten)(?: it| the form)?(?: down)? to (?:only |just )?(.+)',
    'keep only $1',
  ],
  ['change order(?: to)?:? (.+)', 'change the order: $1'],
  ['(.+) in (?:this|that|the following) order', 'change the order: $1'],
  [
    '(?:put )?(?:the )?(?:fields|questions) in (?:this|the following) order: (.+)',
    'change the order: $1',
  ],
  [
    `((?:everything|all(?: (?:the )?(?:fields|questions))?|todo) (?:(?:is|are|es) )?${WISHED})`,
    'make $1',
  ],
  [
    '(?!(?:add|ask|put|use|include|have|replace|change|make|move|set|mark|rename|show|hide|limit|require|remove|delete|keep|let|agrega|pide|pon|cambia|haz|mueve|quita) )([^,:]+?) (?:instead of|en lugar del?|en vez del?) (.+)',
    'replace $2 with $1',
  ],
  [
    '(?!add|ask|put|use|make|move|change|rename|remove)([^,:]{1,40}, then [^:]+)',
    'change the order: $1',
  ],
  [
    `(?:i|we)(?:['’]d| would)? (?:like|want|need) (${COUNT}|[2-5]) ${SCREEN}s`,
    'split it into $1 screens',
  ],
  ['(?:pon|deja|mueve) (.+?) como (?:la |el )?primer[oa]?(?: pregunta| campo)?', 'put $1 first'],
  ['(?:pon|deja|mueve) (.+?) como (?:la |el )?últim[oa](?: pregunta| campo)?', 'put $1 last'],
]
