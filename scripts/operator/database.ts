import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { exitCodeOf } from '../../core/signals.ts'
import { command, type Io, type Noun, stopped, type Stopped } from './command.ts'

export const database: Noun = {
  says: 'The database: what the tools of PostgreSQL do with it',
  verbs: {
    run: command({
      says: 'Runs a command of the shell with the address in DATABASE_URL: pg_dump, psql.',
      operand: 'COMMAND',
      flags: {},
      run: async (_ctx, _flags, line, io, address) => {
        await runLine(line, address, io)
        return null
      },
    }),
  },
}

/** Runs the line over the terminal of this process. Throws the exit code of what fails. */
async function runLine(line: string, address: string, { env, stop }: Io): Promise<void> {
  const child = spawn(line, {
    shell: true,
    stdio: 'inherit',
    env: { ...env, DATABASE_URL: address },
  })
  // The terminal sends a Ctrl-C to the command, too, and what that does then is up to it.
  const end = () => {
    if ((stop.reason as Stopped).exitCode !== exitCodeOf('SIGINT')) child.kill()
  }
  stop.addEventListener('abort', end)
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    if (code !== 0) throw stopped(signal === null ? Number(code) : 128 + constants.signals[signal])
  } finally {
    stop.removeEventListener('abort', end)
  }
}
