import release from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { types } from 'node:util'
import type { BotLine } from '../core/bot-pool.ts'
import type { BotHandler } from '../core/bots.ts'
import { LIMITS } from '../core/limits.ts'
import { BUNDLE_NAME } from './bundle-name.ts'
import { createMeter } from './computing.ts'
import type { Exported } from './protocol.ts'

/** What a bot's code may ask of the thread that it is in. Strings come as they are, of any length. */
export type Hooks = {
  /** Throws what the bot is told when it may not. */
  call(id: number, op: string, args: string): void
  log(level: BotLine['level'], text: string): void
  end(isDone: boolean, text: string): void
}

/** How a step of a bot's code went: on to the next, stopped for its computing, or broken. */
export type Step = { result: 'ok' | 'spent' | 'lost'; computedMs: number; problem: string | null }

/** One bot's code in a machine of its own, which does one run at a time. */
export type Instance = {
  botId: string
  load(bundle: string, leftMs: number): Step
  /** Which handlers the bot exports; none when its code keeps that from being found out. */
  handlers(names: readonly BotHandler[], leftMs: number): Exported
  begin(run: number, names: readonly BotHandler[], event: string, leftMs: number): Step
  settle(id: number, isDone: boolean, json: string, leftMs: number): Step
  /** Ends a run; answers whether another may follow in here. */
  finish(): boolean
  /** All of its memory: what code used of that once stays with it, also when it has given it back. */
  bytes(): number
}

const GUEST_FAULT = 'GuestFault'
const PAGE_BYTES = 65_536
/** Recursion ends here, far from the end of the thread's own stack. */
const STACK_BYTES = 256 * 1024
const JOBS_AT_ONCE = 1_000
/** QuickJS takes the memory that it begins with from its build. */
const MEMORY_BYTES_FIRST = 16 * 1024 * 1024

/**
 * Makes a machine that has nothing but the language: no module, timer, file or network, and memory that
 * cannot grow over its limit, for the engine's own limit was measured not to hold.
 */
export async function createInstance(
  { wasm, guest }: { wasm: WebAssembly.Module; guest: string },
  botId: string,
  hooks: Hooks,
): Promise<Instance> {
  const memory = new WebAssembly.Memory({
    initial: MEMORY_BYTES_FIRST / PAGE_BYTES,
    maximum: LIMITS.botMemoryBytes / PAGE_BYTES,
  })
  const variant = newVariant(releaseVariant(), { wasmModule: wasm, wasmMemory: memory })
  const quickjs = await newQuickJSWASMModuleFromVariant(variant)
  const meter = createMeter()
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: STACK_BYTES })
  runtime.setInterruptHandler(meter.isOver)
  const vm = runtime.newContext()
  const bot = enter(vm, guest, hooks)
  let isBroken = false

  /** Runs code of the bot's, and whatever that sets off; nothing that it does is thrown. */
  function step(leftMs: number, work: () => void): Step {
    let problem: string | null = null
    const computedMs = meter.measure(leftMs, () => {
      try {
        work()
        while (!meter.wasStopped() && runtime.hasPendingJob()) {
          const ran = runtime.executePendingJobs(JOBS_AT_ONCE)
          if (ran.error) problem = take(vm, ran.error)
          ran.dispose()
        }
      } catch (error) {
        // The machine itself gave up, as for memory that it needed: it is not to be used again.
        isBroken = !(types.isNativeError(error) && error.name === GUEST_FAULT)
        problem = types.isNativeError(error) ? error.message : String(error)
      }
    })
    if (meter.wasStopped()) isBroken = true
    const result = meter.wasStopped() ? 'spent' : isBroken ? 'lost' : 'ok'
    return { result, computedMs, problem }
  }

  return {
    botId,
    load: (bundle, leftMs) =>
      step(leftMs, () => {
        const loaded = vm.evalCode(bundle, BUNDLE_NAME)
        if (loaded.error) throw guestFault(take(vm, loaded.error))
        loaded.value.dispose()
      }),
    handlers(names, leftMs) {
      let found = '{}'
      step(leftMs, () => void (found = bot.call('handlers', JSON.stringify(names))))
      const said = JSON.parse(found) as Record<string, unknown>
      return {
        callable: names.filter((name) => said[name] === true),
        others: names.filter((name) => said[name] === false),
      }
    },
    begin: (run, names, event, leftMs) =>
      step(leftMs, () => void bot.call('begin', run, JSON.stringify(names), event)),
    settle: (id, isDone, json, leftMs) =>
      step(leftMs, () => void bot.call('settle', id, isDone, json)),
    finish() {
      if (isBroken || memory.buffer.byteLength > LIMITS.botMemoryKeptBytes) return false
      const ended = step(LIMITS.botFinishMs, () => void bot.call('finish'))
      return ended.result === 'ok' && !runtime.hasPendingJob()
    },
    bytes: () => memory.buffer.byteLength,
  }
}

/** What the bot's code threw where nothing of it could catch that. */
function guestFault(text: string): Error {
  const fault = new Error(text)
  fault.name = GUEST_FAULT
  return fault
}

/** The package is read as one kind of module by Node, and as another by its types. */
function releaseVariant(): QuickJSSyncVariant {
  const either = release as QuickJSSyncVariant | { default: QuickJSSyncVariant }
  return 'default' in either ? either.default : either
}

type Way = string | number | boolean

/** Evaluates the guest script, hands it what it may reach, and answers with the way in. */
function enter(vm: QuickJSContext, guest: string, hooks: Hooks) {
  const made = vm.unwrapResult(vm.evalCode(guest, 'guest.js'))
  const host = vm.newObject()
  const expose = (name: string, work: (...args: QuickJSHandle[]) => void) =>
    vm.newFunction(name, (...args) => work(...args)).consume((fn) => vm.setProp(host, name, fn))
  expose('call', (id, op, args) => {
    hooks.call(vm.getNumber(must(id)), textOf(vm, op), textOf(vm, args))
  })
  expose('log', (level, text) => {
    hooks.log(levelOf(textOf(vm, level)), textOf(vm, text))
  })
  expose('end', (isDone, text) => hooks.end(vm.dump(must(isDone)) === true, textOf(vm, text)))
  const limits = vm.newObject()
  vm.newNumber(LIMITS.botLineCharacters).consume((n) => vm.setProp(limits, 'lineCharacters', n))
  const ways = vm.unwrapResult(vm.callFunction(made, vm.undefined, host, limits))
  return {
    /** Calls a way in; throws when code of the bot's threw in it. Answers its text, if any. */
    call(name: string, ...args: Way[]): string {
      const handles = args.map((arg) =>
        typeof arg === 'string'
          ? vm.newString(arg)
          : typeof arg === 'number'
            ? vm.newNumber(arg)
            : arg
              ? vm.true
              : vm.false,
      )
      const way = vm.getProp(ways, name)
      const answer = vm.callFunction(way, vm.undefined, ...handles)
      way.dispose()
      for (const handle of handles) handle.dispose()
      if (answer.error) throw guestFault(take(vm, answer.error))
      return answer.value.consume((value) =>
        vm.typeof(value) === 'string' ? vm.getString(value) : '',
      )
    },
  }
}

const TOO_LONG = `A call says at most ${LIMITS.botCallCharacters / 1024} KiB.`

/** A text that came from the bot's side; others are told as what they are. */
function textOf(vm: QuickJSContext, handle: QuickJSHandle | undefined): string {
  if (!handle || vm.typeof(handle) !== 'string') throw new Error('That cannot be said as text.')
  const length = vm.getProp(handle, 'length').consume((value) => vm.getNumber(value))
  if (length > LIMITS.botCallCharacters) throw new Error(TOO_LONG)
  return vm.getString(handle)
}

function levelOf(text: string): BotLine['level'] {
  return text === 'warn' || text === 'error' ? text : 'info'
}

function must(handle: QuickJSHandle | undefined): QuickJSHandle {
  if (!handle) throw new Error('Something is missing.')
  return handle
}

/** What was thrown, in words; the handle is given back. Whatever it is, this does not throw. */
function take(vm: QuickJSContext, error: QuickJSHandle): string {
  try {
    return wordsOf(vm.dump(error)).slice(0, LIMITS.botLineCharacters)
  } catch {
    return 'Thrown: something that cannot be told'
  } finally {
    // To tell of some things is to give them back.
    if (error.alive) error.dispose()
  }
}

function wordsOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return `Thrown: ${String(thrown)}`
  const { name = 'Error', message = '', stack = '' } = thrown as Record<string, unknown>
  return `${String(name)}: ${String(message)}\n${String(stack)}`
}
