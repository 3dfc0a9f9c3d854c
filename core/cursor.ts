import { createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from './errors.ts'

const MAC_BYTES = 9

/** Opaque positions in a list, signed and bound to the list. */
export type Cursors = {
  /** `list` names the list with its project and filters; `position` is the last row's sort key. */
  encode(list: readonly unknown[], position: string[]): string
  /** Throws `invalid_cursor` for anything that `encode` did not make for this list. */
  decode(list: readonly unknown[], cursor: string, parts: number): string[]
}

/** Makes cursors that nobody without the key can forge. */
export function createCursors(key: Buffer): Cursors {
  const sign = (list: readonly unknown[], position: Buffer) =>
    createHmac('sha256', key)
      .update(`cursor\n${JSON.stringify(list)}\n`)
      .update(position)
      .digest()
      .subarray(0, MAC_BYTES)
  return {
    encode(list, position) {
      const bytes = Buffer.from(position.join('\n'))
      return Buffer.concat([sign(list, bytes), bytes]).toString('base64url')
    },
    decode(list, cursor, parts) {
      const bytes = Buffer.from(cursor, 'base64url')
      const position = bytes.subarray(MAC_BYTES)
      const isOurs =
        bytes.toString('base64url') === cursor &&
        bytes.length > MAC_BYTES &&
        timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(list, position))
      const values = position.toString().split('\n')
      if (!isOurs || values.length !== parts) {
        throw new ServiceError(
          'invalid_cursor',
          'The cursor was not issued for this list with these filters; start again without one.',
        )
      }
      return values
    },
  }
}
