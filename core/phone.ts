/** Spaces and dashes of every width: texts that were set for print have others than a keyboard. */
const separators = /[\p{Zs}\p{Pd}().]/gu
/** A trunk prefix, used within the country only; except in Italy, where it is part of the number. */
const trunkPrefix = /\(\p{Zs}*0\p{Zs}*\)/u
const textLengthMax = 64

/**
 * A phone number in E.164: "+" and 8–15 digits; null for what is none. Spaces, dashes, dots,
 * parentheses and a leading "+" or "00" are accepted. A country is never guessed: digits without a
 * prefix are taken as international already, and a `(0)`, which belongs to few countries' numbers, is refused.
 */
export function normalisePhone(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > textLengthMax || trunkPrefix.test(text)) return null
  const digits = /^(?:\+|00)?([1-9]\d{7,14})$/.exec(text.replace(separators, ''))?.[1]
  return digits === undefined ? null : `+${digits}`
}

/**
 * The digits under which to look a number up. The channel does not always name a customer by the
 * number that was dialled: Mexico's mobiles come with or without a 1 after the country code,
 * Argentina's with or without a 9, and older Brazilian accounts lack the ninth digit. Never send
 * to a key: it is for comparing only.
 */
export function phoneMatchKey(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  const mobile = /^(52)1(\d{10})$/.exec(digits) ?? /^(54)9(\d{10})$/.exec(digits)
  if (mobile) return `${mobile[1]}${mobile[2]}`
  const brazil = /^55(\d{2})9([7-9]\d{7})$/.exec(digits)
  return brazil && Number(brazil[1]) >= 31 ? `55${brazil[1]}${brazil[2]}` : digits
}
