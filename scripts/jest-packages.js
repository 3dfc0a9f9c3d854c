import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Jest's transform for packages: a test file gets what its worker has loaded of them, by
 * `scripts/jest-environment.js`, in place of their code.
 */
export default {
  process: (source, file, options) => ({ code: codeOf(source, file, options) }),
  // What a file exports may come from others.
  getCacheKey: (source, file, options) =>
    createHash('sha256')
      .update(codeOf(source, file, options))
      .digest('hex'),
}

function codeOf(source, file, { supportsDynamicImport, supportsStaticESM }) {
  // Jest's own process, which runs the setup and the teardown, is no test.
  if (!supportsDynamicImport) return source
  const loaded = `loadPackage(${JSON.stringify(file)})`
  if (!supportsStaticESM) return `module.exports = ${loaded}`
  const names = Object.keys(require(file)).filter((name) => name !== 'default')
  return `const it = ${loaded}
export default it.default
export const { ${names.join(', ')} } = it`
}
