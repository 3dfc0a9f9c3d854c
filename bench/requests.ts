/** The loader replaces this text in a request with a unique number. */
export const UNIQUE = 'unique-0000000000'

/** A request with a credential, as the bytes that are sent. */
export function request(
  method: 'GET' | 'POST',
  target: string,
  secret: string,
  body?: object,
  more: Record<string, string> = {},
): string {
  const headers = { Authorization: `Bearer ${secret}`, ...more }
  if (body === undefined) return wire(`${method} ${target}`, headers)
  const type = { 'Content-Type': 'application/json' }
  return wire(`${method} ${target}`, { ...headers, ...type }, JSON.stringify(body))
}

/** Any request, as the bytes that are sent. */
export function wire(line: string, headers: Record<string, string>, body?: string): string {
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
  const fields = Object.entries({ Host: 'localhost', ...headers, ...length })
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  return [`${line} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n')
}
