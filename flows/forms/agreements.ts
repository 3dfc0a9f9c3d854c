import { capitalised, type Language, plain, shortened } from './form.ts'

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

/** What a customer agrees to, as a full sentence when the usual wording is known. */
export function agreement(said: string, language: Language): string {
  const text = plain(said)
  const isPrivacy = PRIVACY.test(text)
  const isData = DATA.test(text)
  const isTerms = TERMS.test(text)
  const isSentence = /^(i |acepto|autorizo|estoy)/.test(text)
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
  /\b(?:permission|permiso|marketing|newsletter|advertis\w+|promotion\w*|offers|boletin|publicidad|promocion\w*|ofertas|novedades)\b/

/** Whether one would agree to be written to or advertised to, which nobody must. */
export function isAdvertising(said: string): boolean {
  return ADVERTISING.test(plain(said))
}
