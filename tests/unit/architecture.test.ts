import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { BOT_HANDLERS } from '../../core/bots.ts'
import { PROJECT_ROOT } from '../../core/root.ts'

/** What each folder may import besides itself. A line here is a decision: change it in review. */
const ROOMS = [
  ...['core', 'counters', 'database', 'egress', 'storage', 'channel', 'filetypes'],
  ...['bot', 'flows'],
  ...['capabilities', 'handlers', 'jobs', 'middleware'],
]
const MAY_IMPORT: Record<string, string[]> = {
  core: ['generated'],
  counters: ['core'],
  database: ['core'],
  egress: ['core'],
  storage: ['core'],
  bot: ['core'],
  filetypes: ['core'],
  flows: ['core'],
  channel: ['core', 'egress', 'filetypes', 'flows'],
  capabilities: ['core', 'generated', 'filetypes', 'flows'],
  handlers: ['core', 'capabilities'],
  jobs: ['core', 'capabilities'],
  middleware: ['core', 'capabilities'],
  // Files of the top level, such as app.ts, put the parts together.
  '.': [...ROOMS, 'generated'],
  scripts: [...ROOMS, 'generated', '.'],
  bench: [...ROOMS, 'generated', '.', 'tests', 'scripts'],
  tests: [...ROOMS, 'generated', '.', 'scripts', 'bench'],
}
/** Whom each subject of the capabilities calls. What lies beside their folders serves all and calls none. */
const SUBJECTS: Record<string, string[]> = {
  'channel-accounts': [],
  // An erasure deletes the files that a customer sent.
  conversations: ['media'],
  segments: [],
  tables: [],
  flows: ['channel-accounts'],
  // Its check of the sealed secrets goes through all that is sealed, and a purge through all that there is.
  projects: ['channel-accounts', 'media', 'tables', 'templates', 'webhooks'],
  webhooks: ['projects'],
  templates: ['channel-accounts', 'webhooks'],
  media: ['channel-accounts', 'templates'],
  messages: [
    ...['channel-accounts', 'conversations', 'flows', 'media', 'statuses', 'templates'],
    'webhooks',
  ],
  statuses: ['bots', 'broadcasts', 'conversations', 'messages', 'webhooks'],
  callbacks: [
    ...['bots', 'channel-accounts', 'conversations', 'flows', 'messages', 'statuses', 'templates'],
    'webhooks',
  ],
  broadcasts: [
    ...['channel-accounts', 'conversations', 'messages', 'segments', 'statuses', 'templates'],
  ],
  bots: ['conversations', 'flows', 'media', 'messages', 'tables', 'webhooks'],
}
/** The folders of the flows, from what the channel takes to what people write: each imports those before it alone. */
const FLOW_FOLDERS = 'rules forms usual words spellings outlines prompts edits'.split(' ')
const MAY_ALSO: Record<string, string[]> = {
  // Where the channel speaks first: its callbacks are read as it wrote them.
  'middleware/channel-callback.ts': ['channel/callback.ts'],
  'middleware/callback-parts.ts': ['channel/callback-parts.ts'],
}

/** Where each library may be used: `value` at run time, `type` for its types alone. */
const LIBRARIES: Record<string, { value: RegExp; type?: RegExp }> = {
  '@jitl/quickjs-wasmfile-release-sync': { value: /^bot\// },
  'quickjs-emscripten-core': { value: /^bot\// },
  '@agendajs/postgres-backend': { value: /^jobs\// },
  '@prisma/adapter-pg': { value: /^(context\.ts|scripts\/)/ },
  '@prisma/driver-adapter-utils': { value: /^scripts\// },
  '@prisma/schema-engine-wasm': { value: /^scripts\// },
  '@aws-sdk/client-s3': { value: /^storage\// },
  '@fastify/busboy': { value: /^(middleware\/|channel\/sandbox-media\.ts)/ },
  agenda: { value: /^jobs\// },
  axios: { value: /^(channel|egress)\// },
  esbuild: { value: /^(scripts|bot)\// },
  express: { value: /^(app\.ts|middleware\/)/ },
  'express-openapi-validator': { value: /^middleware\/validate\.ts/ },
  'jest-environment-node': { value: /^scripts\/jest-environment\.js/ },
  'openapi-fetch': { value: /^scripts\/sdks\// },
  'file-type': { value: /^filetypes\// },
  pg: { value: /^(database|scripts)\//, type: /^(context|jobs\/scheduler)\.ts/ },
  prisma: { value: /^prisma\.config\.ts/ },
  'prom-client': { value: /^core\/metrics\.ts/ },
  redis: { value: /^counters\// },
  tsx: { value: /^scripts\/jest-reporter\.js/ },
  undici: { value: /^(channel|egress)\// },
  winston: { value: /^core\/logger\.ts/, type: /^core\/context\.ts/ },
  yaml: { value: /^((core|scripts)\/contract|flows\/outlines\/literals)\.ts/ },
  yauzl: { value: /^filetypes\// },
}

/** What may be written only in some files. */
const WORDS: { what: string; pattern: RegExp; onlyIn: RegExp }[] = [
  {
    what: 'the environment',
    pattern: /process\.env|\benv\b[^\n]*} = process\b/,
    onlyIn: /^(main\.ts|scripts\/)/,
  },
  {
    what: 'the clock',
    pattern: /new Date(?!\w|\((?!\)))|Date\.now\b/,
    // The logger stamps its own records, and the sandbox stands in for another company's clock.
    onlyIn: /^(context\.ts|core\/logger\.ts|channel\/sandbox\.ts|scripts\/)/,
  },
  {
    what: 'a class',
    pattern: /^\s*(export )?(abstract )?class /m,
    // Some because Node and pg want to be told what to make a connection, an answer or a request of.
    onlyIn:
      /^(core\/(errors|rendered|replay)|database\/(migrations|primary|rows-query)|middleware\/server)\.ts/,
  },
  { what: 'an HTTP status', pattern: /\bSTATUS\b/, onlyIn: /^(core\/errors|middleware\/\S+)\.ts/ },
]

const FORBIDDEN = [
  /\$(query|execute)RawUnsafe|Prisma\.raw\b/,
  /\bas any\b/,
  // What must not compile is said where the types are tested; it fails once it does.
  /@ts-(ignore|nocheck)/,
  /\b(TODO|FIXME|XXX)\b/,
]

/** What is imported where this test does not look: by bots, and beside a client that is generated. */
const ELSEWHERE = /^(bot\/starter|scripts\/sdks\/typescript)\//
/** Code of bots, which stands in texts. */
const OF_BOTS = new Set<string>(BOT_HANDLERS)

const LINES_MAX = { code: 250, tests: 400 }
const NOT_OURS = new Set([
  ...['node_modules', 'generated', 'dist', 'coverage', 'docs', 'prisma'],
  // Programs of their own, which tests/e2e compiles and runs.
  'examples',
])
const THIS_FILE = 'tests/unit/architecture.test.ts'

type Import = { from: string; isType: boolean }
type SourceFile = { name: string; folder: string; text: string; imports: Import[] }

const files = sourceFiles('.')
/** The files of ours that each file imports. */
const imported = new Map(files.map(({ name, imports }) => [name, targetsOf(name, imports)]))
const ours = files.filter(({ folder }) => folder !== 'tests' && folder !== 'bench')
const typescript = ours.filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.config.ts'))

describe('the imports', () => {
  it('are seen in every form that they have', () => {
    const text = `
      import a from 'a'
      import type { B } from './b.ts'
      import {
        c,
        type D,
      } from "../c.ts"
      import 'e'
      export * from 'f'
      const g = await import('g')`
    expect(importsIn(text)).toEqual([
      { from: 'a', isType: false },
      { from: './b.ts', isType: true },
      { from: '../c.ts', isType: false },
      { from: 'e', isType: false },
      { from: 'f', isType: false },
      { from: 'g', isType: false },
    ])
  })

  it('go one way between the folders', () => {
    const wrong = files.flatMap(({ name, folder, imports }) =>
      targetsOf(name, imports)
        .filter((target) => {
          const to = folderOf(target)
          const allowed = to === folder || MAY_IMPORT[folder]?.includes(to)
          return !allowed && !MAY_ALSO[name]?.includes(target)
        })
        .map((target) => `${name} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('go between the subjects of the capabilities as each of them says', () => {
    const found: Record<string, Set<string>> = {}
    for (const { name, folder, imports } of files) {
      if (folder !== 'capabilities') continue
      const subject = subjectOf(name)
      const called = targetsOf(name, imports).filter((target) => folderOf(target) === folder)
      const others = called.map(subjectOf).filter((one) => one !== subject && one !== '.')
      found[subject] = new Set([...(found[subject] ?? []), ...others])
    }
    const { '.': beside = new Set(), ...subjects } = found
    expect([...beside]).toEqual([])
    expect(subjects).toEqual(
      Object.fromEntries(Object.entries(SUBJECTS).map(([name, called]) => [name, new Set(called)])),
    )
  })

  it('go one way between the folders of the flows', () => {
    const inner = files.filter(({ name }) => /^flows\/[\w-]+\//.test(name))
    expect([...new Set(inner.map(({ name }) => subjectOf(name)))].sort()).toEqual(
      [...FLOW_FOLDERS].sort(),
    )
    const wrong = inner.flatMap(({ name, imports }) =>
      targetsOf(name, imports)
        .filter((target) => folderOf(target) === 'flows')
        .filter(
          (target) =>
            !FLOW_FOLDERS.slice(0, FLOW_FOLDERS.indexOf(subjectOf(name)) + 1).includes(
              subjectOf(target),
            ),
        )
        .map((target) => `${name} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('go round in no circle', () => {
    const returning = files.filter(({ name }) => reachedFrom(imported.get(name) ?? []).has(name))
    expect(returning.map(({ name }) => name)).toEqual([])
  })

  it('have a rule for every folder, and every exception is in use', () => {
    const folders = new Set(files.map(({ folder }) => folder))
    expect(Object.keys(MAY_IMPORT)).toEqual(expect.arrayContaining([...folders]))
    for (const [name, targets] of Object.entries(MAY_ALSO)) {
      const file = files.find((one) => one.name === name)
      expect(targetsOf(name, file?.imports ?? [])).toEqual(expect.arrayContaining(targets))
    }
  })

  it('keep each library in its place', () => {
    const wrong = ours.flatMap(({ name, imports }) =>
      imports
        .filter(({ from }) => !from.startsWith('.') && !from.startsWith('node:'))
        .filter(({ from, isType }) => {
          const rule = LIBRARIES[packageOf(from)]
          return !rule?.value.test(name) && !(isType && rule?.type?.test(name))
        })
        .filter(() => !/^(eslint|jest)\.config\.js$/.test(name))
        .map(({ from }) => `${name} imports ${from}`),
    )
    expect(wrong).toEqual([])
  })

  it('of what runs in production are all installed there', () => {
    const { dependencies } = JSON.parse(
      readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8'),
    ) as { dependencies: Record<string, string> }
    const used = ours
      .filter(({ folder, name }) => folder !== 'scripts' && !/\.config\.[jt]s$/.test(name))
      .flatMap(({ imports }) => imports.filter(({ isType }) => !isType).map(({ from }) => from))
      .filter((from) => !from.startsWith('.') && !from.startsWith('node:'))
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(used.map(packageOf)))
  })
})

describe('what lets a broadcast go', () => {
  const ACTS = ['approvals', 'waves', 'starts', 'sender'].map(
    (name) => `capabilities/broadcasts/broadcast-${name}.ts`,
  )

  it('can be reached by operators and workers', () => {
    const reached = reachedFrom(['scripts/operator.ts', 'main.ts'])
    expect(ACTS.filter((name) => !reached.has(name))).toEqual([])
  })

  it('can be reached by no request', () => {
    const starts = ours.filter(({ folder }) => folder === 'handlers' || folder === 'middleware')
    const reached = reachedFrom(starts.map(({ name }) => name))
    expect(reached).toContain('capabilities/broadcasts/broadcasts.ts')
    expect(ACTS.filter((name) => reached.has(name))).toEqual([])
  })
})

describe('the code', () => {
  it.each(WORDS)('speaks of $what only where it is listed', ({ pattern, onlyIn }) => {
    const found = typescript.filter(({ text }) => pattern.test(text)).map(({ name }) => name)
    expect(found).not.toEqual([])
    expect(found.filter((name) => !onlyIn.test(name))).toEqual([])
  })

  it.each(FORBIDDEN)('never says %s', (pattern) => {
    const found = files.filter(({ name, text }) => name !== THIS_FILE && pattern.test(text))
    expect(found.map(({ name }) => name)).toEqual([])
  })

  it('exports by name, but where a tool wants a default', () => {
    const tools = /(^|\/)[\w-]+\.config\.[jt]s$|^scripts\/jest-[\w-]+\.js$|^tests\/support\/global-/
    const found = files.filter(({ text }) => /^export (default\b|\{.*\bas default\b)/m.test(text))
    expect(found.map(({ name }) => name).filter((name) => !tools.test(name))).toEqual([])
  })

  it('exports nothing that no file names which imports it', () => {
    const importers = new Map<string, SourceFile[]>()
    for (const file of files) {
      for (const target of new Set(targetsOf(file.name, file.imports))) {
        importers.set(target, [...(importers.get(target) ?? []), file])
      }
    }
    const exported = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm
    const found = files.flatMap(({ name, text }) =>
      [...text.matchAll(exported)]
        .filter(([, word = '']) => !ELSEWHERE.test(name) && !OF_BOTS.has(word))
        .filter(([, word]) => {
          const named = new RegExp(`\\b${word}\\b`)
          return !importers.get(name)?.some((importer) => named.test(importer.text))
        })
        .map(([, word]) => `${name} exports ${word}`),
    )
    expect(found).toEqual([])
  })

  it('decides nothing, asks nothing of the database and sees no request in handlers', () => {
    const table = /\bif \(|\s\?\s|\b(req|res|status|transaction)\b|\bctx\.(?!project\b)\w/i
    const found = ours.filter(({ folder, text }) => folder === 'handlers' && table.test(text))
    expect(found.map(({ name }) => name)).toEqual([])
  })

  it('says of every function that it exports what that promises', () => {
    const bare = /^(?!.*\*\/$).*\nexport (?:async )?function\*? (\w+)/gm
    const found = ours
      .filter(({ name }) => name.endsWith('.ts') && !ELSEWHERE.test(name))
      .flatMap(({ name, text }) => [...text.matchAll(bare)].map(([, word]) => `${name} ${word}`))
    expect(found).toEqual([])
  })

  it('names every file after what it is about, in kebab-case', () => {
    const names = files.map(({ name }) => name)
    expect(names.filter((name) => /\b(utils?|helpers?|common|misc|base)\b/.test(name))).toEqual([])
    const odd = names.filter((name) => !/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(path.basename(name)))
    expect(odd).toEqual([])
  })

  it('keeps every file readable at one sitting', () => {
    const long = files
      .map(({ name, folder, text }) => ({
        name,
        lines: text.split('\n').length - 1,
        most: folder === 'tests' ? LINES_MAX.tests : LINES_MAX.code,
      }))
      .filter(({ lines, most }) => lines > most)
    expect(long).toEqual([])
  })
})

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(path.join(PROJECT_ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) {
      const isSkipped = entry.name.startsWith('.') || (folder === '.' && NOT_OURS.has(entry.name))
      return isSkipped ? [] : sourceFiles(name)
    }
    if (!/\.(ts|js|mjs)$/.test(entry.name)) return []
    const text = readFileSync(path.join(PROJECT_ROOT, name), 'utf8')
    const imports = name === THIS_FILE ? [] : importsIn(text)
    return [{ name, folder: folderOf(name), text, imports }]
  })
}

function importsIn(text: string): Import[] {
  const named = /\b(?:import|export)\s+(type\s)?(?:[\w$*{},\s]*?\bfrom\s*)?['"]([^'"\n]+)['"]/
  const called = /\b(?:tsI|i)mport\(\s*['"]([^'"\n]+)['"]/
  const either = new RegExp(`${named.source}|${called.source}`, 'g')
  return [...text.matchAll(either)].map(([, type, named, called]) => ({
    from: named ?? called ?? '',
    isType: type !== undefined,
  }))
}

/** The files of ours that a file imports. */
function targetsOf(name: string, imports: Import[]): string[] {
  return imports
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => path.posix.join(path.posix.dirname(name), from))
}

/** These files, and every file of ours that they import, or that those import. */
function reachedFrom(names: string[]): Set<string> {
  const reached = new Set(names)
  for (const name of reached) {
    for (const target of imported.get(name) ?? []) reached.add(target)
  }
  return reached
}

function folderOf(name: string): string {
  return name.includes('/') ? (name.split('/')[0] ?? '') : '.'
}

/** The folder of a capability, `.` beside them all. */
function subjectOf(name: string): string {
  return folderOf(name.slice(name.indexOf('/') + 1))
}

function packageOf(from: string): string {
  return from.split('/', from.startsWith('@') ? 2 : 1).join('/')
}
