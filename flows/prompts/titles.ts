import { capitalised } from '../forms/form.ts'
import { tidy } from '../words/words.ts'

const TITLES = [
  /\b(?:titled|entitled|with the title|title|headline|heading|called|titulad[oa]|llamad[oa]|título)\b:?\s*["“«]([^"”»]{1,80})["”»]/iu,
  /(?<=\b(?:form|survey|flow|formulario|encuesta|flujo) )(?:called|named|titled|titulad[oa]|llamad[oa]) ([\p{L}][^.,:;"“«()\n]{1,50}?)(?=\.|:| (?:with|that|to collect|asking|con|que)\b)/iu,
  /^\s*(?:form|survey|flow|formulario|encuesta)(?: name| title)?:\s*["“«]([^"”»]{1,80})["”»]/iu,
  /^\s*(?:form|survey|flow|formulario|encuesta|flujo)(?: name| title)?: ([^\n:,.;()?"]{1,60})(?:\n(?=\s*\S)|\.\s+(?=(?:please |then )?(?:ask|collect|fields?|questions?|include|capture|gather)\b))/iu,
  // The only heading of its kind, in Markdown.
  /^\s*#[ \t]+(?!(?:screen|page|step|pantalla|página|paso)(?!\p{L}))([^\n]{1,60}?)[ \t]*(?=\n\s*\S)(?!(?:[^\n]*\n)+#[ \t])/iu,
  /^\s*(?:title|título):\s*([^.,:/|\n]{1,60})(?:\.\s|\n)/iu,
  /(?<=\. )(?:title|título): (?!(?:text|string|required|optional|short|dropdown|opcional|texto)\b)([^.,:;/|()\n]{1,60})\.?\s*$/iu,
]

/** What a brief says of itself, and asks of nobody: "Audience: existing customers." */
const BRIEF =
  /(?<=(?:^|[.\n])[ \t]*)(?:user story: [^\n.]{1,200}|as an? \p{L}+, i (?:want|need|would like) to [^\n.]{1,200}|description: [^\n.;:()/]{1,120}(?=\.?\s+(?:fields|questions|inputs|screens?|steps?)\b)|(?:(?:(?:form|flow|survey)(?:['’]s)? )?(?:goal|purpose|objective|aim)(?: of (?:the|this) (?:form|flow|survey))?|use case|(?:target )?audience|context|background|tone|style|(?:objetivo|prop[oó]sito)(?: del (?:formulario|flujo))?|público|contexto|tono): [^\n.,;:()/]{1,120}|(?:the |our )?(?:goal|purpose|objective|aim|idea)(?: (?:of|for|behind) (?:the|this) (?:form|flow|survey))? is (?:to|for) [^\n.:;()]{1,120}(?=\.\s+(?:please |then )?(?:ask|collect|fields?|questions?|include|capture|gather|it (?:should|must))\b)|(?:language|idioma): (?:english|spanish|español|inglés))(?:\.(?=\s|$)|[ \t]*(?=\n|$))/giu

/** A prompt without the title that it gives to the form, and without what it says of itself. */
export function withoutTitle(prompt: string): string {
  const text = TITLES.reduce((rest, title) => rest.replace(title, ' '), prompt.normalize('NFC'))
  const bare = text.replace(BRIEF, ' ')
  return bare.trim() === '' ? text : bare
}

/** The title that a prompt gives to the form, or else one made of the form's name. */
export function titleOf(name: string, prompt: string): string {
  const [given] = TITLES.flatMap((title) => title.exec(prompt)?.[1] ?? [])
  return capitalised(tidy(given ?? name.replace(/[_-]+/g, ' '))) || 'Form'
}
