const LINE_MAX = 200_000

/** Reads what servers write, and looks for what must never stand there. */
export function createLogWatch() {
  const secrets: string[] = []
  const unfinished = new Map<number, string>()
  const leaks: string[] = []
  let lines = 0

  function look(line: string): void {
    lines++
    const found = secrets.findIndex((secret) => line.includes(secret))
    if (found >= 0) leaks.push(`secret ${found} in: ${line.slice(0, 300)}`)
  }
  return {
    /** Has whatever is written from now on searched for them. */
    forbid: (...more: string[]) => void secrets.push(...more),
    hear(place: number, text: string) {
      const parts = `${unfinished.get(place) ?? ''}${text}`.split('\n')
      unfinished.set(place, (parts.pop() ?? '').slice(-LINE_MAX))
      parts.forEach(look)
    },
    leaks,
    lines: () => lines,
  }
}

export type LogWatch = ReturnType<typeof createLogWatch>
