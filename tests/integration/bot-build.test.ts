import { EventEmitter } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createBuilder, type Program } from '../../bot/build.ts'
import { checkBundle } from '../../bot/load.ts'
import { readStarter } from '../../bot/starter-files.ts'
import type { BuildFault, CodeFiles } from '../../core/bots.ts'
import { LIMITS } from '../../core/limits.ts'

const starter = readStarter()
const build = createBuilder()
let projects = 0
const newProject = () => `p${++projects}`

function withStarter(files: Record<string, string>): CodeFiles {
  const own = Object.entries(files).map(([name, text]): [string, Buffer] => [
    name,
    Buffer.from(text),
  ])
  return new Map([...starter, ...own])
}

/** Builds a bot of these files and the platform's; throws when it does not build. */
async function built(files: Record<string, string>) {
  const outcome = await build(withStarter(files), newProject())
  if (!outcome?.ok) throw new Error(JSON.stringify(outcome?.errors ?? 'There is no room'))
  return outcome
}

/** The faults of a bot of these files; throws when it builds. */
async function faults(files: Record<string, string>, builder = build): Promise<BuildFault[]> {
  const outcome = await builder(withStarter(files), newProject())
  if (!outcome || outcome.ok) throw new Error(outcome ? 'It builds' : 'There is no room')
  return outcome.errors
}

describe('the starter', () => {
  it('builds, and loads with its handler', async () => {
    expect(await checkBundle(await built({}), newProject())).toEqual({
      ok: true,
      handlers: ['onMessage'],
    })
  })

  it('tells in its manifest what is in force', () => {
    const manifest = JSON.parse(String(starter.get('manifest.json'))) as Record<string, unknown>
    expect(manifest).toMatchObject({
      limits: {
        memory_bytes: LIMITS.botMemoryBytes,
        run_ms: LIMITS.botRunMs,
        computing_ms: LIMITS.botComputingMs,
      },
    })
  })
})

describe('a build', () => {
  it('joins the files that are imported, in every way to name them, into one script', async () => {
    const files = {
      'bot.ts': `
        import { a } from './src/a'
        import { b } from './src/b.js'
        import { c } from './src/c.ts'
        import { d } from './d'
        import e from './e.json'
        import f from './f.txt'
        export const onMessage = () => [a, b, c, d, e.value, f]
        export async function onStatus() { return (await import('./src/late.ts')).late }`,
      'src/a.ts': `import { c } from './c'\nexport const a: string = 'is a' + c`,
      'src/b.ts': `export const b = 'is b'`,
      'src/c.ts': `export const c = 'is c'`,
      'src/late.ts': `export const late = 'is late'`,
      'd/index.ts': `export { c as d } from '../src/c.js'`,
      'e.json': '{"value": "is e"}',
      'f.txt': 'is ünïcödé',
      'unused.ts': 'export const unused = "is unused"',
    }
    const { bundle, sourceMap } = await built(files)
    for (const text of ['is a', 'is b', 'is c', 'is late', 'is e', 'is ünïcödé']) {
      expect(bundle).toContain(text)
    }
    expect(bundle).not.toContain('is unused')
    const { sources } = JSON.parse(sourceMap) as { sources: string[] }
    expect(sources).toEqual(expect.arrayContaining(['bot.ts', 'src/a.ts', 'app.ts']))
    const made = { bundle, sourceMap }
    expect(await checkBundle(made, newProject())).toEqual({
      ok: true,
      handlers: ['onMessage', 'onStatus'],
    })
  })

  it.each([
    ['a class', 'export class onStatus {}'],
    ['a generator', 'export function* onStatus() {}'],
    ['an async generator', 'export const onStatus = { async *of() {} }.of'],
    ['a value', `export const onStatus = 'x'`],
    ['null', 'export const onStatus = null'],
  ])(
    'is refused when a handler is %s, which could not be called for a message',
    async (_, code) => {
      const made = await built({ 'bot.ts': `export function onMessage() {}\n${code}` })
      const text =
        'onStatus must be a function, async or not; a class, a generator or a value cannot be called.'
      expect(await checkBundle(made, newProject())).toEqual({
        ok: false,
        errors: [{ file: 'bot.ts', line: null, column: null, text }],
      })
    },
  )

  it.each([
    ['an arrow function', 'export const onMessage = () => {}'],
    ['a method', 'export const { onMessage } = { async onMessage() {} }'],
    ['bound', 'export const onMessage = (function () {}).bind(null)'],
    ['of a class', 'class Of { static onMessage() {} }\nexport const onMessage = Of.onMessage'],
    [
      'named as a class begins',
      'const classy = { classify() {} }\nexport const onMessage = classy.classify',
    ],
  ])('takes a handler that is %s', async (_, code) => {
    const made = await built({ 'bot.ts': code })
    expect(await checkBundle(made, newProject())).toEqual({ ok: true, handlers: ['onMessage'] })
  })

  it('tells of a handler that is missing, and of each that cannot be called', async () => {
    const told = async (code: string) => {
      const checked = await checkBundle(await built({ 'bot.ts': code }), newProject())
      return checked?.ok === false ? checked.errors.map(({ text }) => text.split(' must ')[0]) : []
    }
    const missing = 'It'
    expect(await told('export function onFlowReply() {}')).toEqual([missing])
    expect(await told('export class onMessage {}')).toEqual(['onMessage'])
    expect(await told('export class onFlowReply {}')).toEqual(['onFlowReply', missing])
  })

  it('tells each fault with its file, line and column, in characters', async () => {
    const files = {
      'bot.ts': `import './broken.ts'\nimport { x } from './gone'\nexport const onMessage = x`,
      'broken.ts': `const ok = 1\n/* üü👋 */ let let = 2`,
    }
    expect(await faults(files)).toEqual([
      { file: 'bot.ts', line: 2, column: 19, text: 'There is no file gone.' },
      { file: 'broken.ts', line: 2, column: 16, text: expect.stringContaining('let') },
    ])
  })

  it('tells what is wrong with code that nothing imports, too, beside the faults of what is', async () => {
    const unused = { 'drafts/a.ts': 'export const = 1', 'drafts/a.js': 'const ok = 1\nlet let' }
    const text = expect.stringContaining('identifier')
    const told = [
      { file: 'drafts/a.ts', line: 1, column: 14, text },
      { file: 'drafts/a.js', line: 2, column: 5, text },
    ]
    expect(await faults(unused)).toEqual(told)
    expect(await faults({ ...unused, 'bot.ts': `import './gone'` })).toEqual([
      { file: 'bot.ts', line: 1, column: 8, text: 'There is no file gone.' },
      ...told,
    ])
  })

  it('takes other files, and code that nothing imports, whatever they name', async () => {
    const { bundle } = await built({
      'drafts/a.ts': `import { test } from 'vitest'\nexport const a: string = test('is a')`,
      'drafts/a.js': `export { b } from './gone.js'\nawait import('node:fs')`,
      'drafts/a.json': '{',
      'notes.txt': 'export const = 1',
      'widget.jsx': '<b>1',
    })
    expect(bundle).not.toContain('is a')
  })

  it('tells at most fifty faults', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `import './gone-${at}.ts'`)
    expect(await faults({ 'bot.ts': lines.join('\n') })).toHaveLength(LIMITS.faultsTold)
  })

  it('needs the file bot.ts', async () => {
    const files = new Map([...starter].filter(([name]) => name !== 'bot.ts'))
    expect(await build(files, newProject())).toMatchObject({
      ok: false,
      errors: [{ file: 'app.ts', text: 'There is no file bot.ts.' }],
    })
  })
})

describe('a build sees nothing of the machine', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'secrets-'))
    await writeFile(path.join(folder, 'key.json'), '{"secret": "the very secret"}')
    await writeFile(path.join(folder, 'key.txt'), 'the very secret')
  })
  afterAll(() => rm(folder, { recursive: true }))

  const up = '../'.repeat(20)
  it.each([
    ['an absolute path', () => `import k from '${folder}/key.json'; export const onMessage = k`],
    ['a way up', () => `import k from './${up}${folder}/key.json'; export const onMessage = k`],
    ['a plain way up', () => `import k from '${up}${folder}/key.txt'; export const onMessage = k`],
    [
      'a file address',
      () => `import k from 'file://${folder}/key.json'; export const onMessage = k`,
    ],
    ['require', () => `export const onMessage = require('${folder}/key.json')`],
    ['require on a way up', () => `export const onMessage = require('${up}${folder}/key.json')`],
    ['a late import', () => `export const onMessage = () => import('${folder}/key.json')`],
    ['a gap', () => `export const onMessage = (n) => import('./${up}${folder}/' + n + '.json')`],
    [
      'a gap in a template',
      () => `export const onMessage = (n) => import(\`${up}${folder}/\${n}\`)`,
    ],
    [
      'require with a gap',
      () => `export const onMessage = (n) => require(\`./${up}${folder}/\${n}\`)`,
    ],
    ['a module of Node', () => `import fs from 'node:fs'; export const onMessage = fs`],
    ['a package', () => `import esbuild from 'esbuild'; export const onMessage = esbuild`],
    ['a package file', () => `import p from './node_modules/esbuild'; export const onMessage = p`],
    ['the web', () => `import x from 'https://example.com/x.js'; export const onMessage = x`],
    [
      'data in the path',
      () => `import x from 'data:text/javascript,1'; export const onMessage = x`,
    ],
    [
      'a sibling of the service',
      () => `import x from './core/root.ts'; export const onMessage = x`,
    ],
  ])('by %s', async (_what, code) => {
    const errors = await faults({ 'bot.ts': code() })
    expect(errors).not.toEqual([])
    for (const { file, line } of errors) expect([file, line]).toEqual(['bot.ts', 1])
    expect(JSON.stringify(errors)).not.toContain('the very secret')
  })

  it('by what it says of a path with a gap, whether something fits or not', async () => {
    const said = async (place: string, ending: string) =>
      faults({ 'bot.ts': `export const onMessage = (n) => import('${place}' + n + '${ending}')` })
    const inFolder = `${up}${folder}/`
    const answers = [
      await said(inFolder, '.json'),
      await said(inFolder, '.none'),
      await said(`${inFolder}no-folder/`, '.json'),
      await said('./', '.ts'),
    ]
    const text = 'An import must name one file, in a text that is written out.'
    for (const answer of answers)
      expect(answer).toEqual([{ file: 'bot.ts', line: 1, column: 40, text }])
  })

  it('by a source map that a file names', async () => {
    const map = { version: 3, sources: ['the very secret'], names: [], mappings: 'AAAA' }
    await writeFile(path.join(folder, 'bot.map'), JSON.stringify(map))
    const code = `export const onMessage = () => 1\n//# sourceMappingURL=`
    for (const address of [
      `${folder}/bot.map`,
      `${up}${folder}/bot.map`,
      `file://${folder}/bot.map`,
    ]) {
      const { sourceMap } = await built({ 'bot.ts': code + address })
      expect(sourceMap).not.toContain('the very secret')
    }
  })
})

describe('a build is bounded', () => {
  const CODE = 1_000_000
  const ENDLESS = `enum A {${'a,'.repeat(CODE / 2)}}\nexport const onMessage = A`
  it.each([
    ['brackets', '('.repeat(CODE)],
    ['arrays', `export const onMessage = ${'['.repeat(CODE / 2)}${']'.repeat(CODE / 2)}`],
    ['signs', `export const onMessage = ${'!'.repeat(CODE)}1`],
    ['blocks', '{'.repeat(CODE / 2) + '}'.repeat(CODE / 2)],
    ['templates', `export const onMessage = ${'`${'.repeat(CODE / 4)}1${'}`'.repeat(CODE / 4)}`],
    ['calls', `x${'()'.repeat(CODE / 2)}`],
  ])('for %s that nest without end', async (_what, code) => {
    const [fault] = await faults({ 'bot.ts': code })
    expect(fault).toEqual({ file: null, line: null, column: null, text: expect.any(String) })
  })

  it('in time, and the next one is not kept waiting', async () => {
    const impatient = createBuilder(1_000)
    const outcomes = await Promise.all([
      ...Array.from({ length: LIMITS.buildsAtOnce }, () =>
        faults({ 'bot.ts': ENDLESS }, impatient),
      ),
      impatient(starter, newProject()),
    ])
    const next = outcomes.pop()
    const late = {
      file: null,
      line: null,
      column: null,
      text: 'The build takes longer than 1 seconds.',
    }
    for (const errors of outcomes) expect(errors).toEqual([late])
    expect(next).toMatchObject({ ok: true })
  })

  it('for each project, and another one is not kept waiting', async () => {
    const impatient = createBuilder(1_000)
    const endless = withStarter({ 'bot.ts': ENDLESS })
    const ended: string[] = []
    const asked = ['greedy', 'greedy', 'greedy', 'other'].map(async (projectId) => {
      await impatient(projectId === 'other' ? starter : endless, projectId)
      ended.push(projectId)
    })
    await Promise.all(asked)
    expect(ended).toEqual(['other', 'greedy', 'greedy', 'greedy'])
  })

  it('in how many wait for it, of which it says that there is no room, and nothing of the code', async () => {
    const hasty = createBuilder(100)
    const endless = withStarter({ 'bot.ts': ENDLESS })
    const asked = Array.from({ length: LIMITS.buildsWaiting + 2 }, () => hasty(endless, 'greedy'))
    const outcomes = await Promise.all(asked)
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1)
    expect(outcomes.at(-1)).toBeNull()
  })

  it('in what it makes', async () => {
    const text = 'x'.repeat(LIMITS.codeFileBytes)
    const names = ['a', 'b', 'c', 'd', 'e']
    const files = Object.fromEntries(names.map((name) => [`${name}.txt`, text + name]))
    const imports = names.map((name) => `import ${name} from './${name}.txt'`).join('\n')
    const code = `${imports}\nexport const onMessage = () => [${names.join(', ')}]`
    const [fault] = await faults({ ...files, 'bot.ts': code })
    expect(fault?.text).toContain(`at most ${LIMITS.botBundleBytes} can run`)
  })

  it('in what is read of it, also when it has ended by itself before it could be stopped', async () => {
    const program = Object.assign(new EventEmitter(), {
      stdin: new PassThrough().resume(),
      stdout: new PassThrough(),
    })
    const builder = createBuilder(LIMITS.buildTimeoutMs, () => program as unknown as Program)
    const asked = faults({}, builder)
    program.stdin.once('end', () => program.stdout.end(Buffer.alloc(LIMITS.buildOutputBytes + 1)))
    program.stdout.once('end', () => program.emit('close', 0))
    const [fault] = await asked
    expect(fault?.text).toBe('The code is too large, or nests too deeply, to be built.')
  })
})

it('a build that the system has no file descriptors for fails by itself, and ends no process', async () => {
  const program = new EventEmitter()
  const fault = Object.assign(new Error('spawn /bin/sh EMFILE'), { code: 'EMFILE' })
  let isHeard = false
  // As Node does then: the program has no streams, and tells the error in a moment, which ends the process of
  // whoever does not listen by then.
  const start = () => {
    process.nextTick(() => {
      isHeard = program.listenerCount('error') > 0
      if (isHeard) program.emit('error', fault)
    })
    return program as unknown as Program
  }
  const asked = createBuilder(LIMITS.buildTimeoutMs, start)(starter, newProject())
  await expect(asked).rejects.toThrow()
  expect(isHeard).toBe(true)
  await expect(asked).rejects.toBe(fault)
})
