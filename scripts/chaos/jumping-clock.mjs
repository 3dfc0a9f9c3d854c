// Preloaded into a server (`node --import`), this makes the machine's clock jump by minutes, forwards and
// backwards, every few hundred milliseconds; what only measures time, as timers do, is left alone.
const JUMP_EVERY_MS = 700
const JUMPS_MS = [0, 420_000, -180_000, 90_000, -600_000, 5_000, 660_000, -45_000]

const RealDate = Date
const first = Number(process.env.CHAOS_CLOCK_SEED ?? 0)
const startedAt = performance.now()

function now() {
  const turn = Math.floor((performance.now() - startedAt) / JUMP_EVERY_MS)
  return RealDate.now() + JUMPS_MS[(first + turn) % JUMPS_MS.length]
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => (args.length > 0 ? new target(...args) : new target(now())),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
