import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'

const NOT_SOURCES = /^(node_modules|dist|coverage|\.|package(-lock)?\.json)/
const SOURCES = /\.(ts|mjs|js)$/

type Package = {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  scripts: Record<string, string>
}

/** All sources, and what is generated. */
function texts(folder = ''): string[] {
  return readdirSync(path.join(PROJECT_ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name)
    if (NOT_SOURCES.test(name)) return []
    if (entry.isDirectory()) return texts(name)
    return SOURCES.test(name) ? [readFileSync(path.join(PROJECT_ROOT, name), 'utf8')] : []
  })
}

it('every package that is installed is used', () => {
  const { dependencies, devDependencies, scripts } = JSON.parse(
    readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8'),
  ) as Package
  const commands = Object.values(scripts).join('\n')
  const sources = texts().join('\n')
  const unused = Object.keys({ ...dependencies, ...devDependencies })
    .filter((name) => !name.startsWith('@types/'))
    .filter((name) => !["'", '"', '`'].some((quote) => sources.includes(`${quote}${name}${quote}`)))
    .filter((name) => !sources.includes(`${name}/`))
    .filter((name) => !new RegExp(`\\b${name.replace(/^@|\/cli$/g, '')}\\b`).test(commands))
  expect(unused).toEqual([])
})
