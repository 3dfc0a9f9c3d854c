import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const KEPT_BUILDS = 3
const MARK = /^used-by-(\d+)$/

/** Keeps a build for as long as this process lives, since its threads are started from it. */
export function keepForProcess(build) {
  const mark = path.join(build, `used-by-${process.pid}`)
  try {
    writeFileSync(mark, '')
    process.once('exit', () => rmSync(mark, { force: true }))
    const left = marksOf(build).filter((name) => !isOfLiving(name))
    for (const name of left) rmSync(path.join(build, name), { force: true })
  } catch (error) {
    // Where nothing may be written, nothing is removed either.
    if (!['EROFS', 'EACCES', 'EPERM'].includes(error.code)) throw error
  }
}

/** Removes the builds in a folder, except the newest and those that running processes were started from. */
export function removeOldBuilds(folder) {
  const old = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .map((build) => ({ build, at: statSync(build, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .slice(KEPT_BUILDS)
    .filter(({ build }) => !marksOf(build).some(isOfLiving))
  for (const { build } of old) rmSync(build, { recursive: true, force: true })
}

function marksOf(build) {
  // Another process may be removing it at the same moment.
  const names = existsSync(build) ? readdirSync(build) : []
  return names.filter((name) => MARK.test(name))
}

/** Whether the process that made a mark is alive; a process that may not be signaled is. */
function isOfLiving(mark) {
  try {
    return process.kill(Number(MARK.exec(mark)[1]), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
