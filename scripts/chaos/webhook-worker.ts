import { openContext } from '../../context.ts'
import { loadConfig } from '../../core/config.ts'
import { startService } from '../../service.ts'
import { createPlainEgress } from './plain-egress.ts'

// A worker that may reach the run's own receivers; it says that it is ready as a server does.
const config = loadConfig(process.env)
const opened = await openContext(config, config.databaseUrl ?? '', { egress: createPlainEgress() })
await startService(opened)
process.stdout.write(`Ready at http://worker-${process.pid} after a moment\n`)
