import { tsImport } from 'tsx/esm/api'

/**
 * Ends a run with the one line that continuous integration reads. After a run of all tests, it first reports
 * which of the contract's error codes were provoked, and fails the run if one was not.
 */
export default class SummaryReporter {
  constructor(globalConfig) {
    this.isFull = isFull(globalConfig)
  }

  async onRunComplete(contexts, results) {
    const ignored = [...contexts].flatMap(({ config }) => config.testPathIgnorePatterns)
    const isFull = this.isFull && ignored.every((pattern) => pattern === '/node_modules/')
    if (isFull && !results.wasInterrupted) await this.tellMatrix()
    const skipped = results.numPendingTests + results.numTodoTests
    console.log(
      `${results.numPassedTests} passed, ${results.numFailedTests} failed, ${skipped} skipped`,
    )
  }

  async tellMatrix() {
    try {
      const { matrixLines, readMatrix } = await tsImport('./contract/matrix.ts', import.meta.url)
      const matrix = readMatrix(process.env.TEST_SEEN_DIR)
      console.log(`\n${matrixLines(matrix).join('\n')}\n`)
      if (matrix.missing.length === 0) return
      this.error = new Error(`${matrix.missing.length} error codes were never answered.`)
    } catch (error) {
      console.error(error)
      this.error = error
    }
  }

  /** Jest fails the run when a reporter has one. */
  getLastError() {
    return this.error
  }
}

/** Whether no argument on the command line selects some of the tests. */
function isFull(config) {
  const patterns = config.testPathPatterns?.patterns ?? []
  return (
    patterns.length === 0 &&
    !config.testNamePattern &&
    !config.onlyChanged &&
    !config.onlyFailures &&
    !config.findRelatedTests &&
    !config.shard &&
    !config.watch &&
    !config.watchAll
  )
}
