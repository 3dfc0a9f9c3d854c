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
import { messageOf } from '../core/caught-errors.ts'
import { LIMITS } from '../core/limits.ts'
import { BUNDLE_NAME } from './bundle-name.ts'
import { createMeter } from './computing.ts'
import { createFormats, type Formats } from './formats.ts'
import type { Exported, ThreadParts } from './protocol.ts'

/** What a bot's code may ask of its thread. Strings are passed on unchecked and of any length. */
export type Hooks = {
  /** Throws the message for the bot when the call is not allowed. */
  call(id: number, op: string, args: string): void
  log(level: BotLine['level'], text: string): void
  end(isDone: boolean, text: string): void
}

/**
 * The outcome of one step of a bot's code: finished, stopped for using up its computing time, or the machine
 * broke.
 */
export type Step = { result: 'ok' | 'spent' | 'lost'; computedMs: number; problem: string | null }

/** One bot's code in a virtual machine of its own, which does one run at a time. */
export type Instance = {
  botId: string
  load(bundle: string, leftMs: number): Step
  /** Which handlers the bot exports; none when its code keeps that from being found out. */
  handlers(names: readonly BotHandler[], leftMs: number): Exported
  begin(run: number, names: readonly BotHandler[], event: string, leftMs: number): Step
  settle(id: number, isDone: boolean, json: string, leftMs: number): Step
  /** Ends a run; answers whether the instance can be used for another one. */
  finish(): boolean
  /** The size of its memory, which never shrinks, even when the code has freed it. */
  bytes(): number
}

const GUEST_FAULT = 'GuestFault'
const PAGE_BYTES = 65_536
/** The limit of recursion, far below the thread's own stack. */
const STACK_BYTES = 256 * 1024
const JOBS_AT_ONCE = 1_000
/** The initial memory is fixed in QuickJS's build. */
const MEMORY_BYTES_FIRST = 16 * 1024 * 1024

/**
 * Creates a machine with nothing but the language: no modules, timers, files or network. Its memory is limited
 * from outside, since the engine's own limit was measured not to hold.
 */
export async function createInstance(
  { wasm, guests }: ThreadParts,
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
  const formats = createFormats()
  const bot = enter(vm, guests, hooks, formats)
  let isBroken = false

  /** Runs code of the bot and the jobs that it queues; nothing that it throws gets out. */
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
        // The machine itself failed, for example for lack of memory: it must not be used again.
        isBroken = !(types.isNativeError(error) && error.name === GUEST_FAULT)
        problem = messageOf(error)
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
    begin(run, names, event, leftMs) {
      formats.begin()
      return step(leftMs, () => void bot.call('begin', run, JSON.stringify(names), event))
    },
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

/** An error thrown by the bot's code outside of any promise. */
function guestFault(text: string): Error {
  const fault = new Error(text)
  fault.name = GUEST_FAULT
  return fault
}

/** Node and TypeScript disagree on the module format of the package. */
function releaseVariant(): QuickJSSyncVariant {
  const either = release as QuickJSSyncVariant | { default: QuickJSSyncVariant }
  return 'default' in either ? either.default : either
}

type Way = string | number | boolean

/** Evaluates the guest scripts, gives them the functions that they may call, and answers with the entry points. */
function enter(vm: QuickJSContext, guests: ThreadParts['guests'], hooks: Hooks, formats: Formats) {
  const host = vm.newObject()
  const expose = (name: string, work: (...args: QuickJSHandle[]) => QuickJSHandle | void) =>
    vm.newFunction(name, (...args) => work(...args)).consume((fn) => vm.setProp(host, name, fn))
  expose('call', (id, op, args) => {
    hooks.call(vm.getNumber(must(id)), textOf(vm, op), textOf(vm, args))
  })
  expose('log', (level, text) => {
    hooks.log(levelOf(textOf(vm, level)), textOf(vm, text))
  })
  expose('end', (isDone, text) => hooks.end(vm.dump(must(isDone)) === true, textOf(vm, text)))
  expose('format', (...told) => {
    const [kind = '', method = '', settings = '', args = ''] = told.map((one) => textOf(vm, one))
    return vm.newString(formats.call(kind, method, settings, args))
  })
  const limits = vm.newObject()
  vm.newNumber(LIMITS.botLineCharacters).consume((n) => vm.setProp(limits, 'lineCharacters', n))
  vm.newNumber(LIMITS.botLines).consume((n) => vm.setProp(limits, 'lines', n))
  vm.newNumber(LIMITS.botCallDepth).consume((n) => vm.setProp(limits, 'depth', n))
  const start = (name: string, script: string) => {
    const made = vm.unwrapResult(vm.evalCode(script, name))
    return vm.unwrapResult(vm.callFunction(made, vm.undefined, host, limits))
  }
  start('guest-intl.js', guests.intl)
  const ways = start('guest.js', guests.calls)
  return {
    /** Calls an entry point; throws what code of the bot's throws in it. Answers its text, if any. */
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

/** A string from the bot's side; throws for any other value. */
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

/** A description of what was thrown; disposes of the handle and never throws. */
function take(vm: QuickJSContext, error: QuickJSHandle): string {
  try {
    return wordsOf(vm.dump(error)).slice(0, LIMITS.botLineCharacters)
  } catch {
    return 'Thrown: something that cannot be told'
  } finally {
    // Reading some values disposes of the handle already.
    if (error.alive) error.dispose()
  }
}

function wordsOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return `Thrown: ${String(thrown)}`
  const { name = 'Error', message = '', stack = '' } = thrown as Record<string, unknown>
  return `${String(name)}: ${String(message)}\n${String(stack)}`
}
