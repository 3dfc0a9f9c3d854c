import type { Change, Pair } from './changes.ts'
import { fieldsOf, memberOf } from './documents.ts'

/** A document's `info.version`; `0.0.0` when it has none. */
export function versionOf(document: unknown): string {
  const version = fieldsOf(memberOf(document, 'info')).version
  return typeof version === 'string' ? version : '0.0.0'
}

/** Whether the first number of a version has gone up, which tells callers that something may break. */
export function isMajorRaised(before: string, after: string): boolean {
  return numbersOf(after)[0] > numbersOf(before)[0]
}

/** Whether a version comes after another. */
export function isRaised(before: string, after: string): boolean {
  const [old, now] = [numbersOf(before), numbersOf(after)]
  const index = old.findIndex((number, place) => number !== now[place])
  return index >= 0 && (now[index] ?? 0) > (old[index] ?? 0)
}

/** Whether the changes between two documents keep what their versions promise to callers. */
export function keepsPromise(changes: Change[], { before, after }: Pair<unknown>): boolean {
  const isBreaking = changes.some((change) => change.isBreaking)
  return !isBreaking || isMajorRaised(versionOf(before), versionOf(after))
}

function numbersOf(version: string): [number, number, number] {
  const [major = '0', minor = '0', patch = '0'] = version.split('.')
  const read = (text: string) => Number.parseInt(text, 10) || 0
  return [read(major), read(minor), read(patch)]
}
