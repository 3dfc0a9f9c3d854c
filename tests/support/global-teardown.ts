import { tsImport } from 'tsx/esm/api'

export default async function globalTeardown(): Promise<void> {
  const { stopServers } = await tsImport('./servers.ts', import.meta.url)
  await stopServers()
}
