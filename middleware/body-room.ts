import type { ServiceError } from '../core/errors.ts'

/** What one request holds of the room for bodies. */
export type BodyRoom = {
  /** Holds room for a body of so many bytes in all; throws when there is not enough left. */
  hold(bytes: number): void
  giveBack(): void
}

/**
 * Limits the memory of this process for bodies of more than `smallBytes`, until their requests are done: to
 * `bytes` for all together, and for one owner to as much as it leaves to the others. Smaller ones need no room,
 * since there cannot be enough of them. `busy` makes the error for a body for which there is none left.
 */
export function createBodyRoom({
  bytes,
  smallBytes,
  busy,
}: {
  bytes: number
  smallBytes: number
  busy: () => ServiceError
}): (owner: string) => BodyRoom {
  let freeBytes = bytes
  const heldBytes = new Map<string, number>()

  function take(owner: string, more: number): void {
    freeBytes -= more
    const held = (heldBytes.get(owner) ?? 0) + more
    if (held > 0) heldBytes.set(owner, held)
    else heldBytes.delete(owner)
  }

  return (owner) => {
    let own = 0
    return {
      hold(wanted) {
        if (wanted <= smallBytes || wanted <= own) return
        if ((heldBytes.get(owner) ?? 0) + wanted - own > freeBytes) throw busy()
        take(owner, wanted - own)
        own = wanted
      },
      giveBack() {
        if (own > 0) take(owner, -own)
        own = 0
      },
    }
  }
}
