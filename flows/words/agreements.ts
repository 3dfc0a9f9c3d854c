import { capitalised, type Language, plain, shortened } from '../forms/form.ts'

const AGREEMENT_CHARACTERS_MAX = 120
/** Says that something is agreed to, but not what. */
const BARE_AGREEMENT = /^(consent|agreement|consentimiento|autorizacion)$/

const PRIVACY = /priva/
const DATA = /\b(?:data|datos|gdpr)\b/
const TERMS = /\b(?:terms|conditions|terminos|condiciones)\b/

/** Whether some words say that someone agrees to what customers usually agree to: "they agree to our terms". */
export function isUsualAgreement(said: string): boolean {
  const text = plain(said)
  const isUsual = [PRIVACY, DATA, TERMS].some((pattern) => pattern.test(text))
  return isUsual && /\b(?:agree|accept|acept)/.test(text)
}

const ACCEPTED: Record<Language, RegExp> = {
  en: /^(\S.*) acceptance$|^(?:acceptance of|accept(?:s|ing)?) (?:the |our |your )?(.*\S)$/i,
  es: /^acept(?:an?|ar|en?) (.*\S)$/i,
}
/** "A consent: I agree to receive offers" is what stands behind the colon. */
const NAMED =
  /^\s*(?:an? |una? )?(?:consents?|agreements?|opt-?in|check ?box|declaration|statement|waiver|acknowledge?ment|disclaimer|consentimiento|casilla|declaración):\s+(?=\S+ \S)/i

/** What is agreed to, without the word for an agreement before it. */
export function withoutConsent(said: string): string {
  return said.replace(NAMED, '')
}

const CONFIRMED: Record<Language, RegExp> = {
  en: /^(?:confirm(?:ing|s)? (?:that )?|(?:agreement|acknowledge?ment|confirmation) that |sign(?:ing|s)? that )(.*)$/i,
  es: /^confirm(?:ar|an?|o)? que (.*)$/i,
}
const MINE: readonly [RegExp, string][] = [
  [/\b(?:they|you) are\b/gi, 'I am'],
  [/\b(?:they|you)['’]ve\b/gi, 'I have'],
  [/\b(?:they|you)\b/gi, 'I'],
  [/\b(?:their|your)\b/gi, 'my'],
  [/\b[st]us (?=\p{L})/giu, 'mis '],
  [/\b[st]u (?=\p{L})/giu, 'mi '],
]

/** What a customer confirms, in the customer's own words; null for what is no confirmation. */
function confirmation(said: string, language: Language): string | null {
  const what = CONFIRMED[language].exec(said)?.[1]
  if (what === undefined) return null
  const mine = MINE.reduce((text, [pattern, other]) => text.replace(pattern, other), what)
  return language === 'es' ? `Confirmo que ${mine}` : `I confirm that ${mine}`
}

/** What a customer agrees to, as a full sentence when the usual wording is known. */
export function agreement(said: string, language: Language): string {
  const confirmed = confirmation(said, language)
  if (confirmed !== null) return shortened(confirmed, AGREEMENT_CHARACTERS_MAX)
  const text = plain(said)
  const isPrivacy = PRIVACY.test(text)
  const isData = DATA.test(text)
  const isTerms = TERMS.test(text)
  const accepted = ACCEPTED[language].exec(said)?.slice(1).find(Boolean)
  const isSentence = /^(i |acepto|autorizo|estoy)/.test(text)
  if (accepted !== undefined && !isPrivacy && !isTerms) {
    return language === 'es' ? `Acepto ${accepted}` : `I accept the ${accepted}`
  }
  // Nobody should agree to anything but what was named.
  if (isSentence || !(isPrivacy || isData || isTerms || BARE_AGREEMENT.test(text))) {
    return shortened(capitalised(said), AGREEMENT_CHARACTERS_MAX)
  }
  if (language === 'es') {
    if (isPrivacy) return 'Acepto la política de privacidad'
    return isData ? 'Autorizo el uso de mis datos' : 'Acepto los términos y condiciones'
  }
  if (isPrivacy) return 'I accept the privacy policy'
  return isData ? 'I agree to the use of my data' : 'I accept the terms and conditions'
}

const ADVERTISING =
  /^(?:un)?subscribe$|\b(?:(?<!\bi give )(?:permission|permiso)(?! (?:to|for|para|de) (?:(?:my|our|your|the|their) (?:child|son|daughter|kid|dog|cat|pet)|enter|treat|proceed|process|access|perform|repair|tow|attend|participate|travel|swim|entr[a-z]+|trat[a-z]+|proces[a-z]+))|marketing|newsletter|advertis\w+|promotion\w*|offers|boletin|publicidad|promocion\w*|ofertas|novedades)\b/

/** Whether one would agree to be written to or advertised to, which nobody must. */
export function isAdvertising(said: string): boolean {
  return ADVERTISING.test(plain(said))
}
