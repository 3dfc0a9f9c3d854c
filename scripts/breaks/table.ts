import { ACCESS } from './access.ts'
import { BOTS } from './bots.ts'
import type { Break } from './break.ts'
import { BROADCASTS } from './broadcasts.ts'
import { CALLBACKS } from './callbacks.ts'
import { CHAOS } from './chaos.ts'
import { CLOCKS } from './clocks.ts'
import { CONTRACT } from './contract.ts'
import { CONNECTIONS } from './connections.ts'
import { DATABASES } from './databases.ts'
import { EDGES } from './edges.ts'
import { GROWTH } from './growth.ts'
import { SECRETS } from './secrets.ts'
import { SENDS } from './sends.ts'
import { SESSIONS } from './sessions.ts'
import { TABLES } from './tables.ts'
import { WEBHOOKS } from './webhooks.ts'

/** Everything that is broken, one after the other; the slow gates come last. */
export const BREAKS: readonly Break[] = [
  ...[...CONTRACT, ...ACCESS, ...SENDS, ...CALLBACKS, ...WEBHOOKS, ...BROADCASTS, ...BOTS],
  ...[...CLOCKS, ...CONNECTIONS, ...DATABASES, ...EDGES, ...TABLES, ...SESSIONS, ...GROWTH],
  ...[...SECRETS, ...CHAOS],
]
