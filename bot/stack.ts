import { SourceMap, type SourceMapPayload } from 'node:module'
import { BUNDLE_NAME } from './bundle-name.ts'

const PLACE = new RegExp(`\\b${BUNDLE_NAME.replace('.', '\\.')}:(\\d+):(\\d+)`, 'g')

/** A place in the project's own files; line and column begin at 1. */
export type Place = { file: string; line: number; column: number }

type PlaceOf = (line: number, column: number) => Place | null

/** Far larger than any real bot's. Parsing a larger map would block the process. */
const MAP_CHARACTERS_MAX = 1_048_576
const MAPS_KEPT = 4

/**
 * Maps positions in a bundle to the project's files; null for positions outside of them, and for every position
 * when the map is too large.
 */
function createPlaces(sourceMap: string): PlaceOf {
  if (sourceMap.length > MAP_CHARACTERS_MAX) return () => null
  const map = new SourceMap(JSON.parse(sourceMap) as SourceMapPayload)
  return (line, column) => {
    const entry = map.findEntry(line - 1, column - 1)
    if (!('originalSource' in entry)) return null
    const { originalSource: file, originalLine, originalColumn } = entry
    return { file, line: originalLine + 1, column: originalColumn + 1 }
  }
}

/**
 * Makes a function that rewrites stack traces to the project's own files. A source map is parsed on first use
 * and cached: parsing takes long, and a bot may log a trace in every run.
 */
export function createOwnWords(): (thrown: string, sourceMap: string) => string {
  const kept = new Map<string, PlaceOf>()
  return (thrown, sourceMap) => {
    if (!/\b(bot|guest)\.js:/.test(thrown)) return thrown
    const placeOf = kept.get(sourceMap) ?? createPlaces(sourceMap)
    kept.delete(sourceMap)
    kept.set(sourceMap, placeOf)
    const [oldest = ''] = kept.keys()
    if (kept.size > MAPS_KEPT) kept.delete(oldest)
    return named(thrown, placeOf)
  }
}

function named(thrown: string, placeOf: PlaceOf): string {
  const lines = thrown.split('\n').filter((line) => !/\bguest\.js:/.test(line))
  const rewritten = lines.map((line) =>
    line.replace(PLACE, (whole, row: string, column: string) => {
      const place = placeOf(Number(row), Number(column))
      return place ? `${place.file}:${place.line}:${place.column}` : whole
    }),
  )
  return rewritten.join('\n').trim()
}

/** The first position of a stack in the project's own files; null without one. */
export function firstPlace(thrown: string, sourceMap: string): Place | null {
  const placeOf = createPlaces(sourceMap)
  for (const [, row, column] of thrown.matchAll(PLACE)) {
    const place = placeOf(Number(row), Number(column))
    if (place) return place
  }
  return null
}
