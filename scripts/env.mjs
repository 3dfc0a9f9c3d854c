// Reads the settings of the file .env, if there is one; what the environment sets already stays.
import { existsSync } from 'node:fs'
import path from 'node:path'

const settings = path.resolve(import.meta.dirname, '..', '.env')
try {
  if (existsSync(settings)) process.loadEnvFile(settings)
} catch (error) {
  console.error(`The settings in ${settings} cannot be read: ${error.message}.`)
  process.exit(1)
}

// The code of bots sees the zone that the process is in: it is to be the same on every machine.
process.env.TZ = 'UTC'

// The library for buckets warns of the Node.js that its later versions need; ours is pinned, and logs hold JSON alone.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
