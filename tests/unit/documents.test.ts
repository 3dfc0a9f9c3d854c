import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { isTemplateField } from '../../channel/template-updates.ts'
import { LIMITS } from '../../core/limits.ts'
import { createMetrics } from '../../core/metrics.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import { NOUNS } from '../../scripts/operator/nouns.ts'
import { readRequest } from '../../scripts/operator/request.ts'

const read = (name: string) => readFileSync(path.join(PROJECT_ROOT, name), 'utf8')
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'bot/starter/README.md',
  'examples/typescript/README.md',
  ...readdirSync(path.join(PROJECT_ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** The words of a command line, without the quotes around them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )
}

const commands = DOCUMENTS.flatMap((name) =>
  [
    ...read(name)
      .replaceAll(/\\\n\s*/g, '')
      .matchAll(/npm run -s operator -- (.*)/g),
  ].map(([, line = '']) => ({ name, line })),
)

describe('the commands of the documents', () => {
  it.each(commands)('$name: operator $line is one that is understood', ({ line }) => {
    expect(readRequest(wordsOf(line), NOUNS)).toMatchObject({ kind: 'work' })
  })
})

/** `## Name` in GitHub's way. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

const links = DOCUMENTS.flatMap((name) =>
  [...read(name).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => ({ name, link })),
)

describe('the links of the documents', () => {
  it.each(links)('$name: $link leads somewhere', ({ name, link }) => {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? name : path.posix.join(path.posix.dirname(name), file)
    const found = readdirSync(path.join(PROJECT_ROOT, path.dirname(target)))
    expect(found).toContain(path.basename(target))
    if (anchor !== undefined) expect(anchorsOf(read(target))).toContain(anchor)
  })
})

describe('docs/OPERATING.md', () => {
  const spans = [...read('docs/OPERATING.md').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

  it('watches what the service counts, by labels that it has', async () => {
    const { registry } = createMetrics()
    const known = await registry.metrics()
    const watched = spans.filter((span) =>
      /^(\w+_total|\w+_(due|waiting|connections))\b/.test(span),
    )
    expect(watched.length).toBeGreaterThan(10)
    for (const [, name = ''] of watched.map((span) => /^(\w+)/.exec(span) ?? [])) {
      expect(known).toContain(`# TYPE ${name} `)
    }
  })

  it('names events of the log that there are', () => {
    const sources = ['', 'capabilities', 'jobs', 'middleware']
      .flatMap((folder) =>
        readdirSync(path.join(PROJECT_ROOT, folder), {
          recursive: folder !== '',
          encoding: 'utf8',
        }).map((name) => path.join(folder, name)),
      )
      .filter((name) => name.endsWith('.ts'))
      .map(read)
      .join('\n')
    const events = spans.filter((span) => /^[a-z]+\.[a-z_]+$/.test(span))
    expect(events.length).toBeGreaterThan(5)
    for (const event of events) expect(sources).toContain(`'${event}'`)
  })

  it('restores no owners, which would give functions of projects the rights of the service', () => {
    const restores = read('docs/OPERATING.md').match(/pg_restore .*/g)
    expect(restores).toHaveLength(2)
    for (const line of restores ?? []) expect(line).toMatch(/--no-owner --no-acl --exit-on-error/)
  })
})

const DAY_MS = 24 * 60 * 60 * 1000
const MIB = 1024 * 1024
const days = (ms: number) => `${ms / DAY_MS} ${ms === DAY_MS ? 'day' : 'days'}`
const count = (n: number) => n.toLocaleString('en')

/** What documents say of limits, as the limits have it. */
const SAID: Record<string, string[]> = {
  'README.md': [
    `one of the newest ${count(LIMITS.deploymentsKept)}`,
    `${LIMITS.botMemoryBytes / MIB} MiB of memory, ${LIMITS.botRunMs / 1000} seconds in all, ${LIMITS.botComputingMs / 1000} second of computing`,
    `a form (up to ${LIMITS.channelFileBytes / MIB} MiB`,
  ],
  'bot/starter/README.md': [
    `in at most ${LIMITS.customEventBytes / 1024} KiB of JSON`,
    `${LIMITS.botMemoryBytes / MIB} MiB of memory, and ${LIMITS.botRunMs / 1000} seconds a run, of which ${LIMITS.botComputingMs / 1000} second`,
    `at most ${LIMITS.botRowsCharacters / 1024} KiB, that of an insert ${LIMITS.botInsertedCharacters / MIB} MiB, and all that a run hears ${LIMITS.botHeardCharacters / MIB} MiB`,
    `at most ${LIMITS.botCalls} calls, of at most ${LIMITS.botCallCharacters / 1024} KiB each and ${LIMITS.botToldCharacters / MIB} MiB in all`,
    `At most ${LIMITS.botSendsUnanswered} messages in a row`,
    `the newest ${count(LIMITS.deploymentsKept)} versions`,
    `up to ${LIMITS.statesOfProject} names of your own`,
    `in at most ${LIMITS.botFormats} different ways`,
  ],
  'docs/OPERATING.md': [
    `| events, deliveries, log lines of bots | ${days(LIMITS.deliveriesKeptMs)} |`,
    `| statuses of messages that are not known | ${days(LIMITS.parkedStatusesKeptMs)} |`,
    `| callbacks that could not be read | ${days(LIMITS.unreadCallbacksKeptMs)} |`,
    `| sends without an outcome | ${days(LIMITS.attemptsKeptMs)} |`,
    `positions of cursors | ${days(LIMITS.rowCursorsKeptMs)} |`,
  ],
  'docs/tables.md': [
    `change at most \`max_rows\` rows (${count(LIMITS.rowsChanged)})`,
    `more than ${LIMITS.tablePageBytes / MIB} MiB`,
  ],
  'openapi.yaml': [
    `query and headers as they are sent, has at most ${LIMITS.headerBytes / 1024} KiB`,
    `its own data (at most ${LIMITS.customEventBytes / 1024} KiB of JSON, nested on at most ${count(LIMITS.customEventLevels)} levels)`,
    `at most ${LIMITS.contactTags} tags and ${LIMITS.contactAttributes} attributes`,
    `introduced, which are ${LIMITS.statesOfProject} at the most`,
    `A project has at most ${LIMITS.webhooksPerProject} webhooks`,
    `at most ${count(LIMITS.tablesListed)} of each schema`,
    `A page is at most ${LIMITS.tablePageBytes / MIB} MiB`,
    `the code of the newest ${count(LIMITS.deploymentsKept)}`,
    `in the last ${days(LIMITS.deliveriesKeptMs)}`,
    `or the first ${LIMITS.faultsTold}`,
    `and when); at most ${LIMITS.messageEdits}`,
  ],
}

describe('the numbers of the documents', () => {
  const said = Object.entries(SAID).flatMap(([name, phrases]) =>
    phrases.map((phrase) => ({ name, phrase })),
  )
  it.each(said)('$name: $phrase', ({ name, phrase }) => {
    expect(read(name).replaceAll(/\s+/g, ' ').includes(phrase)).toBe(true)
  })
})

describe('README.md', () => {
  it('subscribes to the callbacks that are read', () => {
    const [, fields = ''] = /^2\. There, subscribe to ([^;]*);/m.exec(read('README.md')) ?? []
    const named = [...fields.matchAll(/`(\w+)`/g)].map(([, field = '']) => field)
    const others = named.filter((field) => !isTemplateField(field))
    expect(others).toEqual(['messages', 'user_preferences', 'flows'])
    expect(named.length - others.length).toBe(4)
  })
})

describe.each([
  ['examples/haproxy.cfg', /timeout server (\d+)m\n/, 60_000],
  ['examples/nginx.conf', /proxy_read_timeout (\d+)m;/, 60_000],
  ['examples/kubernetes.yaml', /proxy-read-timeout: '(\d+)'\n/, 1_000],
])('%s', (name, timeout, unitMs) => {
  it('waits for the slowest answers', () => {
    const [, units] = timeout.exec(read(name)) ?? []
    const slowestMs =
      LIMITS.uploadTimeoutMs +
      LIMITS.uploadWaitMs +
      LIMITS.channelFileTimeoutMs +
      LIMITS.channelTimeoutMs
    expect(Number(units) * unitMs).toBeGreaterThan(slowestMs)
  })
})
