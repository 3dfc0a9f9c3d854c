/** As much of a Content-Disposition as is looked at. */
const lengthMax = 2_048

/**
 * What a file is called: by its Content-Disposition, as browsers read it, or by the last segment of
 * its address. It is what the server wrote, with all that may be wrong in a file's name.
 */
export function filenameOf(disposition: string | null, url: URL): string | null {
  const parameters = parametersOf(disposition?.slice(0, lengthMax) ?? '')
  const extended = decodeExtended(parameters.get('filename*') ?? '')
  return extended || readText(parameters.get('filename') ?? '') || lastSegment(url) || null
}

function parametersOf(disposition: string): Map<string, string> {
  const form = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))/g
  const found = [...disposition.matchAll(form)].map(
    ([, name = '', quoted, token = '']): [string, string] => [
      name.toLowerCase(),
      // Some write a Windows path in here: only what must be escaped is read as escaped.
      quoted?.replace(/\\(["\\])/g, '$1') ?? token,
    ],
  )
  // The first of a name counts.
  return new Map(found.reverse())
}

/** `UTF-8''na%C3%AFve.txt`; empty when it is not like that. */
function decodeExtended(value: string): string {
  const [, charset = '', encoded = ''] = /^([\w-]*)'[^']*'(.*)$/.exec(value) ?? []
  const isLatin = charset.toLowerCase() === 'iso-8859-1'
  return isLatin ? decodeLatin(encoded) : charset.toLowerCase() === 'utf-8' ? decode(encoded) : ''
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    // Not UTF-8, or a stray percent sign: it names nothing that could be read.
    return ''
  }
}

function decodeLatin(encoded: string): string {
  return encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}

/** A header's bytes come as Latin-1, but many a server means them as UTF-8. */
function readText(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\uFFFD') ? value : text
}

function lastSegment({ pathname }: URL): string {
  return decode(pathname.slice(pathname.lastIndexOf('/') + 1))
}
