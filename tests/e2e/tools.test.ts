import { spawnSync } from 'node:child_process'
import { describe, expect, it, jest } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'

jest.setTimeout(60_000)

const TOOLS = [
  'bench/run.ts',
  'bench/scale.ts',
  'bench/soak.ts',
  'scripts/breaks.ts',
  'scripts/chaos.ts',
  'scripts/contract.ts',
  'scripts/fuzz.ts',
  'scripts/migrate.ts',
  'scripts/schema.ts',
  'scripts/sdks.ts',
]

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', ...args], {
    cwd: PROJECT_ROOT,
    encoding: 'utf8',
  })

describe.each(TOOLS)('%s', (tool) => {
  it('says with --help how it is used, and does nothing else', () => {
    const { status, stdout, stderr } = run(tool, '--help')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/npm run [a-z:]+/)
  })

  it('says what it does not know, and how it is used', () => {
    const { status, stdout, stderr } = run(tool, '--unknown')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^Unknown option '--unknown'\.\n\n/)
    expect(stderr).toMatch(/npm run [a-z:]+/)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})

it('a migration that is to have no name of one is refused before anything is done', () => {
  const { status, stdout, stderr } = run('scripts/schema.ts', '--write', 'Add column')
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(
    /^A migration's name is lower case words joined by "_", not "Add column"\./,
  )
})
