import { SourceMap, type SourceMapPayload } from 'node:module'
import { BUNDLE_NAME } from './bundle-name.ts'

const PLACE = new RegExp(`\\b${BUNDLE_NAME.replace('.', '\\.')}:(\\d+):(\\d+)`, 'g')

/** A place in the project's own files; line and column begin at 1. */
export type Place = { file: string; line: number; column: number }

/** Finds where lines of a bundle come from; answers null for what is not the project's. */
function createPlaces(sourceMap: string): (line: number, column: number) => Place | null {
  const map = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload)
  return (line, column) => {
    const entry = map.findEntry(line - 1, column - 1)
    if (!('originalSource' in entry)) return null
    const { originalSource: file, originalLine, originalColumn } = entry
    return { file, line: originalLine + 1, column: originalColumn + 1 }
  }
}

/**
 * Makes what rewrites a text of a bundle so that it names the project's own files. The map is read once,
 * when a text first needs it: that takes long, and a bot may write as many such texts as it likes.
 */
export function createOwnWords(sourceMap: string): (thrown: string) => string {
  let placeOf: ReturnType<typeof createPlaces> | undefined
  return (thrown) => {
    if (!/\b(bot|guest)\.js:/.test(thrown)) return thrown
    placeOf ??= createPlaces(sourceMap)
    return named(thrown, placeOf)
  }
}

function named(thrown: string, placeOf: ReturnType<typeof createPlaces>): string {
  const lines = thrown.split('\n').filter((line) => !/\bguest\.js:/.test(line))
  const rewritten = lines.map((line) =>
    line.replace(PLACE, (whole, row: string, column: string) => {
      const place = placeOf(Number(row), Number(column))
      return place ? `${place.file}:${place.line}:${place.column}` : whole
    }),
  )
  return rewritten.join('\n').trim()
}

/** The first place that a stack names in the project's own files; null when there is none. */
export function firstPlace(thrown: string, sourceMap: string): Place | null {
  const placeOf = createPlaces(sourceMap)
  for (const [, row, column] of thrown.matchAll(PLACE)) {
    const place = placeOf(Number(row), Number(column))
    if (place) return place
  }
  return null
}
