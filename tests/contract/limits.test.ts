import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import { components } from '../support/document.ts'

const FOLDERS = ['capabilities', 'core', 'counters', 'database', 'handlers', 'middleware']

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ file: `${folder}/${name}`, name: path.join(PROJECT_ROOT, folder, name) })),
).map(({ file, name }) => ({ file, text: readFileSync(name, 'utf8') }))

/** What a source answers as `limit_name`: a text, a constant of its own, or the name of one of its budgets. */
const answered = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/\blimit_name\b(?!: string\b)(?:: ('?)([\w-]+))?/g)].map(
    ([, quote, said = '']) => {
      if (quote === "'") return { file, names: [said] }
      const constant = new RegExp(`^const ${said} = '([\\w-]+)'$`, 'gm')
      const budget = /\bbudgetOf\('([\w-]+)'/g
      const found = [constant, budget].flatMap((pattern) => [...text.matchAll(pattern)])
      return { file, names: found.map(([, name = '']) => name) }
    },
  ),
)
const names = [...new Set(answered.flatMap((one) => one.names))].sort()

it('a page holds as many items as the contract allows', () => {
  expect(components.parameters.Limit).toMatchObject({
    schema: { maximum: LIMITS.pageItemsMax, default: LIMITS.pageItemsDefault },
  })
})

describe('the names of the limits', () => {
  it('are found wherever a source answers one', () => {
    expect(answered.filter((one) => one.names.length === 0)).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['requests', 'sends', 'upload-bytes']))
  })

  it('are those of the table of error codes', () => {
    const { description = '' } = components.schemas.ErrorCode ?? {}
    const listed = [...description.matchAll(/`limit_name` \(([^)]+)\)/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    )
    expect(listed.sort()).toEqual(names)
  })

  it.each(names)('are explained where a 429 is: %s', (name) => {
    expect(components.responses.TooManyRequests?.description).toContain(`\`${name}\``)
  })
})
