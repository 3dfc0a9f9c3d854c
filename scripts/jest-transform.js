import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'

/**
 * Threads are started from what `tests/support/programs.ts` has built; in the service, they are started from
 * its build.
 */
const FINDS_PROGRAMS = path.resolve(import.meta.dirname, '../core/programs.ts')
const BUILD = pathToFileURL(path.resolve(import.meta.dirname, '../dist/tests/main.js'))

/** Jest's TypeScript transform: esbuild removes the types, which `npm run typecheck` checks. */
export default {
  process(source, sourcefile) {
    const { code, map } = transformSync(source, {
      loader: 'ts',
      format: 'esm',
      target: 'node20',
      sourcefile,
      sourcemap: 'external',
      define: sourcefile === FINDS_PROGRAMS ? { 'import.meta.url': JSON.stringify(BUILD) } : {},
    })
    return { code, map }
  },
}
