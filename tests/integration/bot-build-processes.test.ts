import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from '@jest/globals'
import { createBuilder, type Program, startProgram } from '../../bot/build.ts'
import { readStarter } from '../../bot/starter-files.ts'
import { until } from '../support/until.ts'

/** Elsewhere processes are not told of as files. */
const describeLinux = existsSync('/proc/self/oom_score_adj') ? describe : describe.skip
/** Takes the compiler much longer than a second. */
const ENDLESS = `enum A {${'a,'.repeat(250_000)}}\nexport const onMessage = A`

/** The processes of a group, those included that have ended and that nobody has asked after. */
async function membersOf(group: number): Promise<string[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(
    all.map((id) => readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')),
  )
  return stats.filter((stat) => stat.split(') ')[1]?.split(' ')[2] === String(group))
}

describeLinux('a build', () => {
  it('and not the service, is what Linux ends when memory runs out', async () => {
    const program = startProgram()
    const scoreOf = async (id: number | string) =>
      Number(await readFile(`/proc/${id}/oom_score_adj`, 'utf8'))
    await until(async () => (await scoreOf(program.pid!)) === 1_000, 'its score')
    expect(await scoreOf('self')).toBeLessThan(1_000)
    program.kill('SIGKILL')
    await once(program, 'close')
  })

  it('leaves no process behind, which nobody would reap in a container', async () => {
    for (let round = 0; round < 5; round++) {
      const program = startProgram()
      const outcome = text(program.stdout!)
      const job = { files: [['app.ts', 'x(']], timeoutMs: 10_000, faultsMax: 1 }
      program.stdin!.end(JSON.stringify(job))
      await once(program, 'exit')
      expect(await membersOf(program.pid!)).toEqual([])
      expect(JSON.parse(await outcome)).toMatchObject({ ok: false })
    }
  })

  it('that takes too long leaves none either', async () => {
    let program: Program | undefined
    const impatient = createBuilder(1_000, () => (program = startProgram()))
    const files = new Map([...readStarter(), ['bot.ts', Buffer.from(ENDLESS)] as const])
    const outcome = impatient(files, 'p1')
    await until(() => program !== undefined, 'its process')
    await once(program!, 'exit')
    expect(await membersOf(program!.pid!)).toEqual([])
    const late = {
      file: null,
      line: null,
      column: null,
      text: 'The build takes longer than 1 seconds.',
    }
    expect(await outcome).toEqual({ ok: false, errors: [late] })
  })
})
