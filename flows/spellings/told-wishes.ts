import { outsideQuotes } from './protected.ts'

const WISH = '(?:optional|required|mandatory|opcional(?:es)?|obligatori[oa]s?|requerid[oa]s?)'
const THING =
  "((?:the |their |an? |el |la |los |las )?(?:[\\p{L}'’-]{1,20} ){0,2}?[\\p{L}'’-]{1,20})"
const START = '(?<=^|[.;\\n] ?)'
const UNTIL = '(?=[.;\\n]|$)'

/** "The phone; the address is optional" */
const APART = [
  `(?<!${WISH}[^.;\\n]{0,40}); (?!(?:it|this|that|they|these)\\b)(?=[^.;:?\\n]{1,60} (?:is|are|es|son) (?:not )?${WISH}\\b)`,
  '.\n',
] as const

const SPELLINGS = (
  [
    [` [-–—] ((?:both|all|todos|todas|ambos|ambas) (?:are |son )?${WISH}) [-–—] `, ' ($1) '],
    ['\\bnon-?(?:mandatory|required|obligatory|compulsory)\\b', 'optional'],
    ['\\b(?:compulsory|obligatory)\\b', 'required'],
    ['\\b(is|are) (?:an? )?(?:must(?:[- ]haves?)?)(?=[.;,\\n]|$)', '$1 required'],
    [
      '\\b(is|are) (?:an? )?(?:nice[- ]to[- ]haves?(?=[.;,\\n]|$)|(?:plus|bonus)(?=[.;\\n]|$))',
      '$1 optional',
    ],
    [`${START}must[- ]haves?:`, 'Required:'],
    [`${START}nice[- ]to[- ]haves?:`, 'Optional:'],
    ['(?<=\\p{L}) obligatoriamente(?=[.;,\\n]|$| (?:y|e) )', ' obligatorio'],
    ['(?<=\\p{L}) de (?:forma|manera) (opcional|obligatori)a?(?=[.;,\\n]|$| (?:y|e) )', ' $1'],
    ['(?<=\\p{L}) for sure(?=[.;,\\n]|$)', ''],
    [
      `${START}(?:at (?:least|(?:the )?minimum)|como m[ií]nimo|al menos),? (?=\\p{L})(?!(?:one|two|three|una?|dos|tres)\\b)`,
      '',
    ],
    [`\\((?=(?:don['’]t|do not) (?:require|make)\\b)([^()\\n]*)\\)`, '. $1. '],
    [
      "\\((?:(?:can|may) be (?:left |skipped|omitted)?(?:blank|empty|out)?|(?:skip|leave (?:it )?(?:blank|empty)|leave out|omit)(?: (?:it )?if (?:none|not applicable|n/a|they (?:have none|don['’]t have (?:one|any))))?|ideally|if possible|preferably|puede (?:dejarse|quedar)(?:se)? (?:en blanco|vac[ií]o)|si es posible)\\)",
      '(optional)',
    ],
    [
      '(?<=\\p{L}), which (?:must be (?:filled in|given|provided)|(?:is|are) (?:required|mandatory)),',
      ' (required),',
    ],
    APART,
    // "Gym trial: name and goal are mandatory"
    [
      `^([^:.;,\\n]{2,40}): (?=[^:.;,\\n]{1,60} (?:is|are|es|son) (?:not )?${WISH}${UNTIL})(?!(?:only|just|solo|sólo)\\b)`,
      '$1.\n',
    ],
    // "All fields are required except the notes: name, phone, notes"
    [
      `^([^:.;,\\n]{1,60}\\b${WISH}(?: (?:except|but|besides|menos|excepto|salvo) [^:.;\\n]{1,40})?): (?=[^.\\n]*,)(?<!(?:fields|campos|^${WISH}): )`,
      '$1.\nFields: ',
    ],
    [
      `${START}(?:make|mark) (?:all|everything|all (?:the )?fields) (${WISH}): (?=[^.\\n]*,)`,
      'All fields are $1.\nFields: ',
    ],
    [
      '\\b(optional|required|mandatory) (?:besides|other than|apart from|aside from) ',
      '$1 except ',
    ],
    [
      `[;,.]? ?\\b(?:and |but )?(?:nothing|none(?: of (?:them|it|these))?|no fields?) (?:is|are) (?:required|mandatory)${UNTIL}`,
      '.\nAll fields are optional',
    ],
    [
      `(?:[;,.]? ?(?:and |but )?)(?:don['’]t|do not) (?:force|oblige|require) (?:them|people|customers) to (?:answer|fill in|give) (?:anything|everything|all of (?:it|them)|all (?:the )?(?:fields|questions))${UNTIL}`,
      '.\nAll fields are optional',
    ],
    // "The phone can be skipped", "they may leave the phone blank", "it's fine if they don't give the phone"
    [
      `${THING} (?:can|may|could) be (?:skipped|left (?:blank|empty|out)|omitted)${UNTIL}`,
      '$1 is optional',
    ],
    [
      `${START}(?:they|people|customers|users) (?:can|may|could|should be able to|must be able to) (?:skip|omit|leave(?= [^.;\\n]* (?:blank|empty|out)${UNTIL})) ${THING}(?: (?:blank|empty|out))?${UNTIL}`,
      '$1 is optional',
    ],
    [
      `${START}(?:it['’]s|it is|that['’]s) (?:ok(?:ay)?|fine|no problem|alright) if (?:they|people|customers|users) (?:do not|don['’]t|cannot|can['’]t) (?:give|have|leave|enter|provide|share|fill in|know) ${THING}${UNTIL}`,
      '$1 is optional',
    ],
    [
      `(?:${START}|,? (?:and|but) )(?:don['’]t|do not) (?:make ${THING} (?:required|mandatory)|require ${THING})${UNTIL}`,
      '.\n$1$2 is optional',
    ],
    [
      `${START}${THING} (?:should|must|need)(?: not|n['’]t) be (?:required|mandatory)${UNTIL}`,
      '$1 is optional',
    ],
    [
      `${START}s[oó]lo (?:es|son) (obligatori[oa]s?|requerid[oa]s?) ([^.;:\\n]{1,60})${UNTIL}`,
      'Solo $2 es $1',
    ],
    // "Name, phone and, optionally, a comment", "y, si quieren, un comentario"
    [
      `,? (?:and |y |e )?(?:optionally|opcionalmente),? ${THING} (?:and|y|e) ${THING}${UNTIL}`,
      ', $1 (optional), $2 (optional)',
    ],
    [
      `,? (?:and|y|e),? (?:(?:optionally|maybe|perhaps|possibly|opcionalmente|quiz[aá]s?|tal vez|de (?:manera|forma) opcional),?|(?:if possible|if (?:they|you) (?:like|want|wish|feel like (?:it|doing so))|de ser posible|si es posible|si (?:quieren?|lo desean?|desean?)),) ${THING}(?=[.;,\\n]|$)`,
      ', $1 (optional)',
    ],
    // "A comment which is optional", "the phone being optional", "with the email optional"
    [
      `(?<=\\p{L}),? (?:which|that) (?:is|are) (optional|required|mandatory)(?=[.;,\\n]|$)`,
      ' ($1)',
    ],
    [
      `,? (?:with|where|con) ${THING} (?:being |is |as |siendo )?(optional|required|mandatory|opcional|obligatori[oa])${UNTIL}`,
      '.\n$1 is $2',
    ],
    [`(?<=\\p{L}) if available(?=[.;,\\n]|$)`, ' (optional)'],
    [
      `(?:;|,? (?:and|but))? (?:they |people |customers |users )?(?:may|can) (?:also )?(?:enter|add|give|leave) ${THING}(?=[.;,\\n]|$)(?<=(?:must|need to|have to) [^.\\n]{1,120})`,
      ', $1 (optional)',
    ],
    // "Customers don't have to give an email", "name is required; email is not"
    [
      `${START}(?:they|people|(?:the )?(?:customers?|users?|clients?|guests?))(?: do not| don['’]t| does not| doesn['’]t) (?:have|need) to (?:give|enter|provide|fill in|leave|share) ${THING}${UNTIL}`,
      '$1 is optional',
    ],
    [
      `(?<=\\b(?:is|are) (?:required|mandatory))(?:[.;,] ?|,? )(?:but |and )?${THING} (?:(?:is|are) not|(?:is|are)n['’]t)${UNTIL}`,
      '.\n$1 is optional',
    ],
    [
      `${START}${THING} puede (?:quedar(?:se)?|dejarse|estar) (?:en blanco|vac[ií][oa])${UNTIL}`,
      '$1 es opcional',
    ],
    // "Everything else is optional: phone, notes", "other fields (phone, notes) optional"
    [
      `[;,.]? ?\\b(?:and |but |y )?(?:everything else|(?:the )?(?:rest|others?|other (?:fields|questions|details))|(?:todo )?lo demás|el resto)(?: (?:is|are|es|son))? (optional|opcional(?:es)?): (?=[^.\\n]*)`,
      '.\n$1: ',
    ],
    [
      `[;,.]? ?\\b(?:and |but )?(?:(?:the )?(?:other (?:fields|questions|details)|rest)|everything else|lo demás|el resto) \\(([^()\\n]*,[^()\\n]*)\\)(?: (?:is|are|es|son))? (optional|opcional(?:es)?)${UNTIL}`,
      '.\n$2: $1',
    ],
    // "Let people submit without a phone", "the phone is not needed to submit"
    [
      `${START}(?:let|allow) (?:them|people|customers|users)(?: to)? (?:submit|send|continue|finish) (?:it |the form )?without (?:giving |an? )?${THING}${UNTIL}`,
      '$1 is optional',
    ],
    [
      `${START}${THING} (?:(?:is|are) not|(?:is|are)n['’]t) (?:needed|necessary|required) to (?:submit|send|continue|finish)(?: it| the form)?${UNTIL}`,
      '$1 is optional',
    ],
    ['\\b((?:only|just|solo|sólo) [^.;:\\n]{1,60} (?:is|are)) needed(?=[.;\\n]|$)', '$1 required'],
    [
      `${START}${THING} (?:is |are )?not (?:needed|required|mandatory) if (?:they|people|customers) (?:do not|don['’]t) have (?:one|it|any)${UNTIL}`,
      '$1 is optional',
    ],
    [
      `\\(both ${THING} and ${THING} (?:are )?(optional|required|mandatory)\\)`,
      '.\n$1 and $2 are $3. ',
    ],
    // "The email too, but it's optional", "though it isn't required"
    [
      `(?<=\\p{L})(?: too| as well| también)?,? (?:but|and|though|although|pero|aunque) (?:(?:it|that)(?:['’]s| is)|es) (${WISH}|not (?:required|mandatory))${UNTIL}`,
      ' ($1)',
    ],
    [
      `(?<=\\p{L})(?: too| as well| también)?,? (?:but|and|though|although|pero|aunque) (?:(?:it|that) isn['’]t (?:required|mandatory)|no es obligatori[oa])${UNTIL}`,
      ' (optional)',
    ],
    // "The phone must be filled in"
    [
      '(?<=\\p{L})(?<!\\b(?:at least|at most|up to|exactly) [^.;\\n]{0,60}) (?:must|should|has to|have to|needs? to) be (?:filled(?: in| out)?|given|provided|entered|completed|answered|chosen|selected|picked)(?=[.;,\\n]|$)',
      ' are required',
    ],
    APART,
  ] as const
).map(([pattern, other]) => [new RegExp(pattern, 'gimu'), other] as const)

/** A text in which what need not be given, or must be, is told as "The phone is optional" tells it. */
export function withToldWishes(text: string): string {
  return outsideQuotes(text, (bare) =>
    SPELLINGS.reduce((told, [pattern, other]) => told.replace(pattern, other), bare),
  )
}
