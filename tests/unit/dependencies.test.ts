import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'

type Locked = { resolved?: string; integrity?: string; hasInstallScript?: boolean }

const REGISTRY = 'https://registry.npmjs.org/'

const read = (file: string) => JSON.parse(readFileSync(path.join(PROJECT_ROOT, file), 'utf8'))
const manifest = read('package.json') as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
const installed = Object.entries(packages).filter(([place]) => place !== '')
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 13)

describe('the packages', () => {
  it('are named by one exact version each', () => {
    const named = { ...manifest.dependencies, ...manifest.devDependencies }
    const loose = Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+/.test(version))
    expect(loose).toEqual([])
  })

  it('come from npm’s registry alone, each with the digest of what was locked', () => {
    expect(installed.length).toBeGreaterThan(0)
    // A package without an address of its own is fetched from the registry.
    const strange = installed.filter(
      ([, { resolved, integrity }]) =>
        (resolved && !resolved.startsWith(REGISTRY)) || !integrity?.startsWith('sha512-'),
    )
    expect(strange).toEqual([])
  })

  it('run a script when they are installed only if that was decided', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = new Set(scripted.map(([place]) => nameOf(place)))
    expect([...names].sort()).toEqual(Object.keys(manifest.allowScripts).sort())
  })
})
