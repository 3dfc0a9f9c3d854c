#!/usr/bin/env node
// Runs one of the project's programs: `node scripts/run.mjs main`, `… scripts/operator project list`.
// The sources are bundled first, in a tenth of a second; a bundle of the same sources is used again.
// `node scripts/run.mjs --build` only makes that bundle, for a machine where nothing may be written.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { keepForProcess, removeOldBuilds } from './builds.mjs'
import './env.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const FOLDERS = [
  'bot',
  'capabilities',
  'channel',
  'core',
  'counters',
  'database',
  'egress',
  'filetypes',
  'flows',
  'generated',
  'handlers',
  'jobs',
  'middleware',
  'scripts',
  'storage',
]
const PROGRAMS = ['main', 'scripts/operator', 'scripts/migrate']
/** What a program starts in a thread of its own. */
const PARTS = ['bot/worker']

// Express tells callers what has failed inside, unless it is told that it serves them.
process.env.NODE_ENV ??= 'production'

const [program, ...args] = process.argv.slice(2)
if (program !== '--build' && !PROGRAMS.includes(program)) {
  console.error(`Name one of: ${PROGRAMS.join(', ')}`)
  process.exit(1)
}
if (!existsSync(path.join(ROOT, 'generated/prisma/client.ts'))) await import('./generate.mjs')
try {
  const bundle = await build()
  if (program === '--build') process.exit(0)
  keepForProcess(bundle)
  process.argv = [process.argv[0], path.join(ROOT, `${program}.ts`), ...args]
  await import(pathToFileURL(path.join(bundle, `${program}.js`)).href)
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error(`${error.message}\nRun npm ci first: packages are missing.`)
  process.exit(1)
}

async function build() {
  const sources = FOLDERS.flatMap((folder) => filesUnder(path.join(ROOT, folder)))
    .concat(readdirSync(ROOT).map((name) => path.join(ROOT, name)))
    .filter((file) => file.endsWith('.ts'))
  const digest = createHash('sha256').update(readFileSync(path.join(ROOT, 'package.json')))
  // By its place in the project: what was built may be moved elsewhere.
  for (const file of sources) digest.update(path.relative(ROOT, file)).update(readFileSync(file))
  const target = path.join(ROOT, 'dist', digest.digest('hex').slice(0, 16))
  if (existsSync(target)) return target

  const { build: bundleFiles } = await import('esbuild')
  const fresh = `${target}.${process.pid}`
  await bundleFiles({
    absWorkingDir: ROOT,
    entryPoints: [...PROGRAMS, ...PARTS]
      .map((name) => `${name}.ts`)
      .filter((name) => existsSync(path.join(ROOT, name))),
    outdir: fresh,
    outbase: '.',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'error',
  })
  // Two programs may build at the same moment; the first to be done wins, and both are the same.
  try {
    renameSync(fresh, target)
  } catch (error) {
    if (!existsSync(target)) throw error
    rmSync(fresh, { recursive: true, force: true })
  }
  removeOldBuilds(path.dirname(target))
  return target
}

function filesUnder(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
