import type { Language } from '../forms/form.ts'

/**
 * A kind of form: what it is called, in small letters without accents, and what it asks for, as people list it. `ofAny`
 * is what forms are called that are about anything: "Cake order" is an order.
 */
export type Kind = {
  named?: Record<Language, RegExp>
  ofAny?: Record<Language, RegExp>
  asks: Record<Language, string>
}

const FORM = '(?:forms?|flow|page|requests?|applications?|registrations?|sign[ -]?ups?)'
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

/** Words that say nothing of what a form is about, or that make a field of what stands behind them. */
const NO_TOPIC = '(?:of|for|to|from|in|on|at|the|an?|last|next|first|preferred|your|my)'

/** Named by what it is, behind what it is about in English, and before that in Spanish: "Cake order", "Pedido de torta". */
export function ofAny(en: string, es: string): Record<Language, RegExp> {
  return {
    en: new RegExp(
      `^(?:(?!${NO_TOPIC} )[\\w'’-]+ ){1,5}?(?:${en})s?(?: requests?)?(?: (?:form|flow|page))?(?: (?:for|from|with|about|on|by|at|after) .*)?$`,
    ),
    es: new RegExp(
      `^(?:(?:formulario|flujo) (?:de |para )?)?(?:${es})(?: (?:de|del|al?|con|para|en|la|el|los|las|una?|su|tu))* [\\w-]+(?: [\\w-]+){0,5}$`,
    ),
  }
}
