import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'
import { keepForProcess, removeOldBuilds } from '../../scripts/builds.mjs'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'service-builds-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Makes a build that is so many minutes old. */
async function make(name: string, minutes: number): Promise<string> {
  const build = path.join(folder, name)
  await mkdir(build)
  return age(build, minutes)
}

async function age(build: string, minutes: number): Promise<string> {
  const at = new Date(Date.now() - minutes * 60_000)
  await utimes(build, at, at)
  return build
}

it('removes all builds but the newest three', async () => {
  for (const [minutes, name] of ['newest', 'newer', 'new', 'old', 'oldest'].entries()) {
    await make(name, minutes)
  }
  removeOldBuilds(folder)
  expect((await readdir(folder)).sort()).toEqual(['new', 'newer', 'newest'])
})

it('keeps what a living process was started from, however old, and not what a dead one was', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  const used = await make('used', 60)
  keepForProcess(used)
  await age(used, 60)
  const left = await make('left', 50)
  await writeFile(path.join(left, `used-by-${child.pid}`), '')
  await age(left, 50)
  for (const minutes of [1, 2, 3]) await make(`new-${minutes}`, minutes)
  removeOldBuilds(folder)
  expect((await readdir(folder)).sort()).toEqual(['new-1', 'new-2', 'new-3', 'used'])
})

it('runs programs in UTC wherever the machine is, for the code of bots sees the zone', () => {
  const shown =
    '[new Date(2026, 0, 1).toISOString(), new Date(2026, 6, 1).getTimezoneOffset()].join()'
  const args = ['--import', './scripts/env.mjs', '--print', shown]
  const env = { ...process.env, TZ: 'America/New_York' }
  expect(execFileSync(process.execPath, args, { cwd: PROJECT_ROOT, env, encoding: 'utf8' })).toBe(
    '2026-01-01T00:00:00.000Z,0\n',
  )
})
