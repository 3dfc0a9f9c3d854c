import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROJECT_ROOT } from './root.ts'

/** The start of a thread: the URL of a module, or code if `eval` is true. */
export type Program = { start: URL | string; eval: boolean }

/**
 * Finds the program of a thread by the name of its source without extension, such as `bot/worker`. A build has
 * it beside the running file; sources need the loader, which has to be set up in the thread before it can
 * import the file.
 */
export function programOf(name: string): Program {
  const here = import.meta.url
  if (!here.endsWith('.ts')) return { start: new URL(`./${name}.js`, here), eval: false }
  const { resolve } = createRequire(path.join(PROJECT_ROOT, 'package.json'))
  // Resolved to a file: evaluated code has no location from which packages could be found.
  const api = path.join(path.dirname(resolve('tsx/package.json')), 'dist/esm/api/index.mjs')
  const loader = JSON.stringify(pathToFileURL(api))
  const source = JSON.stringify(new URL(`../${name}.ts`, here))
  const start = `import(${loader}).then((tsx) => { tsx.register(); return import(${source}) })`
  return { start, eval: true }
}
