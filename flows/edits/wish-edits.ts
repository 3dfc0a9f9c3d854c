import { fieldNamed, marked, markedAlone, markedExcept } from './changes.ts'
import { A_FIELD, type Edit, EXCEPT, rule, WISH } from './edit-words.ts'

const MAKE =
  "(?:make|mark|keep|leave|change|set|(?:(?:i|we)(?:['’]d| would)? )?(?:want|need|like)|haz(?: que)?|pon|marca|cambia|quiero que|necesito que)"

/** What instructions can ask about what must be filled in. */
export const wishEdits: readonly [RegExp, Edit][] = [
  [
    rule(
      `(?:all|everything|todos|todo|todas)(?: (?:the |los )?(?:fields|questions|campos))? ${EXCEPT} (.+?) (?:is|are|should be|must be|es|son) ${WISH}`,
    ),
    ([, except = '', said = ''], form) => markedExcept(form, said, except),
  ],
  [
    rule(
      `(?:make )?(?:(?:all|each)(?: of (?:them|it))?|every(?:thing)?|todos?|todas?)(?: (?:the |los |las )?(?:fields?|questions?|campos|preguntas))? (?:is|are|should be|must be|es|son|debe ser|deben ser) ${WISH}`,
    ),
    ([, said = ''], form) => marked(form, 'all', said),
  ],
  [
    rule(`(?:nothing|no field|nada) (?:should be|must be|is|es|debe ser) ${WISH}`),
    ([, said = ''], form) => marked(form, 'all', `not ${said}`),
  ],
  [
    rule(
      `${A_FIELD} (?:(?:should|must) be |(?:is|are) |debe ser |es |son )?${WISH}(?:,? (?:and|but|y|pero)|,) ${A_FIELD} (?:(?:should|must) be |(?:is|are) |debe ser |es |son )?${WISH}`,
    ),
    ([, one = '', said = '', other = '', saidOther = ''], form) => {
      if (!fieldNamed(form, one) || !fieldNamed(form, other)) return undefined
      const after = marked(form, one, said)
      return after && marked(after, other, saidOther)
    },
  ],
  [
    rule(
      `(?:remove|drop|take (?:off|away)|unset) (?:the )?(?:required|mandatory)(?: flag| mark| attribute| status| validation)? (?:from|on|for|of) ${A_FIELD}`,
    ),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  [
    rule(`(?:make|haz) ${A_FIELD} (?:an? |una? )${WISH} (?:field|question|one|campo|pregunta)`),
    ([, of = '', said = ''], form) => marked(form, of, said),
  ],
  [
    rule(
      `(?:allow|let) (?:them|people|customers|users|clients) (?:to )?leave ${A_FIELD} (?:empty|blank|out)`,
    ),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  [
    rule(
      `(?:customers|they|people|users|clients) (?:must|have to|need to|should) (?:give|provide|enter|fill in|answer|choose) ${A_FIELD}`,
    ),
    ([, of = ''], form) => marked(form, of, 'required'),
  ],
  [
    rule(
      `(?:make |mark |set |haz(?: que)? |pon |marca |deja )?(?:only|just|solo|sólo) ${A_FIELD} (?:should be |must be |is |are |be |debe ser |deben ser |es |son )?${WISH}`,
    ),
    ([, of = '', said = ''], form) => markedAlone(form, of, said),
  ],
  [
    rule(
      `(?:make|mark|set|haz|pon) (?:all|everything|todos?|todas?)(?: (?:the |los )?(?:fields|campos))? ${WISH} ${EXCEPT} (.+)`,
    ),
    ([, said = '', except = ''], form) => markedExcept(form, said, except),
  ],
  [
    rule(`(?:make|mark|haz|pon|deja) ${WISH} ${A_FIELD}`),
    ([, said = '', all = ''], form) => marked(form, all, said),
  ],
  [
    rule(
      `${MAKE} ${A_FIELD} ${WISH}(?:,? (?:and|but|y|e|pero)|,) ${A_FIELD} ${WISH}(?: too| as well| también)?`,
    ),
    ([, one = '', said = '', other = '', saidOther = ''], form) => {
      const after = marked(form, one, said)
      return after && marked(after, other, saidOther)
    },
  ],
  [
    rule(`${MAKE} ${A_FIELD}(?: sean?)?(?: as| to(?: be)?| como| a)? ${WISH}`),
    ([, of = '', said = ''], form) => marked(form, of, said),
  ],
  [
    rule(
      `(?:allow|let|permite a) (?:them|people|customers|users|clients|los clientes|los usuarios) (?:to )?(?:skip|leave out|omitir) ${A_FIELD}`,
    ),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  [
    rule(
      `(?:(?:let|have) ${A_FIELD}|${A_FIELD} (?:should|must|can|is to|debe|deben|puede)) (?:be|ser) ${WISH}`,
    ),
    ([, allowed = '', of = allowed, said = ''], form) => marked(form, of, said),
  ],
  [
    rule(
      `${A_FIELD} (?:(?:should|need|must)(?: not|n['’]t)|(?:does|do)(?: not|n['’]t) (?:have|need) to|no debe|no deben|no tienen? que) (?:be|ser) (required|mandatory|obligatori[oa]s?)`,
    ),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  [
    rule(
      `(?:(?:require|exige|exigir) ${A_FIELD}|${A_FIELD} (?:must|has to|should|needs to) be (?:filled(?: in| out)?|given|answered|entered|provided))`,
    ),
    ([, required = '', of = required], form) => marked(form, of, 'required'),
  ],
  [
    rule(`(?:(?:do not|don['’]t|no longer|never) require|no exijas) ${A_FIELD}(?: any ?more)?`),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
  [
    rule(`(?:release|libera|liberar) ${A_FIELD}`),
    ([, of = ''], form) => marked(form, of, 'optional'),
  ],
]

/** The same, said of a field: "the phone is optional". */
export const saidEdits: readonly [RegExp, Edit][] = [
  [
    rule(
      `${A_FIELD} (?:(?:is|are) no longer|(?:does not|doesn['’]t|do not|don['’]t) need to be|ya no (?:es|son)) (?:required|mandatory|obligatori[oa]s?)|${A_FIELD} (?:(?:is|are)(?: not|n['’]t) (?:necessary|compulsory)|no (?:es|son) necesari[oa]s?)(?: any ?more)?`,
    ),
    ([, required = '', of = required], form) => marked(form, of, 'optional'),
  ],
  [
    rule(`${A_FIELD} (?:is|are|es|son)(n['’]t)? ${WISH}(?: any ?more| now)?`),
    ([, of = '', not, said = ''], form) =>
      marked(form, of, not === undefined ? said : `not ${said}`),
  ],
]
