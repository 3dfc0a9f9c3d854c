/** How much of a Content-Disposition is read. */
const lengthMax = 2_048

/**
 * The filename by the Content-Disposition, as browsers read it, or by the last segment of the URL. It is what
 * the server wrote, and not safe yet.
 */
export function filenameOf(disposition: string | null, url: URL): string | null {
  const parameters = parametersOf(disposition?.slice(0, lengthMax) ?? '')
  const extended = decodeExtended(parameters.get('filename*') ?? '')
  return extended || readUtf8(parameters.get('filename') ?? '') || lastSegment(url) || null
}

function parametersOf(disposition: string): Map<string, string> {
  const form = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))/g
  const found = [...disposition.matchAll(form)].map(
    ([, name = '', quoted, token = '']): [string, string] => [
      name.toLowerCase(),
      // Some servers put a Windows path here, so only necessary escapes are decoded.
      quoted?.replace(/\\(["\\])/g, '$1') ?? token,
    ],
  )
  // Of parameters with one name, the first counts.
  return new Map(found.reverse())
}

/** `UTF-8''na%C3%AFve.txt`; empty for text of another form. */
function decodeExtended(value: string): string {
  const [, charset = '', encoded = ''] = /^([\w-]*)'[^']*'(.*)$/.exec(value) ?? []
  const isLatin = charset.toLowerCase() === 'iso-8859-1'
  return isLatin ? decodeLatin(encoded) : charset.toLowerCase() === 'utf-8' ? decode(encoded) : ''
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    // Not UTF-8, or a stray percent sign: no readable name.
    return ''
  }
}

function decodeLatin(encoded: string): string {
  return encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}

/** A header's value as UTF-8, which many servers send, if it is that; undici decodes all bytes as Latin-1. */
export function readUtf8(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\uFFFD') ? value : text
}

function lastSegment({ pathname }: URL): string {
  return decode(pathname.slice(pathname.lastIndexOf('/') + 1))
}
