// Reads the settings of the file .env, if there is one; what the environment sets already stays.
import { existsSync } from 'node:fs'
import path from 'node:path'

const settings = path.resolve(import.meta.dirname, '..', '.env')
if (existsSync(settings)) process.loadEnvFile(settings)
