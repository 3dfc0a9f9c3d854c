import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'
import { testFilesOf, timesIn } from '../../scripts/breaks/break.ts'
import { BREAKS } from '../../scripts/breaks/table.ts'

const { scripts } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

describe('the breaks', () => {
  it('are told apart by their names', () => {
    const names = BREAKS.map(({ name }) => name)
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
  })

  it.each(BREAKS)('$name: finds what it breaks once, and changes it', (one) => {
    const text = readFileSync(path.join(PROJECT_ROOT, one.file), 'utf8')
    expect(timesIn(text, one.find)).toBe(1)
    expect(one.replace).not.toBe(one.find)
  })

  it.each(BREAKS)('$name: has a gate that there is, and words to wait for', ({ gate, says }) => {
    const [, script] = /^npm (?:run (?:-s )?)?([\w:]+)/.exec(gate) ?? []
    expect(Object.keys(scripts)).toContain(script)
    const files = testFilesOf(gate)
    expect(files.filter((file) => !existsSync(path.join(PROJECT_ROOT, file)))).toEqual([])
    if (script === 'test') expect(files).not.toEqual([])
    expect(String(says)).not.toBe('')
  })
})
