import type { Row, Sql } from '../../core/sql.ts'

/** `together` with a round trip for each statement, so that a test can come between them. */
export function oneByOne(transaction: Sql['transaction']): Sql['together'] {
  return (asked) =>
    transaction(async (tx) => {
      const answers: Row[][] = []
      for (const { statement, values } of asked) answers.push(await tx.rows(statement, values))
      return answers
    })
}
