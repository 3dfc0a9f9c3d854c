import { ADD, REMOVE, type Spelling } from './edit-words.ts'

const OPTIONS = '(?:options?|choices?|values?|items?)'

/** Ways to speak of what one may choose as of the options of a component. */
export const OPTION_SPELLINGS: readonly Spelling[] = [
  // "Add three radio options to the plan: monthly, yearly", "reorder size options: L, M, S"
  [
    `${ADD} (?:two |three |four |five |\\d )?(?:radio|drop-?down|new|more) ${OPTIONS} to (?:the )?(.+?): (.+)`,
    'add the options $2 to $1',
  ],
  [
    `(?:re-?order|rearrange|change the order of) (?:the )?(.+?) ${OPTIONS}(?: to|:) (.+)`,
    'change the options of $1 to $2',
  ],
  ['(?:change|set|update) (?:the )?(.+?) labels to (.+,.+)', 'change the options of $1 to $2'],
  ['(?:allow|let) only one (.+?) (?:to )?be (?:selected|chosen|picked)', 'allow only one $1'],
  // 'Update the size to include "XL"', 'add "Other" to the end of the size options'
  [
    `(?:change|update|set) (?!.*\\b${OPTIONS}\\b)(?:the )?(.+?) to (?:also )?include (.+)`,
    'add the options $2 to $1',
  ],
  [
    `${ADD} (.+?) (?:to|at) the end of (?:the )?(.+?) (?:${OPTIONS}|list)`,
    'add the option $1 to $2',
  ],
  // "Change the size to have the options S, M", 'update size options: replace "S" with "Small"'
  [
    `(?:change|set|update) (?:the )?(.+?) to (?:have|include|offer|show) (?:the )?(?:following )?${OPTIONS}:? (.+)`,
    'change the options of $1 to $2',
  ],
  [
    `(?:change|set|update) (?:the )?(.+?)(?:['’]s?)? ${OPTIONS}: (?:replace|rename|change) (.+?) (?:with|to|by) (.+)`,
    'rename $2 to $3 in $1',
  ],
  [
    `(?:change|set|update) (?:the )?(.+?)(?:['’]s?)? ${OPTIONS}: ${ADD} (.+)`,
    'add the options $2 to $1',
  ],
  [
    `(?:change|set|update) (?:the )?(.+?)(?:['’]s?)? ${OPTIONS}: ${REMOVE} (.+)`,
    'remove $2 from $1',
  ],
  [
    `(?:the )?(.+?)(?: list| ${OPTIONS})? (?:should|must) be (?:sorted|ordered|listed) (?:alphabetically|a ?(?:-|to) ?z|(?:in|by) alphabetical order)`,
    'sort $1 alphabetically',
  ],
  // "Remove Student from ticket type options", 'rename size option "S" to "Small"'
  [`(${REMOVE} .+? (?:from|in) (?:the )?.+?) ${OPTIONS}`, '$1'],
  [
    `(rename|change|relabel|update|edit) (?:the )?(?!label|name|text|title|button)([^"“«]+?) (?:option|choice|value) (["“«].+["”»] (?:to|as) ["“«].+["”»])`,
    '$1 $3 in $2',
  ],
  [
    `(?:update|change|edit|set|modify) (?:the )?(.+?)(?:['’]s?)? ${OPTIONS} to (?:include|add|show|have) (?:the )?(?:prices?|emojis?|icons?|numbers)(?: in (?:the|their) labels?)?: (.+)`,
    'change the options of $1 to $2',
  ],
  [
    `(?:update|change|edit|modify) (?:the )?(.+?)(?:['’]s?)? ${OPTIONS} to (?:also )?(?:include|add|have) (.+)`,
    'add the options $2 to $1',
  ],
  [
    `${ADD} (?:the )?(?:prices?|emojis?|icons?) (?:to|in) (?:the )?(.+?)(?:['’]s?)?(?: ${OPTIONS})?: (.+)`,
    'change the options of $1 to $2',
  ],
  [
    `(?:the )?(.+?)(?:['’]s?)? ${OPTIONS} (?:should|must) (?:now )?(?:only )?be:? (?:only )?(.+?)(?:,? only)?`,
    'change the options of $1 to $2',
  ],
  [
    '(?:re-?order|rearrange|sort)(?: (?:it|them|the (?:options|choices|list|fields)))? (?:so(?: that)?|such that) (.+?) (?:comes|is|goes|appears|stands)(?: at the)? (first|last)',
    'put $1 $2',
  ],
  [
    `(?:change|put|sort|order) (?:the )?(?:order of )?(?:the )?(.+?)(?: ${OPTIONS})? (?:alphabetically|(?:in|into) alphabetical order)`,
    'sort $1 alphabetically',
  ],
  [
    '(?:make|set) (.+?) (?:as )?the (first|last) (?:option|choice) (?:in|of|for) (.+)',
    'put $1 $2 in $3',
  ],
  [
    `(${ADD} .+?) as the (?:last|final) (?:option|choice) (?:in|of|for|to) (.+)`,
    '$1 to the options of $2',
  ],
  // "Set the size to allow multiple selections", "turn the phone into an optional field"
  [
    '(?:set|change|update|configure) (?:the )?(.+?) to (?:allow|accept|support) (?:multiple|several|more than one)(?: (?:selections?|choices?|answers?|options?))?',
    'allow several $1',
  ],
  [
    `(${ADD} .+? (?:with|with the) (?:${OPTIONS} )?.+?),? ((?:after|before|below|above) (?:the )?["“«]?[^,"”»]+["”»]?)`,
    '$1 $2',
  ],
]
