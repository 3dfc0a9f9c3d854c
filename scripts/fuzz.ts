import { randomInt } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PROJECT_ROOT } from '../core/root.ts'
import { failed } from './failed.ts'
import { readFlags, wholeNumber } from './flags.ts'
import { run, works } from './sdks/command.ts'
import { withService } from './sdks/service.ts'

const USAGE = 'npm run fuzz [-- [--seed N] [--runs 1000] [--schemathesis [--examples 50]]]'
const SCHEMATHESIS = 'schemathesis==4.32.5'
const JEST = [
  ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  ...['node_modules/jest/bin/jest.js', 'tests/contract/fuzz.test.ts'],
]
/**
 * This check expects every request that fits its schema to be accepted, even with a cursor that was never
 * issued.
 */
const EXCLUDED = 'positive_data_acceptance'
/**
 * What is not valid can also be too long for a request's head. Not every text describes a flow: for these
 * operations, a documented 502 is an ordinary answer.
 */
const SETTINGS = `[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 429, 431]

[[operations]]
include-operation-id = ["createFlow", "updateFlow"]
checks.not_a_server_error.enabled = false
`

/** Sends unusual requests to every operation; the exit code is 1 when an answer violates the contract. */
async function main(args: string[]): Promise<void> {
  const { values } = readFlags(USAGE, {
    args,
    options: {
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      runs: { type: 'string', default: '1000' },
      schemathesis: { type: 'boolean', default: false },
      examples: { type: 'string', default: '50' },
    },
  })
  const seed = wholeNumber(USAGE, 'seed', values.seed)
  console.log(`Fuzzing with --seed ${seed}`)
  if (values.schemathesis)
    return schemathesis(seed, wholeNumber(USAGE, 'examples', values.examples))
  const globals = JSON.stringify({ fuzz: { seed, runs: wholeNumber(USAGE, 'runs', values.runs) } })
  const { status } = spawnSync(process.execPath, [...JEST, '--globals', globals], {
    cwd: PROJECT_ROOT,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}

/** Installs Schemathesis from PyPI, keeps it between runs, and runs it against a service of its own. */
async function schemathesis(seed: number, examples: number): Promise<void> {
  if (!works(['python3', '-c', 'import venv, ensurepip'])) {
    console.log('schemathesis: SKIPPED, as python3 with venv is not installed')
    return
  }
  const tools = path.join(tmpdir(), 'client-generators', 'schemathesis')
  const tool = (name: string) => path.join(tools, 'bin', name)
  await run('python3', ['-m', 'venv', tools], { cwd: PROJECT_ROOT })
  await run(tool('pip'), ['install', '--quiet', SCHEMATHESIS], { cwd: PROJECT_ROOT })
  await withService(async ({ url, key, folder }) => {
    await writeFile(path.join(folder, 'schemathesis.toml'), SETTINGS)
    const { status } = spawnSync(
      tool('schemathesis'),
      [
        ...['run', `${url}/v1/openapi.json`, '--header', `Authorization: Bearer ${key}`],
        ...['--exclude-checks', EXCLUDED, '--phases', 'examples,coverage,fuzzing'],
        ...['--seed', String(seed), '--max-examples', String(examples), '--continue-on-failure'],
      ],
      { cwd: folder, stdio: 'inherit' },
    )
    process.exitCode = status ?? 1
  })
}

main(process.argv.slice(2)).catch(failed)
