// Reads the settings of the file .env, if there is one; what the environment sets already stays.
import { existsSync } from 'node:fs'
import path from 'node:path'

const settings = path.resolve(import.meta.dirname, '..', '.env')
if (existsSync(settings)) process.loadEnvFile(settings)

// The code of bots sees the zone that the process is in: it is to be the same on every machine.
process.env.TZ = 'UTC'
