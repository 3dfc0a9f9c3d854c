import { plain } from '../forms/form.ts'

const SEVERAL =
  /^(?:let (?:them|people|(?:the |our )?(?:customers?|users?|clients?|guests?)) (?:pick|choose|select)|(?:they|you|one|people|(?:the |our )?(?:customers?|users?|clients?|guests?)) (?:can|may|could) (?:pick|choose|select|tick|check|take)|(?:(?:los |las )?(?:clientes?|usuarios?|personas) )?(?:se )?pueden? (?:elegir|escoger|seleccionar|marcar)) (?:several|multiple|many|more than one|any|as many as (?:they|you) (?:like|want|wish)|varios|varias|mas de un[oa])(?: (?:of (?:them|these|those)|options|choices|answers|opciones|respuestas|de ell[oa]s))?[\s.!]*$/

/** Whether a sentence only says that several of the choices before it may be chosen. */
export function isSeveral(sentence: string): boolean {
  return SEVERAL.test(plain(sentence))
}
