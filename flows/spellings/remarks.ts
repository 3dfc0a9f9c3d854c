import { outsideQuotes } from './protected.ts'

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic)\\p{L}{0,7}\\.?'
const DAY = `(?:${MONTH} \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:st|nd|rd|th)?(?: (?:of|de))? ${MONTH})`
const UNTIL = '(?=[.,;\\n]|$| (?:and|y) )'

/** Ways to say more of a thing behind it, each in brackets; and of what kind its answer is, each behind it. */
const SPELLINGS = (
  [
    // "Name and phone, phone must start with +34"
    [
      '(?<!\\p{L})(\\p{L}{3,20}),? (?:and |but )?(?:the |their )?\\1 ((?:must|should|has to) (?!be (?:required|mandatory|optional))[^.;,\\n]{3,60})(?=[.;,\\n]|$)',
      '$1 ($2)',
    ],
    // "Date of birth, they must be at least 18"
    [
      `,? (?:and |but )?(?:they|who|customers|guests) (must be (?:at least|over) \\d{1,3}(?: years old)?)${UNTIL}`,
      ' ($1)',
    ],
    // "Party size, at most 8 people"
    [
      `(?<=\\b(?:party size|group size|guests|people|quantity|number of \\p{L}{3,20})),? ((?:at most|max(?:imum)?\\.?|up to|no more than|at least|min(?:imum)?\\.?) \\d{1,4})(?: (?:people|guests|persons|pax|units|pieces))?${UNTIL}`,
      ' ($1)',
    ],
    // "Date between June 1 and June 30"
    [`(?<=\\p{L}) (between|from|entre) (${DAY}) (and|to|y) (${DAY})${UNTIL}`, ` ($1 $2 $3 $4)`],
    ['\\bcheck-?in ?/ ?check-?out\\b(?! (?:date|time))', 'check-in, check-out'],
    // "A short answer for the name and a long answer for feedback", "name as short text"
    [
      '(?<!\\p{L})(?:an? )?short (?:answer|text|response|input)(?: (?:field|box))? for (?=\\p{L})',
      '',
    ],
    [`(?<=\\p{L}) as (?:an? )?(?:short|plain|simple|single-line) (?:text|answer)${UNTIL}`, ''],
  ] as const
).map(([pattern, other]) => [new RegExp(pattern, 'gimu'), other] as const)

/** A text in which what is said of a thing stands in brackets behind it. */
export function withRemarks(text: string): string {
  return outsideQuotes(text, (bare) =>
    SPELLINGS.reduce((told, [pattern, other]) => told.replace(pattern, other), bare),
  )
}
