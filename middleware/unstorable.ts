import { isUtf8 } from 'node:buffer'

const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Whether a text contains what PostgreSQL cannot store: a NUL or half of a surrogate pair. */
export function isUnstorable(text: string): boolean {
  return UNSTORABLE.test(text)
}

/** Whether a query contains escapes of invalid UTF-8, each of which would be read as U+FFFD. */
export function isMisread(url: string): boolean {
  const escapes = url.slice(url.indexOf('?')).match(/(?:%[0-9a-f]{2})+/gi) ?? []
  return escapes.some((bytes) => !isUtf8(Buffer.from(bytes.replaceAll('%', ''), 'hex')))
}
