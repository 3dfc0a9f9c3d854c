import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { createBotPool } from '../../bot/pool.ts'
import type { BotPool } from '../../core/bot-pool.ts'
import { LIMITS } from '../../core/limits.ts'
import { bundleOf, runBot } from '../support/bot-jobs.ts'

// Threads start, perhaps on a busy machine.
jest.setTimeout(60_000)

let pool: BotPool

beforeAll(() => {
  pool = createBotPool(() => {})
})
afterAll(() => pool.stop())

/** What Node makes of an expression, and what a bot logs of it; both throw what the language says. */
async function both(expressions: readonly string[]) {
  const outcomes = `[${expressions.map((one) => `() => (${one})`).join()}].map((work) => {
    try { return JSON.stringify(work()) ?? 'undefined' } catch (error) { return error.constructor.name }
  })`
  const { result, lines } = await runBot(
    pool,
    bundleOf(`(ctx) => { for (const one of ${outcomes}) ctx.log.info(one) }`),
  )
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the same text as the bot's
  const inNode = new Function(`return ${outcomes}`)() as string[]
  return { result, inBot: lines.map(({ text }) => text), inNode }
}

const BERLIN = `{ timeZone: 'Europe/Berlin' }`
const NOON = 'Date.UTC(2026, 5, 1, 12)'

const SAME = {
  'the hour and the day of the week in a time zone': [
    `new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/Berlin' }).format(${NOON})`,
    `new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'Pacific/Auckland' }).format(new Date(${NOON}))`,
    `new Intl.DateTimeFormat('en', ${BERLIN}).formatToParts(${NOON})`,
    `new Date(new Date(${NOON}).toLocaleString('en-US', ${BERLIN})).getHours()`,
  ],
  'dates in the words of a language': [
    `new Date(${NOON}).toLocaleDateString('de-DE', { dateStyle: 'full', timeZone: 'UTC' })`,
    `new Date(${NOON}).toLocaleDateString('es', { weekday: 'long', timeZone: 'UTC', day: 'numeric' })`,
    `new Date(${NOON}).toLocaleDateString(['xx', 'pt-BR'], { hour: '2-digit', timeZone: 'UTC' })`,
    `new Date(${NOON}).toLocaleTimeString('ar-EG', { timeStyle: 'short', timeZone: 'Africa/Cairo' })`,
    `new Date(${NOON}).toLocaleTimeString('ja', { year: 'numeric', timeZone: 'UTC' })`,
    `new Date(${NOON}).toLocaleString('hi', { weekday: 'short', timeZone: 'UTC' })`,
    `new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(${NOON}, ${NOON} + 864e5)`,
    `new Intl.DateTimeFormat('en').formatRangeToParts(${NOON}, ${NOON} + 864e5).length`,
    `new Date(NaN).toLocaleString('de')`,
  ],
  'amounts of money and other numbers': [
    `(1234.5).toLocaleString('de-DE', { style: 'currency', currency: 'EUR' })`,
    `new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' }).format('1234567.891')`,
    `12345678901234567890n.toLocaleString('fr')`,
    `[0.256, NaN, -Infinity, -0].map(new Intl.NumberFormat('en', { style: 'percent' }).format)`,
    `new Intl.NumberFormat('en', { notation: 'compact' }).formatToParts(12_300)`,
    `[undefined, null, true, ' 12 ', new Number(3)].map((one) => new Intl.NumberFormat('de').format(one))`,
    `[1.5, 2000].toLocaleString('de')`,
  ],
  'plurals, lists, names, orders, and times from now': [
    `[0, 1, 2, 5].map((n) => new Intl.PluralRules('pl').select(n))`,
    `new Intl.PluralRules('en', { type: 'ordinal' }).select(22)`,
    `new Intl.ListFormat('en', { type: 'disjunction' }).format(['tea', 'ink', 'salt'])`,
    `new Intl.ListFormat('de').formatToParts(new Set(['Tee', 'Salz']))`,
    `new Intl.DisplayNames('fr', { type: 'region' }).of('DE')`,
    `['z', 'ä', 'a'].sort(new Intl.Collator('de').compare)`,
    `['z', 'ä', 'a'].sort((a, b) => a.localeCompare(b, 'sv'))`,
    `'item 10'.localeCompare('item 9', undefined, { numeric: true })`,
    `new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day')`,
    `new Intl.RelativeTimeFormat('es').formatToParts(3, 'hours')`,
  ],
  'letters and lists': [
    `['istanbul'.toLocaleUpperCase('tr'), 'ISPARTA'.toLocaleLowerCase(['tr']), 'straße'.toLocaleUpperCase()]`,
    `'ΆΓΙΟΣ'.toLocaleLowerCase('el') + 'i'.toLocaleUpperCase(undefined)`,
    `[null, 1234.5, ['a', undefined]].toLocaleString('de')`,
    `[new Date(${NOON}), 2].toLocaleString('de', ${BERLIN})`,
    `new Float32Array([1.5, 2000]).toLocaleString('de', { minimumFractionDigits: 2 })`,
  ],
  'what the language says of the formats themselves': [
    `new Intl.NumberFormat('de-DE') instanceof Intl.NumberFormat`,
    `Intl.DateTimeFormat('de', ${BERLIN}).resolvedOptions()`,
    `new Intl.NumberFormat('de-AT', { style: 'unit', unit: 'kilometer' }).resolvedOptions()`,
    `new Intl.Collator('sv').resolvedOptions().locale`,
  ],
  'which errors it throws': [
    `new Date(0).toLocaleString('de', { timeZone: 'Europe/Nowhere' })`,
    `new Intl.NumberFormat('de', { style: 'currency' })`,
    `(1).toLocaleString('not a language')`,
    `new Intl.DateTimeFormat('de').format(NaN)`,
    `new Intl.RelativeTimeFormat('de').format(1, 'moons')`,
    `new Intl.DisplayNames('de')`,
    `Date.prototype.toLocaleString.call({})`,
    `Number.prototype.toLocaleString.call('1')`,
    `''.localeCompare.call(null, '')`,
    `'a'.toLocaleUpperCase('not a language')`,
    `''.toLocaleLowerCase.call(undefined, 'tr')`,
    `[].toLocaleString.call(null)`,
  ],
}

describe('a bot formats as the language says:', () => {
  it.each(Object.entries(SAME))('%s', async (_what, expressions) => {
    const { result, inBot, inNode } = await both(expressions)
    expect(result).toBe('done')
    expect(inBot).toEqual(inNode)
  })
})

describe('the formats of a bot', () => {
  const run = (onMessage: string, around = '') => runBot(pool, bundleOf(onMessage, around))
  const logged = async (onMessage: string, around = '') =>
    (await run(onMessage, around)).lines.map(({ text }) => text)

  it('are those of American English and UTC where nothing else is asked for', async () => {
    const lines = await logged(`(ctx) => {
      const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions()
      ctx.log.info(locale, timeZone, new Date(0).toLocaleString(), (1e6).toLocaleString(null))
    }`)
    expect(lines).toEqual(['en-US UTC 1/1/1970, 12:00:00 AM 1,000,000'])
  })

  it('do what the README of a bot says of them', async () => {
    const readme = readFileSync(new URL('../../bot/starter/README.md', import.meta.url), 'utf8')
    const examples = [...readme.matchAll(/`([^`\n]*(?:Intl|toLocale)[^`\n]*\))`/g)].map(
      ([, example]) => example,
    )
    const zone = { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/Berlin' } as const
    const hourNow = () => String(Number(new Intl.DateTimeFormat('en', zone).format()))
    const before = hourNow()
    const [hour, price] = await logged(
      `(ctx) => { for (const one of [${examples.join()}]) ctx.log.info(one) }`,
    )
    expect([before, hourNow()]).toContain(hour)
    expect(price).toBe('9,50\u00a0€')
  })

  it('may be made while the code is loaded', async () => {
    const euros = `const euros = new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' })`
    expect(await logged('(ctx) => ctx.log.info(euros.format(2))', euros)).toEqual(['2,00\u00a0€'])
  })

  it('are used again, however often the same one is asked for', async () => {
    const lines = await logged(`(ctx) => {
      let last = ''
      for (let i = 0; i < 5_000; i++) last = (i).toLocaleString('de', { style: 'percent' })
      ctx.log.info(last)
    }`)
    expect(lines).toEqual(['499.900\u00a0%'])
  })

  it(`are ${LIMITS.botFormats} different ones in a run, and the next run has as many`, async () => {
    const make = (count: string) => `(ctx) => {
      let made = 0
      try { for (; made < ${count}; made++) (1).toLocaleString('en', { minimumIntegerDigits: made % 21 + 1, currency: 'EUR', minimumFractionDigits: made % 20, style: made % 2 ? 'currency' : 'decimal', maximumFractionDigits: 20, note: made }) }
      catch (error) { ctx.log.info(error.message) }
      ctx.log.info(made)
    }`
    const most = String(LIMITS.botFormats)
    for (let time = 0; time < 3; time++) expect(await logged(make(most))).toEqual([most])
    const [reason, made] = await logged(make('1e6'))
    expect(reason).toBe(`A run formats in at most ${most} different ways.`)
    expect(made).toBe(most)
  })

  it(`are asked for and fed in at most ${LIMITS.botFormatCharacters} characters`, async () => {
    const lines = await logged(`(ctx) => {
      for (const work of [
        () => BigInt('9'.repeat(1e5)).toLocaleString(),
        () => new Intl.NumberFormat(Array(3_000).fill('de')),
        () => new Intl.ListFormat('de').format(Array(3_000).fill('Tee')),
      ]) try { work(); ctx.log.info('done') } catch (error) { ctx.log.info(error.message) }
    }`)
    expect(new Set(lines)).toEqual(
      new Set([`What is formatted has at most ${LIMITS.botFormatCharacters} characters.`]),
    )
  })

  it('reach nothing else outside, whatever they are called', async () => {
    const lines = await logged(`(ctx) => {
      for (const name of ['constructor', '__proto__', 'toString', 'Locale', 'Segmenter', '']) {
        ctx.log.info(typeof Intl[name] === 'function' && Intl[name] !== Object && Intl[name] !== Object.prototype.toString)
      }
      const format = new Intl.NumberFormat('de')
      ctx.log.info(Object.keys(format).sort().join(), format.constructor === Intl.NumberFormat)
      ctx.log.info(format.format.constructor('return typeof process')())
    }`)
    expect(lines.slice(0, 6)).toEqual(Array(6).fill('false'))
    expect(lines.at(-1)).toBe('undefined')
  })

  it('that are wrong count for nothing more than their error, and the run goes on', async () => {
    const { result, lines, computedMs } = await run(`(ctx) => {
      let refused = 0
      for (let i = 0; i < 2_000; i++) try { new Intl.NumberFormat('de', { style: 's' + i }) } catch { refused++ }
      ctx.log.info(refused)
    }`)
    expect({ result, lines }).toEqual({ result: 'done', lines: [{ level: 'info', text: '2000' }] })
    expect(computedMs).toBeLessThan(1_000)
  })
})
