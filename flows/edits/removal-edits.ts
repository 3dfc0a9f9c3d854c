import { kept, removed, removedBeside } from './changes.ts'
import { A_FIELD, BESIDE, type Edit, EXCEPT, REMOVE, rule, THE } from './edit-words.ts'

/** What instructions can ask to leave out. */
export const removalEdits: readonly [RegExp, Edit][] = [
  [
    rule(
      `(?:make (?:it|the (?:form|flow)) (?:shorter|simpler|smaller|brief(?:er)?)[:,;]? (?:only|just)|${REMOVE} (?:everything|all(?: (?:other )?fields)?|todo(?: lo demás)?) ${EXCEPT}|keep only|only keep|(?:only|just) ask for|ask only for|deja (?:solo|sólo)|(?:solo|sólo) pide) ${THE}(.+)`,
    ),
    ([, what = ''], form) => kept(form, what),
  ],
  [
    rule(
      `(?:(?:do not|don['’]t|never|stop) (?:ask|collect|request)(?:ing)?(?: for| about)?|no (?:pidas|pidan|preguntes|pregunten)(?: por)?|deja de pedir) ${A_FIELD}(?: any ?more)?`,
    ),
    ([, what = ''], form) => removed(form, what),
  ],
  [
    rule(
      `(?:(?:there(?:['’]s| is) )?no (?:more |longer )?need (?:for|to ask (?:for|about)) ${A_FIELD}(?: any ?more)?|(?:(?:i |we )?(?:do not|don['’]t|no longer) (?:need|want)|ya no (?:necesito|necesitamos|quiero|queremos)) ${A_FIELD}(?: any ?more)?|${A_FIELD} (?:(?:is|are) no longer needed|(?:is|are)(?:n['’]t| not) needed(?: any ?more)?|ya no hace falta))`,
    ),
    ([, needless, unwanted, what = ''], form) => removed(form, needless ?? unwanted ?? what),
  ],
  [
    rule(
      `${REMOVE} ${THE}(?:all |todos )?${THE}(?:optional fields|optional questions|campos opcionales)`,
    ),
    (_, form) => ({ ...form, fields: form.fields.filter(({ isRequired }) => isRequired) }),
  ],
  [
    rule(
      `${REMOVE} (?:everything|all(?: (?:the )?(?:fields|questions))?|todo(?: lo que (?:est[aá]|va|viene))?) ${BESIDE} ${A_FIELD}`,
    ),
    ([, where = '', beside = ''], form) => removedBeside(form, where, beside),
  ],
  [rule(`(?:${REMOVE}|no|without|sin) ${A_FIELD}`), ([, what = ''], form) => removed(form, what)],
]
