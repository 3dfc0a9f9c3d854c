/** A difference between two documents, and the operations or events that it is a part of. */
export type Change = {
  isBreaking: boolean
  operations: string[]
  /** Where in the operation, such as `answer Contact.name`; empty for the operation itself. */
  where: string
  what: string
}

/**
 * Who reads a value: the service reads what a `request` brings, callers read an `answer`. What is
 * safe to change is the opposite for the two.
 */
export type Direction = 'request' | 'answer'

/** How the values that fit have changed: fewer do, more do, or neither can be said. */
export type Shift = 'narrower' | 'wider' | 'other'

/** Both sides of something, each with the document that it stands in. */
export type Pair<T> = { before: T; after: T }

/** What every comparison is given: the two documents, and where to tell what it finds. */
export type Comparison = {
  documents: Pair<unknown>
  /** Whether what references lead to is the same on both sides. */
  isSharedAlike: boolean
  /** Notes a change of the operation in hand. */
  tell: (change: Omit<Change, 'operations'>) => void
}

/** Whether such a change can break a caller. */
export function breaks(direction: Direction, shift: Shift): boolean {
  return shift === 'other' || shift === (direction === 'request' ? 'narrower' : 'wider')
}

/** Collects changes; one that several operations share is one entry that names them all. */
export function createCollector() {
  const found = new Map<string, Change>()
  return {
    add(operation: string, change: Omit<Change, 'operations'>): void {
      const key = JSON.stringify([change.isBreaking, change.where, change.what])
      const known = found.get(key)
      if (!known) found.set(key, { ...change, operations: [operation] })
      else if (!known.operations.includes(operation)) known.operations.push(operation)
    },
    /** In the order in which they were found. */
    changes: (): Change[] => [...found.values()],
  }
}
