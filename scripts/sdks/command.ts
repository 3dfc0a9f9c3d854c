import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

const LIMIT_MS = 15 * 60_000
const OUTPUT_SHOWN = 4_000

export type Place = { cwd: string; env?: Record<string, string> }

/** Runs a program to its end; throws with the end of what it wrote when it fails or takes too long. */
export async function run(program: string, args: string[], { cwd, env }: Place): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      written = `${written}${chunk.toString()}`.slice(-OUTPUT_SHOWN)
    })
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code === 0) return
  throw new Error(`${program} ${args.join(' ')} ended with ${code ?? signal}:\n${written}`)
}

/** Whether a program is installed and can do what the arguments ask. */
export function works([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
