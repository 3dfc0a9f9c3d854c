import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { claimDataFolder } from './claim.ts'
import { openEmbeddedPostgres } from './embedded.ts'
import { findPostmaster, wasCutOff } from './postgres-process.ts'

const LOOK_MS = 1_000

type Kept = {
  dataDir: string
  url: string
  onBack: () => void
  /** Called each time that it could not be started. */
  onProblem: (error: unknown) => void
}

/**
 * Restarts the embedded PostgreSQL of a server after it was killed, as by a system that is out of memory, or
 * gave up, as on a full disk: nobody else would. Starting is retried until it succeeds. One that was shut down
 * is left alone until somebody starts it. In both cases the server then claims the data folder again. The
 * returned function ends it, and resolves once it does nothing any more.
 */
export function keepEmbedded({ dataDir, url, onBack, onProblem }: Kept): () => Promise<void> {
  const ended = new AbortController()
  const folder = path.join(dataDir, 'postgres')
  let release = async () => {}

  async function recover(): Promise<void> {
    const { url: at } = await openEmbeddedPostgres({ dataDir })
    await release()
    release = await claimDataFolder(at, dataDir)
    if (!url.startsWith(at)) throw new Error('PostgreSQL got another port: restart this server.')
    onBack()
  }

  async function keep(): Promise<void> {
    let known: number | undefined
    while (!ended.signal.aborted) {
      try {
        const pid = (await findPostmaster(folder))?.pid
        known ??= pid
        if (pid === undefined ? await wasCutOff(folder) : pid !== known) {
          await recover()
          known = undefined
        }
      } catch (error) {
        onProblem(error)
      }
      await pause(LOOK_MS, undefined, { signal: ended.signal }).catch(() => {})
    }
  }

  const keeping = keep()
  return async () => {
    ended.abort()
    await keeping
    await release()
  }
}
