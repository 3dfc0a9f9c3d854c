import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { oneOff, type Sql } from '../../core/sql.ts'
import { createShares, type Shares } from '../../database/shares.ts'

const WAIT_MS = 5_000

/** Answers each statement when the test lets it. */
let asked: { text: string; answer: () => void }[]
let shares: Shares
beforeEach(() => {
  asked = []
  const sql: Sql = {
    rows: ({ text }) =>
      new Promise((resolve) => asked.push({ text, answer: () => resolve([[text]]) })),
    together: (all) => Promise.all(all.map(({ statement }) => sql.rows(statement))),
    transaction: async (work) => work(sql),
    announce: () => {},
    onAnnounced: () => () => {},
  }
  shares = createShares(sql, 5)
})
afterEach(() => void jest.useRealTimers())

const ask = (owner: string, text = owner) => shares.sqlOf(owner).rows(oneOff(text))
const texts = () => asked.map(({ text }) => text)
const settled = () => new Promise(setImmediate)

describe('the connections to the database', () => {
  it('are never all given to one owner, by statements or by transactions', async () => {
    for (let i = 0; i < 3; i++) void ask('a')
    const inTransaction = shares.sqlOf('a').transaction((tx) => tx.rows(oneOff('in a transaction')))
    void ask('a', 'too many')
    await settled()
    expect(texts()).toEqual(['a', 'a', 'a', 'in a transaction'])
    expect(shares.waiting()).toBe(1)
    void ask('b')
    await settled()
    expect(texts().at(-1)).toBe('b')
    asked[3]?.answer()
    expect(await inTransaction).toEqual([['in a transaction']])
    await settled()
    expect(texts().at(-1)).toBe('too many')
    expect(shares.waiting()).toBe(0)
  })

  it('go to the owners in turns', async () => {
    for (const owner of ['a', 'a', 'a', 'a', 'b']) void ask(owner)
    for (const owner of ['b 1', 'b 2', 'b 3', 'c 1']) void ask(owner.slice(0, 1), owner)
    await settled()
    expect(texts()).toEqual(['a', 'a', 'a', 'a', 'b'])
    for (let i = 0; i < 4; i++) {
      asked[i]?.answer()
      await settled()
    }
    expect(texts().slice(5)).toEqual(['b 1', 'c 1', 'b 2', 'b 3'])
  })

  it('are given back by what fails', async () => {
    const { sqlOf } = createShares(
      {
        rows: () => Promise.reject(new Error('Refused')),
        together: () => Promise.reject(new Error('Refused')),
        transaction: () => Promise.reject(new Error('Refused')),
        announce: () => {},
        onAnnounced: () => () => {},
      },
      2,
    )
    for (let i = 0; i < 3; i++) {
      await expect(sqlOf('a').rows(oneOff(''))).rejects.toThrow('Refused')
      await expect(sqlOf('a').together([])).rejects.toThrow('Refused')
      await expect(sqlOf('a').transaction(async () => {})).rejects.toThrow('Refused')
    }
  })

  it('are waited for no longer than 5 seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] })
    for (let i = 0; i < 4; i++) void ask('a')
    const waiting = expect(ask('a')).rejects.toThrow(`became free in ${WAIT_MS} ms`)
    await settled()
    jest.advanceTimersByTime(WAIT_MS)
    await waiting
    expect(shares.waiting()).toBe(0)
  })
})
