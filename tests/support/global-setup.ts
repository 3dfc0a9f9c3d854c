import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tsImport } from 'tsx/esm/api'

/** Jest loads this file with Node's own import, which on Node 20 cannot read TypeScript. */
export default async function globalSetup(): Promise<void> {
  const { buildPrograms } = await tsImport('./programs.ts', import.meta.url)
  const { startServers } = await tsImport('./servers.ts', import.meta.url)
  process.env.TEST_SEEN_DIR ??= await mkdtemp(path.join(tmpdir(), 'service-seen-'))
  await buildPrograms()
  await startServers()
}
