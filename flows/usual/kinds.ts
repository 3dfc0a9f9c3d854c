import type { Language } from '../forms/form.ts'

/** A kind of form: what it is called, in small letters without accents, and what it asks for, as people list it. */
export type Kind = { named: Record<Language, RegExp>; asks: Record<Language, string> }

const FORM = '(?:forms?|flow|page|requests?|applications?|registrations?|sign-?ups?)'
const FORMULARIO = '(?:formularios?|flujo|solicitud(?:es)?|registro)'

/** Named in English by some words anywhere, or by others beside "form" or the like, or where nothing else is said. */
export function english(anywhere: string, asForm = anywhere): RegExp {
  return new RegExp(
    `\\b(?:${anywhere})\\b|\\b(?:${asForm}) ${FORM}\\b|^(?:an? |the |our )?(?:${asForm})s?$`,
  )
}

/** The same in Spanish. */
export function spanish(anywhere: string, asForm = anywhere): RegExp {
  return new RegExp(
    `\\b(?:${anywhere})\\b|\\b${FORMULARIO} (?:de |del |para )(?:una? |la |el |los |las )?(?:${asForm})\\b|^(?:${asForm})$`,
  )
}
