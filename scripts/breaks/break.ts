/** One thing made wrong on purpose, and the gate that must notice it. */
export type Break = {
  /** What is wrong then, in a few words. */
  name: string
  /** Where, from the project's folder on. */
  file: string
  /** A text that occurs once in the file, and what it becomes. */
  find: string
  replace: string
  /** The command that must fail. */
  gate: string
  /** What the gate must say of it, so that it does not fail for another reason. */
  says: string | RegExp
}

/** The gate that is one file of tests, or those tests in it whose names match. */
export function tests(file: string, named?: string): string {
  return `npm test -- tests/${file}.test.ts${named === undefined ? '' : ` -t "${named}"`}`
}

/** The files of tests that a gate runs. */
export function testFilesOf(gate: string): string[] {
  return gate.match(/\btests\/\S+\.test\.ts/g) ?? []
}

/** How often a text occurs in another. */
export function timesIn(text: string, sought: string): number {
  return text.split(sought).length - 1
}
