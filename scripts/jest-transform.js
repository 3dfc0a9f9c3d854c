import { transformSync } from 'esbuild'

/** Jest's TypeScript transform: types are erased by esbuild, and checked by `npm run typecheck`. */
export default {
  process(source, sourcefile) {
    const { code, map } = transformSync(source, {
      loader: 'ts',
      format: 'esm',
      target: 'node20',
      sourcefile,
      sourcemap: 'external',
    })
    return { code, map }
  },
}
