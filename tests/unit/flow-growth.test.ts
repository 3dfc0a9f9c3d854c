import { expect, it } from '@jest/globals'
import { generateByRules } from '../../flows/built-in.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

const PROMPT_MOST = 4_000

it.each([
  'if a ask b ',
  '. If a, ',
  '; if so ',
  ' only if ',
  '(only if a',
  '. The a is only needed for ',
  ', a otherwise',
  'unless not ',
  'a b c d e f if ',
  '? yes: a. ',
  'a: b, c\n',
  'need a b c? ',
  'which a b, c or d? ',
  'a and/or b ',
  '(sin a, b, c) ',
  'Name. Abc def. ',
  'a, b, each rated c or d. ',
  '? 😀 😐',
  ". Don't ask for a, b ",
  ', no a b ',
  ' without asking for a, ',
  'steps: 1) A b: c 2) ',
  'screens: A b (c), ',
  'abc & def, ',
  '(a and b, c ',
  '. Let them add a b ',
  'a – b, c (multiple ',
  'one of three a b ',
  ', rate these: a; ',
  'Show a note: "a',
  'a, b and c (both ',
  'optional a details (',
  'ab cd (ef (g, h), ',
  'steps: A b (c (d, e)), ',
  ' let guests rate ',
  ' where the guests can score a, ',
  '. Show a note that a ',
  ' users to change their a ',
  ' morning (8-12), ',
  ', a – b, c',
  ' in that order',
  ' in that case ask for ',
  ', hay alguien a',
  ', which a b: c, ',
  ' 9:00 ',
  ' before or after 9 ',
  '. Offer a slots b, ',
  ' collect a with name, ',
  ', guests adults/kids',
  '. First: a ',
  ', a details (b, c)',
  ' with options a, other',
  ' 3 options: ',
  ', not in the past ',
  ' rate a with stars',
  ' picks a b from c, d and e, gives ',
  '? a, b (pick all) ',
  ' with a, b and a field',
  ', 30/60 min',
  ' a is b ',
  ' rsvp. yes/no',
])(
  'takes no longer for each %j when there are many',
  async (part) => {
    const growth = await growthOf(Math.ceil(PROMPT_MOST / 16 / part.length), (times) => {
      const prompt = `Ask for email, type (a, b). ${part.repeat(times)}`
      return () => expect(generateByRules('form', prompt)).toEqual(expect.anything())
    })
    expect(growth).toBeLessThan(LINEAR_MOST)
  },
  60_000,
)
