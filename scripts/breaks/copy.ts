import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PROJECT_ROOT } from '../../core/root.ts'

/** What no gate reads, or what each makes for itself. */
const NOT_COPIED = new Set(['.git', '.data', '.env', 'node_modules', 'dist', 'coverage'])

/**
 * Makes a copy of the project in a folder of its own, with what is generated; the packages are those of
 * the project, by a link. Answers with the folder, and with what removes it.
 */
export async function copyProject(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'service-breaks-'))
  const isCopied = (source: string) => !NOT_COPIED.has(path.relative(PROJECT_ROOT, source))
  await cp(PROJECT_ROOT, folder, { recursive: true, filter: isCopied })
  await symlink(path.join(PROJECT_ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
