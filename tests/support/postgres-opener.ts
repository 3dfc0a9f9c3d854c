import { openEmbeddedPostgres } from '../../database/embedded.ts'

// A process of its own for tests that kill it: opens the folder it is given, says so, and waits.
const server = await openEmbeddedPostgres({ dataDir: process.argv[2] ?? '' })
console.log(JSON.stringify({ url: server.url, startedHere: server.startedHere }))
process.stdin.resume()
