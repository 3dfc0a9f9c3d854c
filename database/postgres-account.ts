import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/** How a PostgreSQL program is started: `prefix` comes before its own command line. */
export type Launch = { prefix: string[]; ids: { uid?: number; gid?: number } }

/** The environment of PostgreSQL's programs: PGPORT and the like must not reach them. */
export const PROGRAM_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }

/** The least powerful first. Containers often have only the second. */
const CAPABILITIES = ['+dac_read_search', '+dac_override']

const run = promisify(execFile)

/**
 * Decides which user PostgreSQL runs as, since it refuses to run as root: any other user runs it directly; root
 * runs it as the owner of `folder`, `postgres` or `nobody`, who is given the folder. A user that cannot reach
 * the folder or the program gets a capability to pass closed parent folders.
 */
export async function chooseLaunch(folder: string, program: string): Promise<Launch> {
  if (process.getuid?.() !== 0) return { prefix: [], ids: {} }
  const account = await chooseAccount(folder)
  await giveFolder(folder, account)
  for (const launch of launchesFor(account)) {
    if (await reaches(launch, folder, program)) return launch
  }
  throw new Error(
    `PostgreSQL cannot run as root, and the account with uid ${account.uid} cannot reach ` +
      `${dirname(folder)} or ${program}: set DATABASE_URL, ` +
      'move the folder out of a private directory, or do not run as root.',
  )
}

/** The command line that runs a program of PostgreSQL. */
export function commandLine(
  launch: Launch,
  program: string,
  args: string[],
): [command: string, args: string[]] {
  const [first = program, ...rest] = [...launch.prefix, program, ...args]
  return [first, rest]
}

type Account = { uid: number; gid: number }

async function chooseAccount(folder: string): Promise<Account> {
  for (const place of [folder, dirname(folder)]) {
    const owner = await stat(place)
    if (owner.uid !== 0) return owner
  }
  const accounts = await readFile('/etc/passwd', 'utf8')
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = accounts.match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm')) ?? []
    if (uid && gid && uid !== '0') return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'PostgreSQL cannot run as root, and there is no account postgres or nobody to run it: ' +
      'set DATABASE_URL, or do not run as root.',
  )
}

/** Recursive, because a folder that root has copied contains a whole database owned by root. */
async function giveFolder(folder: string, { uid, gid }: Account): Promise<void> {
  if ((await stat(folder)).uid === uid) return
  await run('chown', ['-R', `${uid}:${gid}`, folder], { env: PROGRAM_ENV })
}

function launchesFor({ uid, gid }: Account): Launch[] {
  const direct = { prefix: [], ids: { uid, gid } }
  const privileged = CAPABILITIES.map((capability) => ({
    prefix: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=${capability}`,
      `--ambient-caps=${capability}`,
      // Without it, access(2), which PostgreSQL uses to look for its own files, ignores capabilities.
      '--securebits=+no_setuid_fixup',
    ],
    ids: {},
  }))
  return [direct, ...privileged]
}

async function reaches(launch: Launch, folder: string, program: string): Promise<boolean> {
  const test = ['-c', 'test -x "$0" && test -w "$1"', program, folder]
  const [command, args] = commandLine(launch, '/bin/sh', test)
  const attempt = run(command, args, { ...launch.ids, cwd: '/', env: PROGRAM_ENV })
  return attempt.then(
    () => true,
    () => false,
  )
}
