import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { compareDocuments } from './contract/compare.ts'
import { reportOf, withChanges } from './contract/report.ts'
import { isRaised, keepsPromise, versionOf } from './contract/versions.ts'
import { readFlags } from './flags.ts'

const USAGE = `Usage:
  npm run contract:diff [-- --base FILE|GIT-REF] [--write]
  npm run contract:release`
const DOCUMENT_BYTES_MAX = 50_000_000

const root = fileURLToPath(new URL('..', import.meta.url))
const CURRENT = path.join(root, 'openapi.yaml')
const RELEASED = path.join(root, 'contract', 'released.json')
const CHANGELOG = path.join(root, 'CHANGELOG.md')

/**
 * Compares `openapi.yaml` with the last release, or with `base`, and prints the changes that callers will
 * notice. Answers the exit code: 1 when a change breaks callers and the major version is unchanged.
 */
async function diff(base: string, isWritten: boolean): Promise<number> {
  const before = await readBase(base)
  const after = read(await readFile(CURRENT, 'utf8'), 'openapi.yaml')
  const changes = compareDocuments({ before, after })
  console.log(reportOf(changes))
  if (isWritten) {
    await writeFile(CHANGELOG, withChanges(await readFile(CHANGELOG, 'utf8'), changes))
    console.log('\nCHANGELOG.md tells it under "Unreleased".')
  }
  if (keepsPromise(changes, { before, after })) return 0
  const versions = `${versionOf(before)} -> ${versionOf(after)}`
  console.log(`\nThis breaks callers: raise the major version (${versions}), or undo it.`)
  return 1
}

/**
 * Makes `openapi.yaml` the release that later versions are compared with. Answers 1 and does nothing when its
 * version number does not reflect the changes.
 */
async function release(): Promise<number> {
  const after = read(await readFile(CURRENT, 'utf8'), 'openapi.yaml')
  if (existsSync(RELEASED)) {
    const before = await readBase(RELEASED)
    const changes = compareDocuments({ before, after })
    const [old, now] = [versionOf(before), versionOf(after)] as const
    const isSaid = changes.length === 0 || isRaised(old, now)
    if (!isSaid || !keepsPromise(changes, { before, after })) {
      const part = changes.some(({ isBreaking }) => isBreaking) ? 'major version' : 'version'
      console.log(`Raise the ${part} in info.version of openapi.yaml: ${old} is released already.`)
      return 1
    }
  }
  await writeFile(RELEASED, `${JSON.stringify(after, null, 1)}\n`)
  console.log(`contract/released.json is version ${versionOf(after)} now.`)
  return 0
}

/** A document in a file, or `openapi.yaml` at a commit, tag or branch. */
async function readBase(base: string): Promise<unknown> {
  const isFile = statSync(base, { throwIfNoEntry: false })?.isFile() ?? false
  if (isFile) return read(await readFile(base, 'utf8'), base)
  if (base.startsWith('-')) throw new Error(`There is no file or commit ${base}.`)
  const { stdout } = await promisify(execFile)('git', ['show', `${base}:./openapi.yaml`], {
    cwd: root,
    maxBuffer: DOCUMENT_BYTES_MAX,
  })
  return read(stdout, base)
}

/** Whatever several places share in YAML is copied into each of them, as callers see it. */
function read(text: string, name: string): unknown {
  const document: unknown = JSON.parse(JSON.stringify(parse(text) ?? null))
  if (typeof document === 'object' && document !== null && 'paths' in document) return document
  throw new Error(`${name} is no OpenAPI document: it has no paths.`)
}

async function main(): Promise<number> {
  const { values, positionals } = readFlags(USAGE, {
    allowPositionals: true,
    options: { base: { type: 'string' }, write: { type: 'boolean' } },
  })
  if (positionals[0] === 'diff') return diff(values.base ?? RELEASED, values.write ?? false)
  if (positionals[0] === 'release') return release()
  console.error(USAGE)
  return 2
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  return 2
})
