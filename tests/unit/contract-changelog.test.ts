import { describe, expect, it } from '@jest/globals'
import type { Change } from '../../scripts/contract/changes.ts'
import { lineOf, reportOf, withChanges } from '../../scripts/contract/report.ts'
import { isMajorRaised, isRaised } from '../../scripts/contract/versions.ts'

const breaking: Change = {
  isBreaking: true,
  operations: ['a', 'b', 'c', 'd', 'e'],
  where: 'answer X',
  what: 'is gone',
}
const compatible: Change = {
  isBreaking: false,
  operations: ['list'],
  where: '',
  what: 'is new',
}
const CHANGELOG = `# Changelog

## Unreleased

- By hand.

## 1.0.0

- Old.
`

describe('the report', () => {
  it('tells what breaks first, each group with its number', () => {
    expect(reportOf([compatible, breaking])).toBe(
      'Breaking (1)\n- a, b, c and 2 more: answer X is gone\n\nCompatible (1)\n- list is new',
    )
    expect(lineOf(compatible)).toBe('list is new')
  })

  it('says that there is nothing when there is nothing', () => {
    expect(reportOf([])).toBe('Callers see no change.')
  })
})

describe('the changelog', () => {
  const once = withChanges(CHANGELOG, [breaking, compatible])

  it('tells the changes under "Unreleased", after what people wrote and before the last release', () => {
    expect(once).toBe(`# Changelog

## Unreleased

- By hand.

### The contract

- **Breaking.** a, b, c and 2 more: answer X is gone
- list is new

## 1.0.0

- Old.
`)
  })

  it('tells them once, however often they are written', () => {
    expect(withChanges(once, [breaking, compatible])).toBe(once)
  })

  it('is as it was when they are undone', () => {
    expect(withChanges(once, [])).toBe(CHANGELOG)
    const alone = CHANGELOG.slice(0, CHANGELOG.indexOf('\n## 1.0.0'))
    expect(withChanges(withChanges(alone, [compatible]), [])).toBe(alone)
  })

  it('keeps what people wrote below', () => {
    const more = once.replace('## 1.0.0', '### By hand, too\n\n- More.\n\n## 1.0.0')
    expect(withChanges(more, [])).toContain('### By hand, too\n\n- More.\n\n## 1.0.0')
  })

  it('is left alone without the section', () => {
    expect(() => withChanges('# Changelog\n', [compatible])).toThrow('Unreleased')
  })
})

describe('a version', () => {
  it.each([
    ['1.0.0', '2.0.0', true, true],
    ['1.9.0', '1.10.0', true, false],
    ['1.0.9', '1.1.0', true, false],
    ['2.0.0', '1.9.9', false, false],
    ['1.0.0', '1.0.0', false, false],
    ['none', '1.0.0', true, true],
  ])('from %s to %s is raised: %s, as a major one: %s', (before, after, raised, major) => {
    expect([isRaised(before, after), isMajorRaised(before, after)]).toEqual([raised, major])
  })
})
