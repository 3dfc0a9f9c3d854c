import { rm } from 'node:fs/promises'
import path from 'node:path'
import { tsImport } from 'tsx/esm/api'

export default async function globalTeardown(): Promise<void> {
  const { stopServers } = await tsImport('./servers.ts', import.meta.url)
  await stopServers()
  const { TEST_SEEN_DIR: seen = '' } = process.env
  // A folder that somebody named gathers what several runs see, and stays.
  if (path.basename(seen).startsWith('service-seen-')) await rm(seen, { recursive: true })
}
