import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'

/** The folders whose README says which file does what. */
const GUIDED = ['capabilities', 'flows']
const ROW = /^\| (?:`(?<folder>[\w./-]+)`)? *\|[^|]*\|(?<files>[^|]*)\|$/gm

describe('the README', () => {
  it.each(GUIDED)('of %s/ names every file once, where that is, and no other', (folder) => {
    const root = path.join(PROJECT_ROOT, folder)
    const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll(path.sep, '/'))
      .filter((name) => name.endsWith('.ts'))
    expect(namedIn(readFileSync(path.join(root, 'README.md'), 'utf8')).sort()).toEqual(found.sort())
  })
})

/** The files that the rows of a guide name; a row without a folder goes on with the one above it. */
function namedIn(guide: string): string[] {
  let folder = ''
  return [...guide.matchAll(ROW)].flatMap(({ groups }) => {
    folder = groups?.folder ?? folder
    const files = groups?.files?.match(/`[\w-]+`/g) ?? []
    return files.map((file) => path.posix.join(folder, `${file.slice(1, -1)}.ts`))
  })
}
