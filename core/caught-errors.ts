import { types } from 'node:util'

/** What a caught value says: an error's message. */
export function messageOf(error: unknown): string {
  return types.isNativeError(error) ? error.message : String(error)
}

/** Whether an error is the operating system's, with one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return types.isNativeError(error) && 'code' in error && codes.some((code) => code === error.code)
}

/** Whether an error is the operating system's about a file or a folder. A full disk is told of without a path. */
export function isAboutFile(error: unknown): error is Error {
  if (!types.isNativeError(error) || !('syscall' in error)) return false
  return 'path' in error || hasCode(error, 'ENOSPC', 'EDQUOT')
}

/** What is read from a file or folder; undefined when that does not exist. */
export async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
