/**
 * An operation's `data` as JSON text already. Only where making objects first was measured to cost a
 * third of the whole request, and where what is shown may have megabytes, which would keep the process
 * meanwhile; every answer in the tests is held against the contract, so the types that this leaves out
 * are not missed.
 */
export class Rendered {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** A text as JSON, or `null`. */
export function quoted(text: string | null | undefined): string {
  return text == null ? 'null' : JSON.stringify(text)
}
