import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isExact, RENDERERS } from '../../capabilities/tables/table-values.ts'

const { nested } = RENDERERS

describe('what an array or a row holds', () => {
  it.each(['a', '\\n', '\\\\', '\\"', '1'])('may be a text of megabytes: of %s', (unit) => {
    const json = `{"text": "${unit.repeat(16_000_000 / unit.length)}", "number": 9007199254740993}`
    const due = json.replace('9007199254740993', '"9007199254740993"')
    // Not by a matcher, which would print them both.
    expect(nested(json) === due).toBe(true)
  })

  it('stays as it is, but for the numbers that a double would change, which become texts', () => {
    const numbers = fc.oneof(
      fc.bigInt().map(String),
      fc.tuple(fc.bigInt(), fc.nat()).map(([whole, part]) => `${whole}.${part}`),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => JSON.stringify(one)),
    )
    const texts = fc.string({
      unit: fc.constantFrom('"', '\\', '1', '12345678901234567', ',', 'é'),
    })
    const items = fc.array(
      fc.oneof(
        numbers.map((text) => [text, isExact(text) ? text : `"${text}"`]),
        texts.map((text) => [JSON.stringify(text), JSON.stringify(text)]),
      ),
    )
    fc.assert(
      fc.property(items, (pairs) => {
        const [given, due] = [0, 1].map((side) => `[${pairs.map((pair) => pair[side]).join(', ')}]`)
        expect(nested(given!)).toBe(due)
      }),
    )
  })
})
