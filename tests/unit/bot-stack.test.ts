import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { createOwnWords } from '../../bot/stack.ts'

afterEach(() => void jest.restoreAllMocks())

/** The map of a bundle whose first line is the first of one file; `more` makes it another, or longer, map. */
const mapOf = (file: string, more = '') =>
  JSON.stringify({ version: 3, sources: [file], names: [], mappings: 'AAAA', more })

describe('a text of a bot', () => {
  it('names the project’s own file, without the lines of what is around the bot', () => {
    const inOwnWords = createOwnWords()

    const text = inOwnWords('Error: no\n    at f (bot.js:1:1)\n    at guest.js:3:4', mapOf('a.ts'))

    expect(text).toBe('Error: no\n    at f (a.ts:1:1)')
  })

  it('takes the reading of its map once, however many runs write one', () => {
    const parsed = jest.spyOn(JSON, 'parse')
    const inOwnWords = createOwnWords()

    for (let run = 0; run < 100; run++) inOwnWords('bot.js:1:1', mapOf(`${run % 4}.ts`))

    expect(parsed).toHaveBeenCalledTimes(4)
    expect(inOwnWords('bot.js:1:1', mapOf('4.ts'))).toBe('4.ts:1:1')
    expect(inOwnWords('bot.js:1:1', mapOf('3.ts'))).toBe('3.ts:1:1')
    expect(parsed).toHaveBeenCalledTimes(5)
  })

  it('stays as it is when the map is larger than that of any bot that people write', () => {
    const parsed = jest.spyOn(JSON, 'parse')

    expect(createOwnWords()('bot.js:1:1', mapOf('a.ts', ' '.repeat(1_048_576)))).toBe('bot.js:1:1')

    expect(parsed).not.toHaveBeenCalled()
  })
})
