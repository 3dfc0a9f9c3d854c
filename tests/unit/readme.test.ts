import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { sandboxOutcomes, usualOutcome } from '../../channel/sandbox-outcomes.ts'
import { PROJECT_ROOT } from '../../core/root.ts'

const readme = readFileSync(path.join(PROJECT_ROOT, 'README.md'), 'utf8')

it('the README lists what each magic recipient of the sandbox brings about', () => {
  const rows = Object.entries(sandboxOutcomes)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([digits, { does }]) => `| \`${digits}\` | ${does} |`)
  const table = [
    '| Ends in | What happens |',
    '|---|---|',
    ...rows,
    `| anything else | ${usualOutcome.does} |`,
  ].join('\n')

  expect(readme).toContain(`<!-- sandbox -->\n${table}\n<!-- /sandbox -->`)
})

/** What is made by a run, an installation or a build. */
const MADE = ['coverage', 'dist', 'node_modules']

it('the README says of each folder what it is for', () => {
  const [, map = ''] = /## The map\n+```\n([^`]*)```/.exec(readme) ?? []
  const told = [...map.matchAll(/^([a-z]+)\/ /gm)].map(([, folder]) => folder)
  const folders = readdirSync(PROJECT_ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => !MADE.includes(name))
  expect(told.sort()).toEqual(folders.sort())
})

it.each(['capabilities', 'flows'])(
  'the README of the %s names each of their files once, in the folder where it lies',
  (of) => {
    const folder = path.join(PROJECT_ROOT, of)
    const rows = readFileSync(path.join(folder, 'README.md'), 'utf8').match(/^\|.*$/gm) ?? []
    let subject = ''
    const told = rows.flatMap((row) => {
      subject = /^\| `(?:\.\/|([a-z-]+\/))`/.exec(row)?.slice(1).join('') ?? subject
      return [...row.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => `${subject}${name}.ts`)
    })
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(told.sort()).toEqual(files.filter((name) => name.endsWith('.ts')).sort())
  },
)
