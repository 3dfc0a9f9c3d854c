import { JOINED } from '../words/lists.ts'
import { kindNamed } from '../words/words.ts'

/** "Between 9am and 6pm": no choice, but when. */
const TIMES =
  /\b((?:between|entre) \d{1,2}(?::\d\d)? ?(?:[ap]m|h)?) (and|y) (\d{1,2}(?::\d\d| ?(?:[ap]m|h)\b))/gi
const OR_OLDER =
  /\b(\d{1,3}) (or|o) (older|over|above|more|younger|under|less|mayor(?:es)?|más|menos)\b/gi
/** Agreements and the like that have "and" in them. */
const TOGETHER =
  /\b(terms|food|pros|have read|inside|bride|mom|mum|black|blanco|calle|bases|términos|terminos|ventajas) (and|&|y) (conditions|drinks?|cons|out(?:side)?|groom|dad|white|negro|n[uú]mero|accept|agree|understood?|condiciones|desventajas)\b/gi

/** "Parent or guardian" is whoever of them. */
const EITHER_OF =
  /\b(parent|mother|father|padre|madre) (or|o) (guardian|father|mother|tutora?|madre|padre|apoderad[oa])\b/gi

/** "Screenshot or video" is one file. */
const EITHER_FILE =
  /\b(photos?|pictures?|images?|screenshots?|fotos?|imagen) (or|o|and\/or) (?=(?:an? |un )?v[ií]deos?\b)/gi

/** "Dents or scratches (yes/no)" */
const EITHER_ASKED =
  /(?<=^|[,;:.\n] ?)(\p{L}{2,20}) (or|o|u) (?=\p{L}{2,20} \((?:yes ?\/ ?no|s[ií] ?\/ ?no)\))/gimu

/** "¿Reembolso o cambio?" */
const EITHER = /¿[^?,;\n]{1,60} [ou](?= [^?,;\n]{1,60}\?)/giu

/** "Retail, Food & Beverage, Services" */
const AMPERSAND =
  /(?<=[,:(] ?)((?:\p{L}{2,20} )?\p{L}{2,20}) & (\p{L}{2,20}(?: \p{L}{2,20})?)(?=,)/gu

/** A prompt in which parts that belong together are protected against being split. */
export function withJoined(prompt: string): string {
  return prompt
    .replace(OR_OLDER, `$1 $2${JOINED} $3`)
    .replace(/\b(more|más) (or|o) (less|menos)(?!\p{L})/giu, `$1 $2${JOINED} $3`)
    .replace(EITHER_FILE, `$1 $2${JOINED} `)
    .replace(EITHER_ASKED, `$1 $2${JOINED} `)
    .replace(EITHER_OF, `$1 $2${JOINED} $3`)
    .replace(TIMES, `$1 $2${JOINED} $3`)
    .replace(/\b(between|entre) (\d{1,2}) (?:and|y) (\d{1,2})\b/gi, 'from $2 to $3')
    .replace(EITHER, `$&${JOINED}`)
    .replace(TOGETHER, `$1 $2${JOINED} $3`)
    .replace(AMPERSAND, (found, one: string, other: string) =>
      kindNamed(one) === null && kindNamed(other) === null ? `${one} &${JOINED} ${other}` : found,
    )
}

const QUOTED = /"[^"\n]*"/g

/** Changes a text but for what is quoted in it. */
export function outsideQuotes(text: string, change: (bare: string) => string): string {
  const quoted: string[] = []
  const bare = text.replace(QUOTED, (found) => `"${quoted.push(found) - 1}"`)
  return change(bare).replace(/"(\d+)"/g, (found, at: string) => quoted[Number(at)] ?? found)
}
