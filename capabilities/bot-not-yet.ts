/** A run cannot go on: what it did before it was begun again has no outcome so far. */
export const NOT_YET = new Error('The outcome of an earlier try is not known yet')
