import { SourceMap, type SourceMapPayload } from 'node:module'
import { BUNDLE_NAME } from './bundle-name.ts'

const PLACE = new RegExp(`\\b${BUNDLE_NAME.replace('.', '\\.')}:(\\d+):(\\d+)`, 'g')

/** A place in the project's own files; line and column begin at 1. */
export type Place = { file: string; line: number; column: number }

/** Finds where lines of a bundle come from; answers null for what is not the project's. */
export function createPlaces(sourceMap: string): (line: number, column: number) => Place | null {
  const map = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload)
  return (line, column) => {
    const entry = map.findEntry(line - 1, column - 1)
    if (!('originalSource' in entry)) return null
    const { originalSource: file, originalLine, originalColumn } = entry
    return { file, line: originalLine + 1, column: originalColumn + 1 }
  }
}

/** Rewrites what was thrown in a bundle so that it names the project's own files. */
export function inOwnWords(thrown: string, sourceMap: string): string {
  if (!/\b(bot|guest)\.js:/.test(thrown)) return thrown
  const placeOf = createPlaces(sourceMap)
  const lines = thrown.split('\n').filter((line) => !/\bguest\.js:/.test(line))
  const named = lines.map((line) =>
    line.replace(PLACE, (whole, row: string, column: string) => {
      const place = placeOf(Number(row), Number(column))
      return place ? `${place.file}:${place.line}:${place.column}` : whole
    }),
  )
  return named.join('\n').trim()
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
