import { describe, expect, it } from '@jest/globals'
import { createCodeReader } from '../../capabilities/bots/bot-productions.ts'
import type { Context } from '../../core/context.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Row } from '../../core/sql.ts'

/** A reader over deployments whose bundles are that long, and which of them it read, in turn. */
function readerOver(sizeOf: (id: string) => number, isDown = () => false) {
  const asked: string[] = []
  const rows = async (_: unknown, [id]: string[]): Promise<Row[]> => {
    asked.push(id!)
    await new Promise(setImmediate)
    if (isDown()) throw new Error('The database is down')
    return [[id!.repeat(sizeOf(id!)), '']]
  }
  return { read: createCodeReader({ sql: { rows } } as unknown as Context), asked }
}

describe('the code of a deployment', () => {
  it('is read once for all runs that want it at the same moment, and kept for those after', async () => {
    const { read, asked } = readerOver(() => 3)
    const codes = await Promise.all(Array.from({ length: 8 }, (_, n) => read(n < 6 ? 'a' : 'b')))
    expect(codes.map(({ bundle }) => bundle).join()).toBe('aaa,aaa,aaa,aaa,aaa,aaa,bbb,bbb')
    expect(await read('a')).toBe(codes[0])
    expect(asked).toEqual(['a', 'b'])
  })

  it('is read again after a read that failed, which all that waited for it hear of', async () => {
    let isDown = true
    const { read, asked } = readerOver(
      () => 1,
      () => isDown,
    )
    const outcomes = await Promise.allSettled([read('a'), read('a')])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isDown = false
    expect(await read('a')).toEqual({ bundle: 'a', sourceMap: '' })
    expect(asked).toEqual(['a', 'a'])
  })

  it('makes room for others when it was not wanted for longest', async () => {
    const { read, asked } = readerOver(() => LIMITS.botCodeKeptBytes / 2)
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await read(id)
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })
})
