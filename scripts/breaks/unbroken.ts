import type { Outcome } from './gate.ts'

export type Run = (gate: string) => Promise<Outcome>

const TESTS = /^npm test -- (\S+)(?: -t "(.*)")?$/

/**
 * Runs every gate while nothing is broken; answers with those that are red even so, and what they say.
 * The tests run together, and one gate at a time only when some of them fail.
 */
export async function redUnbroken(gates: string[], run: Run): Promise<Map<string, string>> {
  const red = new Map<string, string>()
  const areGreen = await allGreen(joined(gates), run)
  for (const gate of gates) {
    if (areGreen && TESTS.test(gate)) continue
    const { isGreen, output } = await run(gate)
    if (!isGreen) red.set(gate, output)
  }
  return red
}

async function allGreen(gates: string[], run: Run): Promise<boolean> {
  for (const gate of gates) if (!(await run(gate)).isGreen) return false
  return true
}

/** The same tests by two commands at most: whole files, and tests by their names. */
function joined(gates: string[]): string[] {
  const found = gates.flatMap((gate) => {
    const [, file, named] = TESTS.exec(gate) ?? []
    return file === undefined ? [] : [{ file, named }]
  })
  const whole = filesOf(found.filter(({ named }) => named === undefined))
  const chosen = found.filter(({ named }) => named !== undefined)
  const names = [...new Set(chosen.map(({ named }) => named))].join('|')
  return [
    ...(whole === '' ? [] : [`npm test -- ${whole}`]),
    ...(names === '' ? [] : [`npm test -- ${filesOf(chosen)} -t "(${names})"`]),
  ]
}

function filesOf(found: { file: string }[]): string {
  return [...new Set(found.map(({ file }) => file))].join(' ')
}
