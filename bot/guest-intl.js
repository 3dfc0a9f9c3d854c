// What the engine leaves out of the language: `Intl`, and the methods named `toLocale…String` that go by it. Like
// guest.js, it runs inside of the sandbox and protects nothing. Texts alone are passed outside, where formats are.
;(function (host) {
  'use strict'
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { create, defineProperty, entries, getPrototypeOf, is } = Object
  const { from } = Array
  const { getTime } = Date.prototype
  const { valueOf: numberOf } = Number.prototype
  const { valueOf: bigintOf } = BigInt.prototype

  /** What is refused outside is thrown here, as the error that the language provides for it. */
  function ask(kind, method, settings, args) {
    let answer
    try {
      answer = host.format(kind, method, settings, stringify(args))
    } catch (error) {
      throw new (error.name === 'TypeError' ? TypeError : RangeError)(error.message)
    }
    return parse(answer)
  }

  const settingsOf = (locales, options) => stringify([locales ?? null, options ?? {}])

  /** Exactly as it is: a large integer, a decimal written out, or -0. */
  function numeric(value) {
    if (typeof value === 'bigint' || typeof value === 'string') return String(value)
    const number = Number(value)
    return is(number, -0) ? '-0' : String(number)
  }
  const instant = (value) => (value === undefined ? String(Date.now()) : String(Number(value)))
  const one = (read) => (value) => [read(value)]
  const two = (read, then) => (value, other) => [read(value), then(other)]
  const listed = (list) => from(list, String)

  const KINDS = {
    DateTimeFormat: {
      format: one(instant),
      formatToParts: one(instant),
      formatRange: two(instant, instant),
      formatRangeToParts: two(instant, instant),
    },
    NumberFormat: { format: one(numeric), formatToParts: one(numeric) },
    PluralRules: { select: one(numeric) },
    RelativeTimeFormat: { format: two(numeric, String), formatToParts: two(numeric, String) },
    ListFormat: { format: listed, formatToParts: listed },
    DisplayNames: { of: one(String) },
    Collator: { compare: two(String, String) },
  }

  function hidden(object, name, value) {
    defineProperty(object, name, { value, writable: true, configurable: true })
  }

  /** A constructor that may be called without `new`, too; its methods need no `this`, as in `list.map(f.format)`. */
  function constructorOf(kind, methods) {
    function Format(locales, options) {
      const settings = settingsOf(locales, options)
      // A fault is thrown at once, not when the first value is formatted.
      ask(kind, 'resolvedOptions', settings, [])
      const made = create(Format.prototype)
      hidden(made, 'resolvedOptions', () => ask(kind, 'resolvedOptions', settings, []))
      for (const [method, read] of entries(methods)) {
        hidden(made, method, (...values) => ask(kind, method, settings, read(...values)))
      }
      return made
    }
    defineProperty(Format, 'name', { value: kind })
    return Format
  }

  const DATE = ['weekday', 'year', 'month', 'day']
  const TIME = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits']
  const DAY = { year: 'numeric', month: 'numeric', day: 'numeric' }
  const CLOCK = { hour: 'numeric', minute: 'numeric', second: 'numeric' }

  /** A method that shows `shown` unless the caller asks for any of `asked`, or for a style. */
  function dated(asked, shown) {
    const isAsked = (options, name) => options[name] !== undefined
    return function (locales, options) {
      const at = apply(getTime, this, [])
      if (at !== at) return 'Invalid Date'
      const given = { ...options }
      const isPlain = ![...asked, 'dateStyle', 'timeStyle'].some((name) => isAsked(given, name))
      const all = isPlain ? { ...given, ...shown } : given
      return ask('DateTimeFormat', 'format', settingsOf(locales, all), [String(at)])
    }
  }

  function counted(valueOf) {
    return function (locales, options) {
      const value = numeric(apply(valueOf, this, []))
      return ask('NumberFormat', 'format', settingsOf(locales, options), [value])
    }
  }

  function localeCompare(other, locales, options) {
    if (this == null) throw new TypeError('There is nothing to compare.')
    return ask('Collator', 'compare', settingsOf(locales, options), [String(this), String(other)])
  }

  function itemsToLocaleString(locales, options) {
    const said = (item) => (item == null ? '' : String(item.toLocaleString(locales, options)))
    return from(this, said).join()
  }

  /** A method such as `toLocaleUpperCase`; `plain` is its like for no language in particular. */
  function cased(method, plain) {
    return function (locales) {
      if (this == null || locales === undefined) return apply(plain, this, [])
      return ask('Casing', method, settingsOf(locales), [String(this)])
    }
  }

  const Intl = {}
  for (const [kind, methods] of entries(KINDS)) hidden(Intl, kind, constructorOf(kind, methods))
  defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true })
  hidden(globalThis, 'Intl', Intl)
  hidden(Date.prototype, 'toLocaleString', dated([...DATE, ...TIME], { ...DAY, ...CLOCK }))
  hidden(Date.prototype, 'toLocaleDateString', dated(DATE, DAY))
  hidden(Date.prototype, 'toLocaleTimeString', dated(TIME, CLOCK))
  hidden(Number.prototype, 'toLocaleString', counted(numberOf))
  hidden(BigInt.prototype, 'toLocaleString', counted(bigintOf))
  hidden(Array.prototype, 'toLocaleString', itemsToLocaleString)
  hidden(getPrototypeOf(Int8Array.prototype), 'toLocaleString', itemsToLocaleString)
  hidden(String.prototype, 'localeCompare', localeCompare)
  const { toLowerCase, toUpperCase } = String.prototype
  hidden(String.prototype, 'toLocaleLowerCase', cased('toLocaleLowerCase', toLowerCase))
  hidden(String.prototype, 'toLocaleUpperCase', cased('toLocaleUpperCase', toUpperCase))
})
