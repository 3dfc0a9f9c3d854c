import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { sandboxOutcomes, usualOutcome } from '../../channel/sandbox-outcomes.ts'
import { PROJECT_ROOT } from '../../core/root.ts'

it('the README lists what each magic recipient of the sandbox brings about', () => {
  const readme = readFileSync(path.join(PROJECT_ROOT, 'README.md'), 'utf8')
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
