import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Jest's transform for packages: instead of their code, a test file gets what its worker has already loaded,
 * through `scripts/jest-environment.js`.
 */
export default {
  process: (source, file, options) => ({ code: codeOf(source, file, options) }),
  // A file may export what other files define.
  getCacheKey: (source, file, options) =>
    createHash('sha256')
      .update(codeOf(source, file, options))
      .digest('hex'),
}

function codeOf(source, file, { supportsDynamicImport, supportsStaticESM }) {
  // Jest's own process, which runs the setup and the teardown, is not a test.
  if (!supportsDynamicImport) return source
  const loaded = `loadPackage(${JSON.stringify(file)})`
  if (!supportsStaticESM) return `module.exports = ${loaded}`
  const names = Object.keys(require(file)).filter((name) => name !== 'default')
  return `const it = ${loaded}
export default it.default
export const { ${names.join(', ')} } = it`
}
