import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import { type SandboxAccount, startSandbox } from '../../channel/sandbox.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import { programFile } from './programs.ts'
import { TEST_ENCRYPTION_KEY, type TestProject, type TestService } from './service.ts'

/** Longer than the slowest start; what does not come to its step is told of as SIGTERM. */
const START_LIMIT_MS = 60_000

/** How a process has to end that dies in its step. */
export const KILLED = [null, 'SIGKILL']

/** Starts a process on a service's database that dies, as by a power cut, when it comes to its step. */
function start(
  { databaseUrl }: TestService,
  script: 'bots' | 'sender' | 'server' | 'worker',
  args: string[],
  env: Record<string, string>,
): ChildProcess {
  return spawn(process.execPath, [programFile(`crashing-${script}`), ...args], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: START_LIMIT_MS,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      ...env,
    },
  })
}

/** Runs a worker until it dies; answers with how it ended. */
export async function runUntilCrash(
  service: TestService,
  script: 'bots' | 'sender' | 'worker',
  args: string[],
  env: Record<string, string> = {},
): Promise<unknown[]> {
  const child = start(service, script, args, { ROLE: 'worker', ...env })
  child.stdout?.resume()
  return once(child, 'exit')
}

/** Starts a server that dies when a request comes to the step; `exited` tells how it ended. */
export async function startCrashingServer(service: TestService, step: string) {
  const child = start(service, 'server', [step], { ROLE: 'api' })
  const exited = once(child, 'exit') as Promise<unknown[]>
  const said = once(createInterface(child.stdout!), 'line') as Promise<[string]>
  const early = exited.then((end) => {
    throw new Error(`The server ended before it was up: ${String(end)}`)
  })
  // It is to end later on, when nobody waits for this any more.
  early.catch(() => {})
  const [line] = await Promise.race([said, early])
  const { url } = JSON.parse(line) as { url: string }
  return { url, exited }
}

/**
 * A channel that takes messages and calls nobody back: what it reports, and when, is up to the test.
 * It outlives the processes that send to it.
 */
export async function startQuietChannel(service: TestService) {
  const accounts = new Map<string, SandboxAccount>()
  const numbers = new Map<string, string>()
  const channel = await startSandbox({
    findAccount: async (_by, id) => accounts.get(id) ?? null,
    callbacks: false,
  })
  return {
    close: channel.close,
    requests: channel.requests,
    requestsOf: ({ id }: TestProject) =>
      channel.requests.filter(({ phoneNumberId }) => phoneNumberId === numbers.get(id)),
    /** Connects a project to it; answers with its account. */
    async connect({ id }: TestProject): Promise<SandboxAccount> {
      const phoneNumberId = `10654035224${String(accounts.size).padStart(4, '0')}`
      await channelAccounts.connect(service.ctx, id, {
        phoneNumberId,
        businessAccountId: `1${phoneNumberId}`,
        appId: '1',
        accessToken: 'EAAtests',
        appSecret: 'secret',
        verifyToken: 'verify',
        apiUrl: channel.url,
      })
      const account = await service.account(id)
      accounts.set(phoneNumberId, account)
      numbers.set(id, phoneNumberId)
      return account
    },
  }
}

export type QuietChannel = Awaited<ReturnType<typeof startQuietChannel>>
