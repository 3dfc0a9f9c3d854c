import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
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

describe('a start', () => {
  /** The project as it is checked out: without packages, and without what is generated. */
  async function checkOut() {
    for (const name of ['run.mjs', 'builds.mjs', 'env.mjs', 'generate.mjs']) {
      await cp(path.join(PROJECT_ROOT, 'scripts', name), path.join(folder, 'scripts', name))
    }
    for (const name of ['package.json', 'openapi.yaml', 'prisma/schema.prisma']) {
      await cp(path.join(PROJECT_ROOT, name), path.join(folder, name))
    }
  }
  function start() {
    const args = [path.join(folder, 'scripts/run.mjs'), 'main']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  it('before npm ci says so', async () => {
    await checkOut()
    const stderr = 'Run npm ci first: packages are missing.\n'
    expect(start()).toEqual({ status: 1, stdout: '', stderr })
  })

  it('says so, too, when a package is missing that has been added since', async () => {
    await checkOut()
    await mkdir(path.join(folder, 'generated/prisma'), { recursive: true })
    await writeFile(path.join(folder, 'generated/prisma/client.ts'), '')
    expect(start()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^Cannot find package 'esbuild' .*\nRun npm ci first: packages are missing\.\n$/,
      ),
    })
  })

  it('says which file of settings it cannot read', async () => {
    await checkOut()
    const settings = path.join(folder, '.env')
    await mkdir(settings)
    const says = `The settings in ${settings} cannot be read: `
    expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining(says) })
    expect(start().stderr).not.toMatch(/^\s+at /m)
  })

  it('takes what was built elsewhere, where the project has been moved to', async () => {
    await checkOut()
    await mkdir(path.join(folder, 'generated/prisma'), { recursive: true })
    await writeFile(path.join(folder, 'generated/prisma/client.ts'), '')
    await writeFile(path.join(folder, 'main.ts'), "console.log('started')")
    await symlink(path.join(PROJECT_ROOT, 'node_modules'), path.join(folder, 'node_modules'))
    const moved = `${folder}-moved`
    await rename(folder, moved)
    execFileSync(process.execPath, [path.join(moved, 'scripts/run.mjs'), '--build'])
    await rename(moved, folder)
    // Nothing could be built here.
    await rm(path.join(folder, 'node_modules'))
    expect(start()).toMatchObject({ status: 0, stdout: 'started\n' })
  })
})
