import { LIMITS } from '../core/limits.ts'

/** The formats of ECMA-402 for bots' code; only text passes, so neither side can reach into the other. */
export type Formats = {
  /**
   * Calls a method of a format, such as `format` of `DateTimeFormat`. `settings` is the pair of its locales and
   * options as JSON, `args` its texts as JSON; answers JSON. Throws `RangeError` and `TypeError` as the language
   * does, and for what exceeds the limits.
   */
  call(kind: string, method: string, settings: string, args: string): string
  /** Begins a run, which may use as many formats as each other one. */
  begin(): void
}

type Locales = string | string[]
type Methods = Record<string, (args: string[]) => unknown>

/** The machine has a language and a time zone of its own, and bots must not depend on it. */
const LOCALE = 'en-US'
const TIME_ZONE = 'UTC'

/** ECMA-402 reads digits of any length from a text; the types demand that they are known. */
const number = (text = '') => text as Intl.StringNumericLiteral

/** Reads the settings of a kind; what the options hold is checked by the format itself. */
function kind<Options>(make: (locales: Locales, options: Options) => Methods) {
  return (settings: string): Methods => {
    const [locales, options] = JSON.parse(settings) as [Locales | null, Options]
    return make(locales ?? LOCALE, options)
  }
}

const KINDS = new Map([
  [
    'DateTimeFormat',
    kind((locales, options: Intl.DateTimeFormatOptions) => {
      const made = new Intl.DateTimeFormat(locales, { timeZone: TIME_ZONE, ...options })
      return {
        format: ([at]) => made.format(Number(at)),
        formatToParts: ([at]) => made.formatToParts(Number(at)),
        formatRange: ([from, to]) => made.formatRange(Number(from), Number(to)),
        formatRangeToParts: ([from, to]) => made.formatRangeToParts(Number(from), Number(to)),
        resolvedOptions: () => made.resolvedOptions(),
      }
    }),
  ],
  [
    'NumberFormat',
    kind((locales, options: Intl.NumberFormatOptions) => {
      const made = new Intl.NumberFormat(locales, options)
      return {
        format: ([value]) => made.format(number(value)),
        formatToParts: ([value]) => made.formatToParts(number(value)),
        resolvedOptions: () => made.resolvedOptions(),
      }
    }),
  ],
  [
    'PluralRules',
    kind((locales, options: Intl.PluralRulesOptions) => {
      const made = new Intl.PluralRules(locales, options)
      return {
        select: ([value]) => made.select(Number(value)),
        resolvedOptions: () => made.resolvedOptions(),
      }
    }),
  ],
  [
    'RelativeTimeFormat',
    kind((locales, options: Intl.RelativeTimeFormatOptions) => {
      const made = new Intl.RelativeTimeFormat(locales, options)
      const unit = (text = '') => text as Intl.RelativeTimeFormatUnit
      return {
        format: ([value, of]) => made.format(Number(value), unit(of)),
        formatToParts: ([value, of]) => made.formatToParts(Number(value), unit(of)),
        resolvedOptions: () => made.resolvedOptions(),
      }
    }),
  ],
  [
    'ListFormat',
    kind((locales, options: Intl.ListFormatOptions) => {
      const made = new Intl.ListFormat(locales, options)
      return {
        format: (items) => made.format(items),
        formatToParts: (items) => made.formatToParts(items),
        resolvedOptions: () => made.resolvedOptions(),
      }
    }),
  ],
  [
    'DisplayNames',
    kind((locales, options: Intl.DisplayNamesOptions) => {
      const made = new Intl.DisplayNames(locales, options)
      return {
        of: ([code = '']) => made.of(code),
        resolvedOptions: () => made.resolvedOptions(),
      }
    }),
  ],
  [
    'Collator',
    kind((locales, options: Intl.CollatorOptions) => {
      const made = new Intl.Collator(locales, options)
      return {
        compare: ([one = '', other = '']) => made.compare(one, other),
        resolvedOptions: () => made.resolvedOptions(),
      }
    }),
  ],
  [
    'Casing',
    kind((locales) => ({
      toLocaleLowerCase: ([text = '']) => text.toLocaleLowerCase(locales),
      toLocaleUpperCase: ([text = '']) => text.toLocaleUpperCase(locales),
    })),
  ],
])

/** Formats have no state, so all bots of a thread share them; to make one takes thirty times as long as to use it. */
const kept = new Map<string, Methods>()

/** Gives one bot's code its formats. */
export function createFormats(): Formats {
  let used = new Set<string>()

  function methodsOf(kind: string, settings: string): Methods {
    const key = `${kind} ${settings}`
    const isNew = !used.has(key)
    if (isNew && used.size >= LIMITS.botFormats) throw new RangeError(TOO_MANY)
    const methods = kept.get(key) ?? make(kind, settings)
    // The one that was used last is the last to go.
    kept.delete(key)
    kept.set(key, methods)
    const [oldest = ''] = kept.keys()
    if (kept.size > LIMITS.botFormatsKept) kept.delete(oldest)
    if (isNew) used.add(key)
    return methods
  }

  return {
    begin: () => void (used = new Set()),
    call(kind, method, settings, args) {
      if (settings.length + args.length > LIMITS.botFormatCharacters) throw new RangeError(TOO_LONG)
      const methods = methodsOf(kind, settings)
      if (!Object.hasOwn(methods, method)) throw new TypeError(`${kind} has no ${method}.`)
      return JSON.stringify(methods[method]?.(JSON.parse(args) as string[])) ?? 'null'
    },
  }
}

const TOO_LONG = `What is formatted has at most ${LIMITS.botFormatCharacters} characters.`
const TOO_MANY = `A run formats in at most ${LIMITS.botFormats} different ways.`

function make(kind: string, settings: string): Methods {
  const makeKind = KINDS.get(kind)
  if (!makeKind) throw new TypeError(`There is no Intl.${kind}.`)
  return makeKind(settings)
}
