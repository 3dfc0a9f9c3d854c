import { existsSync } from 'node:fs'
import path from 'node:path'

/** The project's own folder, found from the running file, which may be a source or a build. */
export const PROJECT_ROOT = findRoot(import.meta.dirname)

function findRoot(folder: string): string {
  const parent = path.dirname(folder)
  if (existsSync(path.join(folder, 'openapi.yaml')) || parent === folder) return folder
  return findRoot(parent)
}
