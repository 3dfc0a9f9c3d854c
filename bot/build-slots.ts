import { LIMITS } from '../core/limits.ts'
import { createSlots, type Slots } from '../core/slots.ts'

/** Room for builds, or for loading what was built; projects take turns. */
export function createBuildSlots(): Slots {
  return createSlots({
    atOnce: LIMITS.buildsAtOnce,
    atOnceEach: LIMITS.buildsAtOnceEach,
    waitingMax: LIMITS.buildsWaiting,
    waitMs: LIMITS.buildWaitMs,
  })
}
