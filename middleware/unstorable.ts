import { isUtf8 } from 'node:buffer'

const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Whether a text holds what PostgreSQL cannot: a NUL, or half of a surrogate pair. */
export function isUnstorable(text: string): boolean {
  return UNSTORABLE.test(text)
}

/** Whether a query holds escapes of bytes that are no UTF-8, for each of which U+FFFD is read. */
export function isMisread(url: string): boolean {
  const escapes = url.slice(url.indexOf('?')).match(/(?:%[0-9a-f]{2})+/gi) ?? []
  return escapes.some((bytes) => !isUtf8(Buffer.from(bytes.replaceAll('%', ''), 'hex')))
}
