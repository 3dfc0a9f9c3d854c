import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import type { Readable } from 'node:stream'

/** What the service asks of the places that keep things beside the database, in its own words. */

/** A store for media; keys are made by the service: 16 to 64 characters of a-z, 0-9 and -. */
export type MediaStore = {
  /** Stores a file of this machine under the key; the file itself may be moved away. */
  put(key: string, file: { path: string; sizeBytes: number }): Promise<void>
  /** The bytes under the key and their number; null when there are none. */
  open(key: string): Promise<{ body: Readable; sizeBytes: number } | null>
  /** Succeeds also when there is nothing under the key. */
  remove(key: string): Promise<void>
  close(): Promise<void>
}

/** How many requests a credential has made in this minute of the clock, and when the minute ends. */
export type RequestCount = { used: number; resetS: number }

/** Counts requests across processes. Never throws: null when its store fails. */
export type RequestCounter = { count(credentialId: string): Promise<RequestCount | null> }

/** How much a credential may upload in a minute of the clock, across processes. No method throws. */
export type UploadBudget = {
  /**
   * Takes one upload and as much of `bytes` (at least 1) as is left of the minute; with `uploads` 0 more bytes
   * for an upload that is counted already. Null when the store fails: the upload then passes unmetered.
   */
  reserve(credentialId: string, bytes: number, uploads?: 0 | 1): Promise<UploadReservation | null>
}

export type UploadReservation = {
  /** 0 when the minute's bytes or uploads are used up: then nothing was taken. */
  grantedBytes: number
  remainingBytes: number
  remainingUploads: number
  resetS: number
  /** Gives the rest back to the same minute; to be called once. */
  settle(usedBytes: number): Promise<void>
}

/** Node's own agents for a library that brings its HTTP client, by scheme. */
export type Agents = { http: HttpAgent; https: HttpsAgent }
