/**
 * Parses a URL; null for other text. Not `URL.canParse`: after many calls, Node 20's version refuses any text
 * with a letter like `ü`.
 */
export function readUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
