import { createRequire } from 'node:module'
import { TestEnvironment } from 'jest-environment-node'

const require = createRequire(import.meta.url)
const { console } = globalThis
/** What a value is asked for by `instanceof`. */
const ASKED = ['Date', 'Error', 'Map', 'Promise', 'RegExp', 'Set']

/**
 * Where a test file runs: with modules of its own of all that the project has, and with the packages that
 * all files of a worker share, each loaded and compiled once.
 */
export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup()
    for (const name of ASKED) join(this.global[name], globalThis[name])
    this.global.loadPackage = (file) => packages[file] ?? require(file)
    // What a package prints, the test sees.
    globalThis.console = this.global.console
  }

  async teardown() {
    globalThis.console = console
    await super.teardown()
  }
}

/** What a test makes is for a package, too, what it is, and the other way round. */
function join(own, shared) {
  Object.setPrototypeOf(own.prototype, shared.prototype)
  const isInstance = Function.prototype[Symbol.hasInstance]
  Object.defineProperty(own, Symbol.hasInstance, {
    value(one) {
      return isInstance.call(this, one) || (this === own && isInstance.call(shared, one))
    },
  })
}

const yaml = require('yaml')
const parsed = new Map()
const packages = {
  // The contract, which every file reads, is parsed once; each gets a copy.
  [require.resolve('yaml')]: {
    ...yaml,
    parse(text, ...options) {
      if (options.length > 0) return yaml.parse(text, ...options)
      if (!parsed.has(text)) parsed.set(text, yaml.parse(text))
      return structuredClone(parsed.get(text))
    },
  },
}
