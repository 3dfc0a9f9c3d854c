import { createRequire } from 'node:module'
import { TestEnvironment } from 'jest-environment-node'

const require = createRequire(import.meta.url)
const { console } = globalThis
/** Classes that values are tested against with `instanceof`. */
const ASKED = ['Date', 'Error', 'Map', 'Promise', 'RegExp', 'Set']

/**
 * The environment of a test file: it loads the project's modules anew, and shares the packages, which are
 * loaded and compiled once for all files of a worker.
 */
export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup()
    for (const name of ASKED) join(this.global[name], globalThis[name])
    this.global.loadPackage = (file) => packages[file] ?? require(file)
    // What a package prints appears in the test's output.
    globalThis.console = this.global.console
  }

  async teardown() {
    globalThis.console = console
    await super.teardown()
  }
}

/** An object made in a test is an instance for a package too, and the other way round. */
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
const validator = require('express-openapi-validator')
const prepared = new Map()
const packages = {
  // The contract, which every file reads, is parsed once; each reader gets a copy.
  [require.resolve('yaml')]: {
    ...yaml,
    parse(text, ...options) {
      if (options.length > 0) return yaml.parse(text, ...options)
      if (!parsed.has(text)) parsed.set(text, yaml.parse(text))
      return structuredClone(parsed.get(text))
    },
  },
  // So are its checks prepared, which every service starts with; they keep nothing of what they have checked.
  [require.resolve('express-openapi-validator')]: {
    ...validator,
    middleware(options) {
      const key = JSON.stringify(options, (_, value) => (isPattern(value) ? String(value) : value))
      if (!prepared.has(key)) prepared.set(key, validator.middleware(options))
      return prepared.get(key)
    },
  },
}

function isPattern(value) {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}
