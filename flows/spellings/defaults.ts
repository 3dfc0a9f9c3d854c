import { markOf } from '../words/marks.ts'
import { kindNamed } from '../words/words.ts'

const DEFAULT =
  '(?:(?:(?:the |a |un |el )?(?:default(?:s|ing)?(?: value| answer| option)?|(?:valor |opción )?(?:por defecto|predeterminad[oa]))(?: is| to| of| es| de)?|pre-?filled (?:with|as)|pre-?selected(?: as)?|preset(?: to)?):?)'
const QUOTED = '["“«]([^"”»\\n]{1,80})["”»]'
/** "(S, M (default), L)" */
const MARKED =
  /\(([^()\n]*?)([^,;:()\n]{1,40}?) ?\((?:the )?(?:default|selected|pre-?selected|por defecto|predeterminad[oa])\)([^()\n]*)\)/giu
/** "(S, M, L; default M)", "(default: M)" */
const IN_BRACKETS = new RegExp(
  `\\((?:([^()\\n]*?) ?[,;–—-] ?)?${DEFAULT} ?(?:${QUOTED}|([^()",;:\\n]{1,40}))\\)`,
  'giu',
)
/** "(S, M, L; M by default)" */
const BEHIND =
  /\((?:([^()\n]*?) ?[,;–—-] ?)?([^(),;:\n]{1,40}?) (?:(?:is )?(?:the |by )default|por defecto)\)/giu
/** "Quantity, default 1" */
const OUTSIDE = new RegExp(
  `(?:,|,? (?:with|con))? ${DEFAULT} (?:${QUOTED}|([\\p{L}\\d][\\p{L}\\d-]{0,30}))(?=[,.;)\\n]|$| (?:and|y) )`,
  'giu',
)
/** "Size (S, M) with M as the default" */
const AS_DEFAULT =
  /,? (?:with|con) ["“«]?([^"”»,.;:()\n]{1,40})["”»]? (?:as (?:the )?(?:default|initial)(?: value)?|como (?:valor )?(?:predeterminado|por defecto))(?!\p{L})/giu
/** "The default size is M" */
const SAID =
  /(?<=^|[.;\n] ?)(?:the |el |la )?(?:default ((?:\p{L}{1,20} ){0,2}\p{L}{1,20})|((?:\p{L}{1,20} ){0,2}\p{L}{1,20}) (?:por defecto|predeterminad[oa])) (?:is|should be|es|debe ser):? ["“«]?([^"”»,.;:()\n]{1,40})["”»]?(?=[.;\n]|$)/giu

/** A text in which answers that are given beforehand stand as marks. */
export function withDefaults(text: string): string {
  return text
    .replace(MARKED, (_, before: string, initial: string, after: string) =>
      beside(before + initial + after, initial),
    )
    .replace(
      SAID,
      (_, thing?: string, cosa?: string, initial?: string) =>
        `\n${thing ?? cosa ?? ''} is (${markOf({ initial: initial?.trim() ?? '' })})`,
    )
    .replace(IN_BRACKETS, (_, rest?: string, quoted?: string, bare?: string) =>
      beside(rest, quoted ?? bare),
    )
    .replace(BEHIND, (_, rest?: string, initial?: string) => beside(rest, initial))
    .replace(AS_DEFAULT, (_, initial: string) => ` (${markOf({ initial })})`)
    .replace(OUTSIDE, outside)
}

function outside(found: string, quoted?: string, bare = ''): string {
  // "The default email" is none.
  const isThing = quoted === undefined && (kindNamed(bare) !== null || !/,|with|con /.test(found))
  return isThing ? found : ` (${markOf({ initial: quoted ?? bare })})`
}

function beside(rest = '', initial = ''): string {
  const mark = `(${markOf({ initial: initial.trim() })})`
  return rest.trim() === '' ? mark : `(${rest.trim()}) ${mark}`
}
