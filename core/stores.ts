import type { Readable } from 'node:stream'

/** What the service asks of the places that keep things beside the database, in its own words. */

/** Where media lie, by keys that the service makes up: 16 to 64 of a-z, 0-9 and -. */
export type MediaStore = {
  /** Keeps a file of this machine under the key; the file itself may be moved away. */
  put(key: string, file: { path: string; sizeBytes: number }): Promise<void>
  /** What lies under the key, as many bytes as it says; null when there is nothing. */
  open(key: string): Promise<{ body: Readable; sizeBytes: number } | null>
  /** Harmless when there is nothing. */
  remove(key: string): Promise<void>
  close(): Promise<void>
}

/** How many requests a credential has made in this clock minute, and when the minute ends. */
export type RequestCount = { used: number; resetS: number }

/** Counts requests across processes. Never throws: null when its store fails. */
export type RequestCounter = { count(credentialId: string): Promise<RequestCount | null> }

/** What a credential may upload in a clock minute, across processes. Nothing here throws. */
export type UploadBudget = {
  /**
   * Takes one upload and as much of `bytes` (at least 1) as the minute has left. Null when its store
   * fails: the upload passes unmetered.
   */
  reserve(credentialId: string, bytes: number): Promise<UploadReservation | null>
}

export type UploadReservation = {
  /** 0 when the minute's bytes or uploads are used up: nothing was taken then. */
  grantedBytes: number
  remainingBytes: number
  remainingUploads: number
  resetS: number
  /** Gives the rest back, once and to the same minute. */
  settle(usedBytes: number): Promise<void>
}
