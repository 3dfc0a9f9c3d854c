/** The stored answer of an earlier request with the same key: its status, and its data or its error. */
export class Replay {
  readonly status: number
  readonly answer: StoredAnswer
  readonly requestId: string

  constructor(status: number, answer: StoredAnswer, requestId: string) {
    this.status = status
    this.answer = answer
    this.requestId = requestId
  }
}

export type StoredAnswer = { data: unknown } | { error: StoredError }

export type StoredError = { code: string; message: string; details?: Record<string, unknown> }

/** A request's claim to be done once: its key, and what it asked for. */
export type IdempotencyKey = { key: string; fingerprint: Buffer }
