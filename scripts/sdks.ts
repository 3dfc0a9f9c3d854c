import { messageOf } from '../core/caught-errors.ts'
import { failed } from './failed.ts'
import { misused, readFlags } from './flags.ts'
import { works } from './sdks/command.ts'
import { LANGUAGES } from './sdks/languages.ts'
import { type Bed, withService } from './sdks/service.ts'

const NAMES = Object.keys(LANGUAGES)
const USAGE = `npm run sdks [-- --only ${NAMES.join('|')}]`

/** Tries the clients that are generated from the contract; the exit code is 1 when one of them fails. */
async function main(args: string[]): Promise<void> {
  const { values } = readFlags(USAGE, {
    args,
    options: { only: { type: 'string', multiple: true } },
  })
  const chosen = values.only ?? NAMES
  if (chosen.some((name) => !NAMES.includes(name))) misused(USAGE)
  const results = await withService(async (bed) => {
    const results: boolean[] = []
    // One after another, since each keeps the machine busy.
    for (const name of chosen) results.push(await tried(name, bed))
    return results
  })
  process.exitCode = results.includes(false) ? 1 : 0
}

/** Prints the result for one language; false when its client fails. */
async function tried(name: string, bed: Bed): Promise<boolean> {
  const language = LANGUAGES[name]
  if (!language) return false
  const missing = language.needs.find(({ probe }) => !works(probe))?.missing
  if (missing !== undefined) {
    console.log(`${name}: SKIPPED, as ${missing} is not installed`)
    return true
  }
  const startedAt = performance.now()
  try {
    await language.play(bed)
  } catch (error) {
    console.log(`${name}: FAILED (${language.tools})\n${textOf(error)}`)
    return false
  }
  const tookS = ((performance.now() - startedAt) / 1000).toFixed(0)
  const { tools, shown } = language
  console.log(`${name}: generated, compiled, ${shown} (${tools}; ${tookS} s)`)
  return true
}

function textOf(error: unknown): string {
  return messageOf(error)
}

main(process.argv.slice(2)).catch(failed)
