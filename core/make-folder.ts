import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode, isAboutFile } from './caught-errors.ts'

/**
 * Creates a folder and its parents. Node's own recursive option never ends in a file system that has a folder
 * and accepts no new ones, such as /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    if (hasCode(error, 'EEXIST') && (await stat(folder)).isDirectory()) return
    const parent = dirname(folder)
    if (!hasCode(error, 'ENOENT') || (await isFolder(parent))) throw error
    await makeFolder(parent)
    await makeFolder(folder)
  }
}

/** Runs work that needs the data folder; turns a file system error into a sentence with the setting's name. */
export async function inDataFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!isAboutFile(cause)) throw cause
    throw new Error(`DATA_DIR is ${dataDir}, which cannot be used: ${cause.message}.`, { cause })
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
