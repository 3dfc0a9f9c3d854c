import { describe, expect, it } from '@jest/globals'
import { type ByteSource, READ_BYTES_MAX } from '../../filetypes/source.ts'
import { judge } from '../../filetypes/verify.ts'
import { ACCEPTED, countedSource } from '../support/byte-files.ts'
import { type Random, seededRandom } from '../../scripts/chaos/random.ts'
import { animatedWebp, id3, mp3, SAMPLES } from '../support/sample-files.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_731)
const MUTANTS = Number(process.env['FUZZ_MUTANTS'] ?? 100)
/** Far above what a file of a few KiB needs, and what a loop would take in no time. */
const READS_MAX = 10_000

const whole = ACCEPTED.map((type) => [type, SAMPLES[type]!] as const)
const bases = [
  ...whole,
  ['image/webp', animatedWebp()] as const,
  ['audio/mpeg', Buffer.concat([id3(Buffer.alloc(300)), mp3()])] as const,
]

describe(`bytes of FUZZ_SEED=${seed}`, () => {
  it.each(bases)('made of a sound %s are judged, whatever was changed', async (type, bytes) => {
    const random = seededRandom(seed)
    for (let mutant = 0; mutant < MUTANTS; mutant += 1) {
      await expectJudged(mutated(bytes, random), type, `mutant ${mutant}`)
    }
  })

  it.each(bases)('of a %s that was cut are judged, wherever it was', async (type, bytes) => {
    const step = Math.max(1, Math.floor(bytes.length / MUTANTS))
    for (let length = 0; length < bytes.length; length += step) {
      await expectJudged(bytes.subarray(0, length), type, `cut to ${length}`)
    }
  })

  it.each(whole)('behind the beginning of a %s are judged', async (type, bytes) => {
    const random = seededRandom(seed)
    for (let file = 0; file < MUTANTS; file += 1) {
      const start = bytes.subarray(0, random.between(0, 64))
      const noise = randomBytes(random, random.between(0, 3_000))
      await expectJudged(Buffer.concat([start, noise]), type, `noise ${file}`)
    }
  })
})

describe('a source', () => {
  it.each(whole)('with less than was said of a %s is a fault, not content', async (type, bytes) => {
    const { source } = countedSource(bytes, bytes.length + 100_000)
    await expect(judge(source, type)).rejects.toThrow('shorter than was said')
  })

  it.each(whole)('that fails at any read of a %s fails with its own error', async (type, bytes) => {
    const reads = await readsUntilJudged(bytes, type)
    expect(reads).toBeGreaterThan(1)
    for (let failing = 1; failing <= reads; failing += 1) {
      const fault = new Error(`EIO at ${failing}`)
      await expect(judge(failingAt(failing, bytes, fault), type)).rejects.toBe(fault)
    }
  })
})

async function expectJudged(bytes: Buffer, type: string, which: string): Promise<void> {
  const { source, counted } = countedSource(bytes)
  const verdict = await judge(source, type).catch((error: unknown) => ({ error }))
  const isBounded = counted.reads <= READS_MAX && counted.longestBytes <= READ_BYTES_MAX
  if (!('ok' in verdict) || !isBounded) {
    throw new Error(`${which} of ${type}: ${JSON.stringify(counted)}`, { cause: verdict })
  }
}

function mutated(bytes: Buffer, random: Random): Buffer {
  let copy: Buffer = Buffer.from(bytes)
  for (let changes = random.between(1, 6); changes > 0; changes -= 1) {
    const at = random.between(0, copy.length - 1)
    const changed = copy[at] ?? 0
    const change = random.pick(['flip', 'flip', 'low', 'high', 'noise', 'drop', 'repeat'] as const)
    if (change === 'flip') copy[at] = changed ^ (1 << random.between(0, 7))
    else if (change === 'low') copy.subarray(at, at + random.between(1, 8)).fill(0x00)
    else if (change === 'high') copy.subarray(at, at + random.between(1, 8)).fill(0xff)
    else if (change === 'noise') randomBytes(random, 4).copy(copy, at)
    else {
      const to = at + random.between(1, 40)
      const [head, middle, tail] = [copy.subarray(0, at), copy.subarray(at, to), copy.subarray(to)]
      copy = Buffer.concat(change === 'drop' ? [head, tail] : [head, middle, middle, tail])
    }
    if (copy.length === 0) break
  }
  return copy
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.between(0, 255)))
}

async function readsUntilJudged(bytes: Buffer, type: string): Promise<number> {
  let reads = 0
  const { source } = countedSource(bytes)
  const read: ByteSource['read'] = (offset, lengthBytes) => {
    reads += 1
    return source.read(offset, lengthBytes)
  }
  expect(await judge({ ...source, read }, type)).toMatchObject({ ok: true })
  return reads
}

function failingAt(failing: number, bytes: Buffer, fault: Error): ByteSource {
  const { source } = countedSource(bytes)
  let reads = 0
  const read: ByteSource['read'] = async (offset, lengthBytes) => {
    reads += 1
    if (reads >= failing) throw fault
    return source.read(offset, lengthBytes)
  }
  return { ...source, read }
}
