import { startBetween } from './between.ts'

/** What ends a question of PostgreSQL's clients, and the answer to it. */
const [SYNC, QUERY, READY] = ['S', 'Q', 'Z'].map((kind) => kind.charCodeAt(0))
/** Nobody loses what he listens by: it is asked for news between the statements of a request. */
const UNCOUNTED = 'messaging-automation-service listener'

/**
 * Something before PostgreSQL that passes everything on, and loses one answer when told: what was asked is
 * done, and the connection ends before anybody hears of it.
 */
export async function startLosingPostgres(upstreamUrl: string) {
  let asked = 0
  let lost: number | null = null
  const { url, stop } = await startBetween(upstreamUrl, (near, far) => {
    // Whether the answer to each question under way is to be lost; the first question is who asks.
    const underWay = [false]
    let isCounted = true
    const read = framesOf((kind) => {
      if (kind === SYNC || kind === QUERY) underWay.push(isCounted && asked++ === lost)
    })
    near.once('data', (hello: Buffer) => {
      isCounted = !hello.includes(UNCOUNTED)
      far.write(hello)
      near.on('data', (bytes: Buffer) => {
        read(bytes)
        far.write(bytes)
      })
    })
    const hear = framesOf((kind) => {
      if (kind !== READY) return
      if (underWay.shift()) near.destroy()
    })
    far.on('data', (bytes: Buffer) => {
      const isLosing = underWay.includes(true)
      hear(bytes)
      if (!isLosing) near.write(bytes)
    })
  })

  return {
    url,
    stop,
    /** Does something; answers with how many questions it asked, each a statement or more. */
    async count(work: () => Promise<unknown>): Promise<number> {
      asked = 0
      await work()
      return asked
    },
    /** Does something and loses the answer to that question, counted from 0. */
    async lose<T>(question: number, work: () => Promise<T>): Promise<T> {
      asked = 0
      lost = question
      try {
        return await work()
      } finally {
        lost = null
      }
    },
  }
}

/** Takes bytes as they come, and tells the kind of each message that has begun in them. */
function framesOf(hear: (kind: number | undefined) => void) {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5) {
      const length = 1 + rest.readInt32BE(1)
      if (rest.length < length) return
      const [kind] = rest
      rest = rest.subarray(length)
      hear(kind)
    }
  }
}
