import { LIMITS } from '../core/limits.ts'
import { createSlots, type Slots } from '../core/slots.ts'

/** Limits concurrent builds and loads of code; projects take turns. */
export function createBuildSlots(): Slots {
  return createSlots({
    atOnce: LIMITS.buildsAtOnce,
    atOnceEach: LIMITS.buildsAtOnceEach,
    waitingMax: LIMITS.buildsWaiting,
    waitMs: LIMITS.buildWaitMs,
  })
}
