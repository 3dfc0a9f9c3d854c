import { capitalised } from '../forms/form.ts'

const SUBJECT =
  '(?:they|(?:the )?(?:customers?|users?|clients?|guests?|patients?|members?|leads?|students?|visitors?|attendees?))'
/** "They'd recommend us", "the customer is new": the verb comes first in a question. */
const AUXILIARY = new RegExp(
  `^${SUBJECT}(?:\\s+(?<verb>would|will|can|could|should|may|are|is|were|was|ha(?:ve|s|d)(?= (?:(?:ever|already|recently) )?(?:been|had|seen|done|gone|made|taken|given|bought|\\w+ed)\\b))|(?<short>['’](?:d|ll|re|ve)))\\s+(?!to\\b)(?<rest>.+)$`,
  'i',
)
const SPANISH_SUBJECT = /^(?:el|la|los|las) (?:clientes?|usuari[oa]s?|pacientes?|huésped(?:es)?) /i
const ITS = /^(?:it|this)(?:['’]s|\s+is)\s+(.+)$/i
/** "We can contact them" */
const OURS = /^we (can|may|should|could) (.+)$/i
/** "Gift wrapping is needed" */
const OF_THING =
  /^(?!(?:they|you|we|it|this|who|the (?:customers?|users?|clients?|guests?|patients?|members?|leads?|students?|visitors?|attendees?)|customers?|users?|clients?|guests?)\s)((?:the |their |an? )?(?:[\p{L}-]{2,20} ){0,3}[\p{L}-]{2,20}) (is|are|was|were) (\p{L}{2,20})$/iu
/** "They smoke", "they took it" */
const DOING = new RegExp(`^${SUBJECT}\\s+(?<verb>[a-z]{2,20})(?<rest>\\s.+)?$`, 'i')
const PAST: Record<string, string> = {
  ...{ had: 'have', came: 'come', went: 'go', got: 'get', bought: 'buy', found: 'find' },
  ...{ heard: 'hear', saw: 'see', met: 'meet', knew: 'know', chose: 'choose', left: 'leave' },
  ...{ made: 'make', took: 'take', paid: 'pay', did: 'do', felt: 'feel', lost: 'lose' },
  ...{ visited: 'visit', used: 'use', tried: 'try', ordered: 'order', attended: 'attend' },
  ...{ received: 'receive', contacted: 'contact', enjoyed: 'enjoy', liked: 'like' },
  ...{ booked: 'book', purchased: 'purchase', registered: 'register', arrived: 'arrive' },
}
const FULL: Record<string, string> = {
  ...{ "'d": 'Would', "'ll": 'Will', "'re": 'Are', "'ve": 'Have', is: 'Are', has: 'Have' },
  was: 'Were',
}

/** "How customers heard about us" */
const THOSE =
  /^(what|how|why|where|when|who|which \w+) (?:the )?(?:customers|users|clients|guests|people|patients|members)\b/i
const THEY = /^(?:what|how|why|where|when|who|which \w+) they\b/i

/** Whether some words ask something about customers: "how they heard about us". */
export function isOfCustomers(said: string): boolean {
  return THOSE.test(said) || THEY.test(said)
}

const THEM = /\bthem\b/gi
/** Behind these, "them" are others: "how they want to receive them", but not "how they want us to call them". */
const THEY_DO = /\bthey\b(?!.*\b(?:us|we|with|for|someone)\b)/i

/** What a customer is asked, of words that speak of customers: "what they like" is "what you like". */
export function addressed(said: string): string {
  return said
    .replace(THEM, (found, at: number, all: string) =>
      THEY_DO.test(all.slice(0, at)) ? found : 'you',
    )
    .replace(THOSE, '$1 you')
    .replace(/\bthey(?=\b|['’])/gi, 'you')
    .replace(/\btheir\b/gi, 'your')
}

/** The question of whether something is so: "they smoke" is "Do you smoke?" */
export function askedWhether(said: string): string {
  const its = ITS.exec(said)?.[1]
  if (its !== undefined) return `${/^been\b/i.test(its) ? 'Has' : 'Is'} it ${addressed(its)}?`
  const [, may = '', us = ''] = OURS.exec(said) ?? []
  if (may !== '') return `${capitalised(may)} we ${addressed(us)}?`
  const thing = OF_THING.exec(said)
  if (thing) return `${capitalised(thing[2] ?? '')} ${addressed(thing[1] ?? '')} ${thing[3]}?`
  const { verb, short, rest = '' } = AUXILIARY.exec(said)?.groups ?? {}
  const auxiliary = (verb ?? short)?.toLowerCase().replace('’', "'")
  if (auxiliary !== undefined) {
    const first = FULL[auxiliary] ?? auxiliary
    return `${capitalised(first)} you ${addressed(rest)}?`
  }
  const { verb: done = '', rest: more = '' } = DOING.exec(said)?.groups ?? {}
  const past = PAST[done.toLowerCase()]
  if (past !== undefined) return `Did you ${past}${addressed(more)}?`
  if (done === '' || /(?<!ne)ed$/i.test(done)) return addressed(said)
  const base = done === 'has' ? 'have' : done.replace(/(?<=[^s])s$/, '')
  return `Do you ${base}${addressed(more)}?`
}

/** The question of whether something is so, in Spanish: "el cliente quiere factura" is "¿Quiere factura?" */
export function askedInSpanish(said: string): string {
  return `¿${capitalised(said.replace(SPANISH_SUBJECT, ''))}?`
}
