const keyForm = /^[a-z0-9][a-z0-9-]{15,63}$/

/** Throws for a key that this service cannot have made, so that no text of a caller can name a file. */
export function mustBeKey(key: string): string {
  if (!keyForm.test(key)) throw new Error('A media key is 16 to 64 of a-z, 0-9 and -')
  return key
}
