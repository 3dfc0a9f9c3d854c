const EDITS_MAX = 2

/** ` Did you mean "x"?` when a known word is close to the one that was typed, else nothing. */
export function suggest(typed: string, known: string[]): string {
  const [nearest] = known
    .map((word) => ({ word, edits: editsBetween(typed, word) }))
    .filter(({ word, edits }) => edits <= EDITS_MAX || (typed.length > 2 && word.startsWith(typed)))
    .sort((a, b) => a.edits - b.edits)
  return nearest ? ` Did you mean ${nearest.word}?` : ''
}

/** Levenshtein's distance: letters to insert, drop or change. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
