import { CHANNEL_CODES } from '../../core/channel-codes.ts'
import { LIMITS } from '../../core/limits.ts'
import type { ChannelError } from '../../core/channel-account.ts'
import { wordsOf } from '../channel-accounts/channel-answers.ts'

/** How long a number is closed: the first time, and at most. */
export type Silence = { firstMs: number; longestMs: number }

/** When a recipient is tried again, and whether the try counts against the limit. */
export type Retry = { delayMs: number; counts: boolean }

/**
 * What a refusal means: the recipient fails or is tried again; the number may have to be closed for all
 * recipients; the whole broadcast may fail, with the reason.
 */
export type Verdict = {
  retry: Retry | null
  silence: Silence | null
  broadcastFails: string | null
}

const FAILED: Verdict = { retry: null, silence: null, broadcastFails: null }

const MINUTE_MS = 60_000
const SILENCES = {
  throughput: { firstMs: 1_000, longestMs: MINUTE_MS },
  api_rate: { firstMs: MINUTE_MS, longestMs: LIMITS.paceClosedMs },
  quality: { firstMs: 15 * MINUTE_MS, longestMs: LIMITS.paceClosedMs },
} satisfies Record<string, Silence>

/** For a number on which one message after another fails. */
export const STANDSTILL: Silence = { firstMs: 1_000, longestMs: MINUTE_MS }

/** Judges a refusal of a recipient's message after `tries` earlier tries. `random` is from 0 up to 1. */
export function judge(error: ChannelError, tries: number, random: number): Verdict {
  switch (error.kind) {
    case 'auth':
    case 'permission':
    case 'account':
    case 'registration':
      return refusedProject(error)
    case 'parameter':
      return isAboutNumber(error) ? refusedProject(error) : FAILED
    case 'template':
      return { ...FAILED, broadcastFails: faultOfTemplate(error) }
    case 'template_paused':
    case 'template_disabled':
      return { ...FAILED, broadcastFails: `The template cannot be sent: ${wordsOf(error)}` }
    case 'throughput':
    case 'api_rate':
    case 'quality': {
      // The fault is not the recipient's, who waits for as long as the number is closed.
      const silence = SILENCES[error.kind]
      return { ...FAILED, silence, retry: { delayMs: silence.firstMs, counts: false } }
    }
    case 'pair_rate':
      return again(tries, Math.max(LIMITS.pairGapMs, 1_000 * 4 ** tries))
    case 'transient':
      return again(tries, LIMITS.broadcastRetryMs * 2 ** tries * (0.5 + random))
    default:
      return FAILED
  }
}

function refusedProject(error: ChannelError): Verdict {
  return { ...FAILED, broadcastFails: `The channel refused the project: ${wordsOf(error)}` }
}

/**
 * Messages are posted to the number's own path, so `noSuchObject` means that the number is missing or its token
 * has no access.
 */
function isAboutNumber({ code, subcode }: ChannelError): boolean {
  return code === CHANNEL_CODES.noSuchObject || subcode === CHANNEL_CODES.noSuchObject
}

/** Null when the fault lies in the values of one recipient. */
function faultOfTemplate(error: ChannelError): string | null {
  switch (error.code) {
    case CHANNEL_CODES.noSuchTemplate:
      return `The channel has no such template: ${wordsOf(error)}`
    case CHANNEL_CODES.parametersDiffer:
      return `The template takes other parameters at the channel: ${wordsOf(error)}`
    default:
      return null
  }
}

function again(tries: number, delayMs: number): Verdict {
  if (tries >= LIMITS.broadcastTries - 1) return FAILED
  return { ...FAILED, retry: { delayMs: Math.round(delayMs), counts: true } }
}
