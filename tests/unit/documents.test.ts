import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
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
        readdirSync(path.join(PROJECT_ROOT, folder)).map((name) => path.join(folder, name)),
      )
      .filter((name) => name.endsWith('.ts'))
      .map(read)
      .join('\n')
    const events = spans.filter((span) => /^[a-z]+\.[a-z_]+$/.test(span))
    expect(events.length).toBeGreaterThan(5)
    for (const event of events) expect(sources).toContain(`'${event}'`)
  })

  it('backs up the roles of the server that has the database', () => {
    expect(read('docs/OPERATING.md')).toMatch(/pg_dumpall .*--dbname="\$DATABASE_URL"/)
  })
})

describe('examples/haproxy.cfg', () => {
  it('waits for the slowest answers', () => {
    const [, minutes] = /timeout server (\d+)m\n/.exec(read('examples/haproxy.cfg')) ?? []
    const slowestMs =
      LIMITS.uploadTimeoutMs +
      LIMITS.uploadWaitMs +
      LIMITS.channelFileTimeoutMs +
      LIMITS.channelTimeoutMs
    expect(Number(minutes) * 60_000).toBeGreaterThan(slowestMs)
  })
})
