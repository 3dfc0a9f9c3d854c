import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Break, timesIn } from './breaks/break.ts'
import { copyProject } from './breaks/copy.ts'
import { runGate } from './breaks/gate.ts'
import { BREAKS } from './breaks/table.ts'
import { redUnbroken, type Run } from './breaks/unbroken.ts'
import { failed } from './failed.ts'
import { misused, readFlags } from './flags.ts'

const USAGE = 'npm run breaks [-- [--list] [part of a name …]]'
const LINES_SHOWN = 60

/**
 * Breaks the project, one thing at a time, and checks that the gate guarding it fails. The exit code is 1 when
 * a gate passes, or fails without naming what is broken.
 */
async function main(args: string[]): Promise<void> {
  const { positionals, values } = readFlags(USAGE, {
    args,
    allowPositionals: true,
    options: { list: { type: 'boolean' } },
  })
  const isChosen = ({ name }: Break) => positionals.some((part) => name.includes(part))
  const chosen = positionals.length === 0 ? BREAKS : BREAKS.filter(isChosen)
  if (chosen.length === 0) misused(USAGE, 'No break has such a name.')
  if (values.list) {
    for (const { name, file, gate } of chosen) console.log(`${name}\n  ${file}: ${gate}`)
    return
  }
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interrupted.abort(new Error('Interrupted.')))
  }
  const startedAt = performance.now()
  const copy = await copyProject()
  try {
    const run: Run = (gate) => runGate(gate, copy.folder, interrupted.signal)
    const faults = await tryAll(chosen, copy.folder, run)
    const tookS = Math.round((performance.now() - startedAt) / 1000)
    console.log(`\n${chosen.length} breaks, ${faults} that no gate stopped, in ${tookS} s.`)
    process.exitCode = faults === 0 ? 0 : 1
  } finally {
    await copy.remove()
  }
}

/** Answers how many breaks were not noticed, or not recognised for what they are. */
async function tryAll(chosen: readonly Break[], folder: string, run: Run): Promise<number> {
  const gates = [...new Set(chosen.map(({ gate }) => gate))]
  console.log(`${gates.length} gates, while nothing is broken …`)
  const red = await redUnbroken(gates, run)
  for (const [gate, output] of red) {
    console.log(`RED WITHOUT A BREAK, which proves nothing: ${gate}\n${endOf(output)}`)
  }
  let faults = 0
  for (const one of chosen) {
    if (red.has(one.gate) || !(await isNoticed(one, folder, run))) faults++
  }
  return faults
}

/** Makes one break, runs its gate, undoes the break and prints the result. */
async function isNoticed(one: Break, folder: string, run: Run): Promise<boolean> {
  const { name, gate, says } = one
  const undo = await make(one, folder)
  try {
    const { isGreen, output, tookS } = await run(gate)
    const isSaid = typeof says === 'string' ? output.includes(says) : says.test(output)
    if (isGreen) console.log(`${name}: STAYED GREEN: ${gate}`)
    else if (!isSaid) console.log(`${name}: RED, BUT WITHOUT ${says}: ${gate}\n${endOf(output)}`)
    else console.log(`${name}: red, as it must: ${gate} (${tookS} s)`)
    return !isGreen && isSaid
  } finally {
    await undo()
  }
}

/** Breaks one file of the copy; answers the function that restores it. */
async function make({ name, file, find, replace }: Break, folder: string) {
  const broken = path.join(folder, file)
  const text = await readFile(broken, 'utf8')
  if (timesIn(text, find) !== 1) throw new Error(`"${name}" does not fit ${file} any more.`)
  await writeFile(
    broken,
    text.replace(find, () => replace),
  )
  return () => writeFile(broken, text)
}

function endOf(output: string): string {
  return output.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n')
}

main(process.argv.slice(2)).catch(failed)
