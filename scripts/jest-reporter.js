/** Closes a run with the one line that continuous integration reads. */
export default class SummaryReporter {
  onRunComplete(_contexts, results) {
    const skipped = results.numPendingTests + results.numTodoTests
    console.log(
      `${results.numPassedTests} passed, ${results.numFailedTests} failed, ${skipped} skipped`,
    )
  }
}
