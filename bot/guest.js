// The environment of a bot's code. It runs inside of the sandbox, before the bot and with no more rights, so it
// protects nothing: every call is checked outside, by whoever performs it. This script evaluates to a function
// that takes what the sandbox may call, and answers with the entry points.
;(function (host, limits) {
  'use strict'
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { then } = Promise.prototype
  const { replace } = String.prototype
  const { toString: sourceOf } = Function.prototype
  const { freeze, create, keys } = Object
  const { isArray } = Array
  let current = 0
  let asked = 0
  let waiting = create(null)
  const waitedFor = new WeakSet()
  let failed = []

  /** `await` calls the `then` of a promise that is not a plain one, which tells that somebody waits for it. */
  class Call extends Promise {
    static get [Symbol.species]() {
      return Promise
    }
    then(onDone, onFailed) {
      waitedFor.add(this)
      return super.then(onDone, onFailed)
    }
  }

  /** Makes a call; whether it is allowed, and how often, is decided outside. */
  function ask(run, op, args) {
    // The error is created here, so that its stack shows where the bot made the call.
    const call = { error: new Error('') }
    call.promise = new Call((resolve, reject) => {
      call.resolve = resolve
      call.reject = reject
    })
    try {
      if (run !== current) throw new Error('This run of the bot has ended.')
      mustBeShallow(args)
      const text = stringify(args)
      const id = ++asked
      host.call(id, op, text)
      waiting[id] = call
    } catch (error) {
      fail(call, error)
    }
    return call.promise
  }

  function fail({ promise, reject }, error) {
    if (failed.length < limits.lines) failed[failed.length] = { promise, error }
    reject(error)
  }

  /** Ends a run, whose log tells of calls that have failed unheard. */
  function end(isDone, text) {
    for (let i = 0; i < failed.length; i++) {
      const { promise, error } = failed[i]
      if (!waitedFor.has(promise)) log.warn('Nobody waited for what failed:', error)
    }
    failed = []
    host.end(isDone, text)
  }

  /** Writing a value takes the square of its depth, in one step that only the end of the thread can interrupt. */
  function mustBeShallow(args) {
    const seen = new Set()
    let level = [args]
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > limits.depth)
        throw new Error(`A call nests ${limits.depth} levels deep at the most.`)
      const next = []
      const note = (value) => {
        if (typeof value !== 'object' || value === null || seen.has(value)) return
        seen.add(value)
        next[next.length] = value
      }
      for (let i = 0; i < level.length; i++) {
        const value = level[i]
        const names = isArray(value) ? null : keys(value)
        const { length } = names ?? value
        for (let k = 0; k < length; k++) note(value[names ? names[k] : k])
      }
      level = next
    }
  }

  /** Never throws: a line of the log must not fail the run that writes it. */
  function show(value) {
    try {
      if (typeof value === 'string') return value
      if (value instanceof Error) return describe(value)
      return typeof value === 'object' && value !== null ? written(value) : String(value)
    } catch {
      return 'Something that cannot be read'
    }
  }

  function written(value) {
    try {
      mustBeShallow([value])
      return stringify(value)
    } catch {
      return String(value)
    }
  }

  function describe(error) {
    try {
      if (!(error instanceof Error)) return `Thrown: ${show(error)}`
      return `${error.name}: ${error.message}\n${error.stack ?? ''}`
    } catch {
      return 'Something was thrown that cannot be read'
    }
  }

  /** The outside reads a text only up to its first NUL. */
  function whole(text) {
    try {
      return apply(replace, text, [/\0/g, '\ufffd'])
    } catch {
      return text
    }
  }

  /** A class cannot be called, and a call of a generator function runs none of its code. */
  function isHandler(value) {
    if (typeof value !== 'function') return false
    const source = apply(sourceOf, value, [])
    return !/^(class\b|(async\s*)?(function\s*)?\*)/.test(source)
  }

  function logger() {
    const at = (level) =>
      function (...values) {
        let text = ''
        for (let i = 0; i < values.length && text.length <= limits.lineCharacters; i++) {
          text += (i > 0 ? ' ' : '') + show(values[i])
        }
        host.log(level, whole(text.slice(0, limits.lineCharacters + 1)))
      }
    return { info: at('info'), warn: at('warn'), error: at('error') }
  }

  function table(run, name) {
    return {
      rows: (query = {}) => ask(run, 'rows', [name, query]),
      insert: (rows) => ask(run, 'insert', [name, rows]),
      update: (change) => ask(run, 'update', [name, change]),
      delete: (target) => ask(run, 'delete', [name, target]),
    }
  }

  function contextOf(run, event) {
    return {
      ...event,
      send: (body) => ask(run, 'send', [body]),
      setState: (state) => ask(run, 'setState', [state]),
      setAttributes: (attributes) => ask(run, 'setAttributes', [attributes]),
      addTags: (tags) => ask(run, 'addTags', [tags]),
      removeTags: (tags) => ask(run, 'removeTags', [tags]),
      table: (name) => table(run, name),
      emit: async (name, payload) => {
        try {
          return await ask(run, 'emit', payload === undefined ? [name] : [name, payload])
        } catch {
          return false
        }
      },
      log,
      env: 'production',
    }
  }

  const log = freeze(logger())
  globalThis.console = { ...log, log: log.info, debug: log.info }

  return freeze({
    /** Tells for each name that the bot exports whether it is a handler. */
    handlers(names) {
      const { bot } = globalThis
      const said = create(null)
      for (const name of parse(names)) {
        if (bot?.[name] !== undefined) said[name] = isHandler(bot[name])
      }
      return stringify(said)
    },
    /** Begins a run with the first of the handlers that the bot exports. */
    begin(run, names, eventJson) {
      current = run
      waiting = create(null)
      failed = []
      const { bot } = globalThis
      const name = parse(names).find((one) => typeof bot?.[one] === 'function')
      if (name === undefined) return end(true, '')
      const ctx = contextOf(run, parse(eventJson))
      const running = (async () => bot[name](ctx))()
      apply(then, running, [() => end(true, ''), (error) => end(false, whole(describe(error)))])
    },
    /** Settles a call with its outcome. */
    settle(id, isDone, json) {
      const call = waiting[id]
      delete waiting[id]
      if (!call) return
      if (isDone) return call.resolve(parse(json))
      const { message, ...rest } = parse(json)
      call.error.message = message
      fail(call, Object.assign(call.error, rest))
    },
    /** Whatever the bot keeps of this run can make no more calls. */
    finish() {
      current = 0
      waiting = create(null)
    },
  })
})
