import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import { createBotPool } from '../../bot/pool.ts'
import type { BotPool } from '../../core/bot-pool.ts'
import { LIMITS } from '../../core/limits.ts'
import { bundleOf, runBot } from '../support/bot-jobs.ts'

// Threads start, perhaps on a busy machine.
jest.setTimeout(60_000)

const CALL_KIB = LIMITS.botCallCharacters / 1024

let pool: BotPool
const problems: string[] = []

beforeAll(() => {
  pool = createBotPool((problem) => void problems.push(problem))
})
afterAll(() => pool.stop())

/** On a busy machine, what a run may compute takes longer than it may take by the clock. */
beforeEach(() => {
  const limits: { botRunMs: number } = LIMITS
  jest.replaceProperty(limits, 'botRunMs', 50_000)
})
const withItsTimeLimit = () => void jest.restoreAllMocks()
afterEach(withItsTimeLimit)

const run = (onMessage: string, around = '') => runBot(pool, bundleOf(onMessage, around))

describe('a bot', () => {
  it('gets its event, asks for things in their order and logs', async () => {
    const { result, calls, lines } = await runBot(
      pool,
      bundleOf(`async (ctx) => {
        const sent = await ctx.send({ type: 'text', content: ctx.message.content })
        await ctx.setState(sent.id)
        ctx.log.info('sent', sent, new Date(0))
        console.warn('careful')
      }`),
      { call: async (op) => JSON.stringify(op === 'send' ? { id: 'wamid.1' } : null) },
    )
    expect(result).toBe('done')
    expect(calls).toEqual([
      ['send', [{ type: 'text', content: 'Hello' }]],
      ['setState', ['wamid.1']],
    ])
    expect(lines).toEqual([
      { level: 'info', text: 'sent {"id":"wamid.1"} "1970-01-01T00:00:00.000Z"' },
      { level: 'warn', text: 'careful' },
    ])
  })

  it('logs and throws what holds a NUL to its end', async () => {
    const { text, lines } = await run(
      `(ctx) => { ctx.log.info('before\\0after', 'more'); throw new Error('one\\0two') }`,
    )
    expect(lines).toEqual([{ level: 'info', text: 'before\ufffdafter more' }])
    expect(text).toMatch(/^Error: one\ufffdtwo\n/)
  })

  it('hears why something was refused, as an error with its code', async () => {
    const refused = { message: 'No such state', code: 'INVALID_STATE', details: { a: 1 } }
    const { lines } = await runBot(
      pool,
      bundleOf(`async (ctx) => {
        try { await ctx.setState('x') }
        catch (error) { ctx.log.info(error instanceof Error, error.code, error.message, error.details) }
      }`),
      { call: () => Promise.reject(new Error('no')), describe: () => JSON.stringify(refused) },
    )
    expect(lines).toEqual([{ level: 'info', text: 'true INVALID_STATE No such state {"a":1}' }])
  })

  it('that does not wait for what it asked for is waited for', async () => {
    const { result, calls } = await run(`(ctx) => { ctx.send({}).then(() => ctx.setState('x')) }`)
    expect(result).toBe('done')
    expect(calls.map(([op]) => op)).toEqual(['send', 'setState'])
  })

  it('goes on after whatever it logs', async () => {
    const { result, lines, computedMs } = await run(`async (ctx) => {
      let nested = 0; for (let i = 0; i < 1e5; i++) nested = [{ nested }]
      const array = []; array.push(array)
      const bare = Object.create(null); bare.bare = bare
      const odd = new Proxy({}, { get() { throw 1 } })
      const dear = Object.assign(() => {}, { toString() { throw 2 } })
      const cycle = {}; cycle.cycle = cycle
      for (const one of [nested, cycle, array, bare, odd, dear]) ctx.log.info(one)
    }`)
    expect(result).toBe('done')
    const [object, unreadable] = ['[object Object]', 'Something that cannot be read']
    const said = [object, object, unreadable, unreadable, unreadable, unreadable]
    expect(lines.map(({ text }) => text)).toEqual(said)
    expect(computedMs).toBeLessThan(LIMITS.botComputingMs)
  })

  it('is told of each call that failed and that it waited for nowhere', async () => {
    const bundle = bundleOf(`async (ctx) => {
      ctx.send({})
      const late = ctx.send({})
      await ctx.setState('x').catch(() => {})
      try { await late } catch {}
      ctx.setState(1n)
    }`)
    const { lines } = await runBot(pool, bundle, { call: () => Promise.reject(new Error('no')) })
    expect(lines.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Nobody waited for what failed: Error: Error: no\n.*\(bot\.js:/),
      expect.stringMatching(/^Nobody waited for what failed: TypeError: .*bigint/i),
    ])
  })

  it('that throws fails with what it threw, and where', async () => {
    const { result, text } = await run(`async (ctx) => { ctx.message.nothing.more }`)
    expect(result).toBe('failed')
    expect(text).toMatch(/^TypeError: cannot read property 'more' of undefined\n[^]*bot\.js:1:\d+/)
  })

  it.each([
    ['throw undefined', 'Thrown: undefined'],
    ['throw { toString() { throw 1 } }', /./],
    ['throw new Proxy({}, { get() { throw 1 } })', /./],
    ['throw { message: { toString: 1 } }', /./],
    ['throw Promise.resolve(1)', /./],
    ['throw Symbol("s")', /./],
    ['throw Object.assign(new Error("x"), { get stack() { throw 1 } })', /./],
  ])('that throws oddly fails all the same: %s', async (code, words) => {
    for (const handler of [`async () => { ${code} }`, `() => { ${code} }`]) {
      const { result, text } = await run(handler)
      expect([result, text]).toEqual(['failed', expect.stringMatching(words)])
    }
  })

  it('that throws oddly before it begins fails all the same', async () => {
    const around = 'Array.prototype.find = () => { throw { message: { toString: 1 } } }'
    const { result } = await runBot(pool, bundleOf('() => {}', around))
    expect(result).toBe('failed')
  })

  it('never has emit throw, whatever the payload', async () => {
    const { lines, calls } = await run(`async (ctx) => {
      const cycle = {}; cycle.cycle = cycle
      for (const payload of [cycle, 1n, { toJSON() { throw 1 } }, 'x'.repeat(3e6), Symbol(), undefined]) {
        ctx.log.info(await ctx.emit('a', payload))
      }
    }`)
    expect(lines.map(({ text }) => text)).toEqual([
      'false',
      'false',
      'false',
      'false',
      'null',
      'null',
    ])
    expect(calls).toEqual([
      ['emit', ['a', null]],
      ['emit', ['a']],
    ])
  })

  it('is told that what nests too deeply is not emitted, and goes on', async () => {
    const { result, lines, computedMs } = await run(`async (ctx) => {
      const nested = (depth) => { let v = 0; for (let i = 0; i < depth; i++) v = [{ v }]; return v }
      const cycle = {}; cycle.one = cycle.other = [cycle, cycle]
      for (const payload of [nested(400), cycle, nested(1e5)]) ctx.log.info(await ctx.emit('a', payload))
      await ctx.send(nested(1e5)).catch((error) => ctx.log.info(error.message))
    }`)
    expect(result).toBe('done')
    expect(lines.map(({ text }) => text)).toEqual([
      'null',
      'false',
      'false',
      'A call nests 1000 levels deep at the most.',
    ])
    expect(computedMs).toBeLessThan(LIMITS.botComputingMs)
  })
})

describe('the sandbox', () => {
  it.each([
    `(ctx) => ctx.send.constructor('return process')()`,
    `(ctx) => ctx.constructor.constructor('return process')().exit()`,
    `(ctx) => ctx.log.info.constructor.constructor('return globalThis.process.env')()`,
    `() => (async () => {}).constructor('return process.mainModule')()`,
    `() => { try { null.x } catch (error) { return error.constructor.constructor('return process')() } }`,
    `(ctx) => ctx.send({ toJSON() { return this.constructor.constructor('return process')() } })`,
    `() => require('fs')`,
    `() => import('fs')`,
    `() => fetch('http://127.0.0.1')`,
    `() => new Worker('x')`,
    `() => setTimeout(() => {}, 1)`,
    `() => std.exit(1)`,
    `() => os.exec(['id'])`,
    `() => new WebAssembly.Memory({ initial: 1 })`,
  ])('has nothing to escape with: %s', async (onMessage) => {
    const { result, text } = await run(onMessage)
    expect([result, text]).toEqual(['failed', expect.stringMatching(/Error:/)])
  })

  it('knows the language alone by its global names', async () => {
    const { lines } = await run(`(ctx) => ctx.log.info(Object.getOwnPropertyNames(globalThis)
      .filter((name) => /^[a-z]/.test(name)).sort().join())`)
    expect(lines[0]?.text.split(',')).toEqual([
      ...['bot', 'console', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent'],
      ...['escape', 'eval', 'globalThis', 'isFinite', 'isNaN', 'parseFloat', 'parseInt'],
      ...['undefined', 'unescape'],
    ])
  })

  it('shares no object with another bot, nor with the service', async () => {
    const spoilt = `(Object.prototype.polluted = 1, Array.prototype.push = () => { throw 1 },
      JSON.stringify = () => 'no', Promise.prototype.then = null, Object.prototype.toJSON = () => 1)`
    await run(`async () => { ${spoilt} }`)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    const { result, lines } = await run(`async (ctx) => ctx.log.info(({}).polluted, [1].push(2))`)
    expect([result, lines]).toEqual(['done', [{ level: 'info', text: 'undefined 2' }]])
  })

  it('lets nothing that a bot kept of one run ask for anything in the next', async () => {
    const bundle = bundleOf(
      `async (ctx) => { kept ??= ctx; await kept.send({ n: ++n }) }`,
      `let kept = null; let n = 0`,
    )
    const first = await runBot(pool, bundle, { projectId: 'keeper' })
    const second = await runBot(pool, bundle, { projectId: 'keeper' })
    expect(first.calls).toEqual([['send', [{ n: 1 }]]])
    // Another thread may have taken it, where it is the first run.
    if (second.result === 'done') expect(second.calls).toEqual([['send', [{ n: 1 }]]])
    else expect([second.text, second.calls]).toEqual([expect.stringMatching(/has ended/), []])
  })
})

describe('a bot that takes too much', () => {
  it.each([
    ['an endless loop', `() => { for (;;); }`],
    [
      'an endless loop that catches everything',
      `() => { for (;;) try { for (;;); } catch {} finally { continue } }`,
    ],
    ['promises without end', `async () => { for (;;) await null }`],
    ['a catastrophic expression', `() => /^(a+)+$/.test('a'.repeat(40) + '!')`],
    ['a loop in what it threw', `() => { throw { get message() { for (;;); } } }`],
    ['a loop in a JSON method', `(ctx) => ctx.send({ toJSON() { for (;;); } })`],
    ['huge numbers', `() => { let n = 3n; for (;;) n = n * n }`],
    [
      'a sort without end',
      `() => { for (;;) Array.from({ length: 1e5 }, (_, i) => -i).sort((a, b) => a - b) }`,
    ],
  ])('is stopped in %s after a second of computing', async (_, onMessage) => {
    const { result, begun } = await run(onMessage)
    expect(result).toMatch(/^(spent|failed)$/)
    expect(begun).toBeLessThanOrEqual(2)
  })

  it.each([
    ['texts', `() => { let s = 'x'; for (;;) s += s }`],
    ['arrays', `() => { const all = []; for (;;) all.push(new Array(1e4).fill(1)) }`],
    ['buffers', `() => { const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1)) }`],
    ['one large buffer', `() => new ArrayBuffer(1e9)`],
    ['one large array', `() => new Array(1e9).fill(1)`],
    ['recursion', `() => { const down = () => down() + 1; return down() }`],
    ['deep JSON', `() => JSON.parse('['.repeat(1e6))`],
    [
      'deep objects',
      `() => { let o = {}; for (let i = 0; i < 1e6; i++) o = { o }; return JSON.stringify(o) }`,
    ],
    ['a deep expression', `() => new RegExp('('.repeat(1e5) + ')'.repeat(1e5))`],
    ['deep code', `() => eval('['.repeat(1e5))`],
  ])('comes to its end for %s, and the next one runs', async (_, onMessage) => {
    const { result } = await run(onMessage)
    expect(result).toMatch(/^(spent|failed)$/)
    expect((await run('() => 1')).result).toBe('done')
  })

  it('is left alone when it waits for what never comes', async () => {
    withItsTimeLimit()
    const started = performance.now()
    const never = run('() => new Promise(() => {})')
    expect((await run('() => 1')).result).toBe('done')
    expect(performance.now() - started).toBeLessThan(4_000)
    expect((await never).result).toBe('late')
  })

  it('has all of its time, however long the thread takes to start that runs it', async () => {
    const fresh = createBotPool((problem) => void problems.push(problem))
    jest.useFakeTimers({ doNotFake: ['performance', 'setInterval', 'setImmediate', 'nextTick'] })
    const ending = runBot(fresh, bundleOf('() => 1'))
    jest.advanceTimersByTime(LIMITS.botRunMs)
    jest.useRealTimers()
    expect((await ending).result).toBe('done')
    fresh.stop()
  })

  it('says no more than its lines, of ten megabytes', async () => {
    const { result, lines, linesDropped } = await run(
      `(ctx) => { for (let i = 0; i < 5000; i++) ctx.log.info('x'.repeat(2100)) }`,
    )
    expect(result).toBe('done')
    expect(lines).toHaveLength(100)
    expect(linesDropped).toBe(4_900)
    expect(new Set(lines.map(({ text }) => text.length))).toEqual(new Set([2_001]))
  })

  it.each([
    ['waits for what never comes', 'late', 'await new Promise(() => {})'],
    ['loops', 'spent', 'for (;;);'],
    ['takes its thread with it', 'spent', `'x'.repeat(5e6).indexOf('x'.repeat(2e6) + 'y')`],
  ])('has said once, in its log, what it said before it %s', async (_, result, end) => {
    if (result === 'late') withItsTimeLimit()
    const ending = await run(`async (ctx) => {
      for (let i = 0; i < 99; i++) ctx.log.info('line ' + i)
      await ctx.setState('x')
      for (let i = 99; i < 200; i++) ctx.log.warn('line ' + i)
      await ctx.setState('y')
      ${end}
    }`)
    expect(ending.result).toBe(result)
    expect(ending.lines.map(({ text }) => text)).toEqual(
      Array.from({ length: 100 }, (_line, i) => `line ${i}`),
    )
    expect(ending.linesDropped).toBe(100)
  })

  it(`asks for no more than its calls, and says at most ${CALL_KIB} KiB in one`, async () => {
    const { calls, lines } = await run(`async (ctx) => {
      for (let i = 0; i < 300; i++) await ctx.setState('x').catch((error) => ctx.log.info(error.message))
    }`)
    expect(calls).toHaveLength(200)
    expect(lines[0]?.text).toMatch(/at most 200/)
    const large = await run(
      `(ctx) => ctx.send({ content: 'x'.repeat(${LIMITS.botCallCharacters + 1}) })`,
    )
    expect([large.result, large.calls.length]).toEqual(['failed', 0])
    expect(large.text).toContain(`A call says at most ${CALL_KIB} KiB.`)
  })

  it('slows nobody else down', async () => {
    const answer = async () => (await run('(ctx) => ctx.setState("x")')).tookMs
    const alone = [...(await timesOf(answer))]
    let isOver = false
    const attackers = ['() => { for (;;); }', "() => { let s = 'x'; for (;;) s += s }"].map(
      async (attack) => {
        while (!isOver) await runBot(pool, bundleOf(attack), { projectId: attack })
      },
    )
    const beside = await timesOf(answer)
    isOver = true
    await Promise.all(attackers)
    const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length / 2] ?? 0
    expect(median(beside)).toBeLessThan(2 * median(alone) + 5)
  })

  it('does not fill the threads with version after version of large code', async () => {
    // Beyond Latin-1, a character takes two bytes of a thread's memory.
    const around = `/*\u4e00${'x'.repeat(LIMITS.botBundleBytes - 300)}*/`
    for (let version = 0; version < 40; version++) {
      const bundle = bundleOf('() => {}', around)
      const { result } = await runBot(pool, bundle, { botId: `large ${version}` })
      expect(result).toBe('done')
    }
  })

  it('breaks nothing', () => {
    expect([...new Set(problems)].filter((one) => !/interrupted/.test(one))).toEqual([])
  })
})

async function timesOf(answer: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < 40; i++) times.push(await answer())
  return times
}
