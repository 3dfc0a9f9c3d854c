/**
 * A budget of `bytes` of this process's memory for what is being read and processed. One owner gets at most as
 * much as it leaves to the others.
 */
export function createByteRoom(bytes: number) {
  let freeBytes = bytes
  const heldBytes = new Map<string, number>()

  function hold(owner: string, more: number): void {
    freeBytes -= more
    const held = (heldBytes.get(owner) ?? 0) + more
    if (held > 0) heldBytes.set(owner, held)
    else heldBytes.delete(owner)
  }

  /**
   * Answers with the function that gives the room back, to be called once; null when there is not enough left.
   */
  return (owner: string, wanted: number): (() => void) | null => {
    if (wanted === 0) return () => {}
    if ((heldBytes.get(owner) ?? 0) + wanted > freeBytes) return null
    hold(owner, wanted)
    let isHeld = true
    return () => {
      if (isHeld) hold(owner, -wanted)
      isHeld = false
    }
  }
}
