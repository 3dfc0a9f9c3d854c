import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readContract } from '../../core/contract.ts'
import { PROJECT_ROOT } from '../../core/root.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'contract-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs the comparison with the contract as it is here. */
function diff(base: string): Promise<{ exitCode: number; out: string }> {
  const script = path.join(PROJECT_ROOT, 'scripts', 'contract.ts')
  const args = ['--import', 'tsx', script, 'diff', '--base', base]
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: PROJECT_ROOT },
      (_error, stdout, stderr) =>
        resolve({ exitCode: child.exitCode ?? -1, out: `${stdout}${stderr}` }),
    )
  })
}

/** A file with the contract, changed. */
async function fileWith(change: (document: ReturnType<typeof readContract>) => void) {
  const document = JSON.parse(JSON.stringify(readContract())) as ReturnType<typeof readContract>
  change(document)
  const file = path.join(folder, 'base.json')
  await writeFile(file, JSON.stringify(document))
  return file
}

describe('npm run contract:diff', () => {
  it('succeeds where callers see no change', async () => {
    const { exitCode, out } = await diff(await fileWith(() => {}))
    expect([exitCode, out]).toEqual([0, 'Callers see no change.\n'])
  })

  it('fails where the contract lacks what the base has', async () => {
    const base = await fileWith(({ paths }) => {
      const { get } = paths['/v1/ping']!
      paths['/v1/gone'] = { get: { ...get!, operationId: 'former' } }
    })
    const { exitCode, out } = await diff(base)
    expect(out).toContain('Breaking (1)\n- former is gone, GET /v1/gone')
    expect(out).toContain('raise the major version')
    expect(exitCode).toBe(1)
  })

  it('succeeds nevertheless where the base has a lower major version', async () => {
    const base = await fileWith(({ info, components }) => {
      info.version = '0.9.0'
      components.schemas.PingResponse!.properties = { more: {} }
    })
    const { exitCode, out } = await diff(base)
    expect(out).toContain('PingResponse.more is gone')
    expect(exitCode).toBe(0)
  })

  it('says so when there is no such base, or it is no OpenAPI document', async () => {
    const empty = path.join(folder, 'empty.yaml')
    await writeFile(empty, '')
    expect(await diff(empty)).toMatchObject({
      exitCode: 2,
      out: expect.stringContaining('no paths'),
    })
    expect((await diff('no-such-commit')).exitCode).toBe(2)
  })
})
