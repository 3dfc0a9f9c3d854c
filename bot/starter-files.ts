import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { CodeFiles } from '../core/bots.ts'
import { PROJECT_ROOT } from '../core/root.ts'

/** The files that a new project's code starts with, including the platform's own, by path. */
export function readStarter(folder = path.join(PROJECT_ROOT, 'bot/starter')): CodeFiles {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
  return new Map(names.map((name) => [name, readFileSync(path.join(folder, name))]))
}
