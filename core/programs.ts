import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROJECT_ROOT } from './root.ts'

/** What a thread begins with: the address of a module, or code when `eval` says so. */
export type Program = { start: URL | string; eval: boolean }

/**
 * Finds a program that runs in a thread of its own by its source's name without the ending, such as
 * `bot/worker`. In a build it lies beside the running one; a source is read by the loader of sources,
 * which a thread has to be given before it can be told the file.
 */
export function programOf(name: string): Program {
  const here = import.meta.url
  if (!here.endsWith('.ts')) return { start: new URL(`./${name}.js`, here), eval: false }
  const { resolve } = createRequire(path.join(PROJECT_ROOT, 'package.json'))
  // By its file: code that is in none has no place from which to look for packages.
  const api = path.join(path.dirname(resolve('tsx/package.json')), 'dist/esm/api/index.mjs')
  const loader = JSON.stringify(pathToFileURL(api))
  const source = JSON.stringify(new URL(`../${name}.ts`, here))
  const start = `import(${loader}).then((tsx) => { tsx.register(); return import(${source}) })`
  return { start, eval: true }
}
