/**
 * Reads a URL; null for what is none. Not by `URL.canParse`: Node 20's, once it is called often, takes
 * every text with a letter like `ü` for no URL.
 */
export function readUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
