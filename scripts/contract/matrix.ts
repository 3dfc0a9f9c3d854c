import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readContract } from '../../core/contract.ts'
import { operationsIn } from './documents.ts'

/** Which of the error codes that operations declare a run of the suite has provoked. */
export type Matrix = {
  operations: number
  declared: number
  provoked: number
  /** What is declared and was never answered, as `operation code`. */
  missing: string[]
}

/**
 * Compares the error codes that the operations of a document declare with what was seen: lines of
 * `operation status code`. A document without any operation is an error, not a full matrix.
 */
export function matrixOf(document: unknown, seen: Iterable<string>): Matrix {
  const provoked = new Set<string>()
  for (const line of seen) {
    const [operation, , code] = line.split(' ')
    provoked.add(`${operation} ${code}`)
  }
  const operations = operationsIn(document, 'paths').filter(({ id }) => id !== null)
  const declared = operations.flatMap(({ id, codes }) => codes.map((code) => `${id} ${code}`))
  if (declared.length === 0) throw new Error('The contract declares no error code.')
  const missing = declared.filter((entry) => !provoked.has(entry))
  return {
    operations: operations.length,
    declared: declared.length,
    provoked: declared.length - missing.length,
    missing,
  }
}

/** The matrix of a run whose workers noted what they saw in the files of `folder`. */
export function readMatrix(folder: string): Matrix {
  const files = readdirSync(folder)
  const seen = files.flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'))
  return matrixOf(readContract(), seen)
}

/** The matrix as lines to print: a summary, and each missing entry by its name. */
export function matrixLines({ operations, declared, provoked, missing }: Matrix): string[] {
  const summary = `Error codes provoked: ${provoked} of ${declared}, of ${operations} operations`
  return [summary, ...missing.map((entry) => `  never answered: ${entry}`)]
}
