import { describe, expect, it } from '@jest/globals'
import { type OperationId, operationsOf } from '../../core/contract.ts'
import { floodIn, sizeLimitsOf } from '../../middleware/flood.ts'
import { document } from '../support/document.ts'

const operations = operationsOf(document)
const floodOf = (id: OperationId, body: unknown) => {
  const operation = operations.find((one) => one.id === id)!
  return floodIn(body, sizeLimitsOf(document, operation))
}
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value)
const list = { type: 'list', content: 'Choose.', button_text: 'Open' }
const template = { name: 'a', language: 'en', category: 'UTILITY' }

describe('before the validator looks at a body', () => {
  it.each<[string, OperationId, object, string, string]>([
    [
      'a text is refused that is more than twice as long as it may be',
      ...(['uploadMedia', { kind: 'image', source_url: '/?'.repeat(2_051) }] as const),
      ...(['source_url', 'maxLength'] as const),
    ],
    [
      'lists are refused that hold too much together, each within its limit',
      ...(['sendMessage', { ...list, sections: times(10, { rows: times(200, 0) }) }] as const),
      ...(['sections.5.rows', 'maxItems'] as const),
    ],
    [
      'so are lists that have no limit of their own',
      'createTemplate',
      {
        ...template,
        components: [{ type: 'BUTTONS', buttons: times(100, { type: 0, example: times(50, 0) }) }],
      },
      ...(['components.0.buttons.22.example', 'maxItems'] as const),
    ],
  ])('%s', (_what, operation, body, path, keyword) => {
    expect(floodOf(operation, body)).toMatchObject({ path, keyword })
  })

  it.each<[OperationId, object]>([
    ['uploadMedia', { kind: 'image', source_url: '😀'.repeat(2_000) }],
    ['sendMessage', { ...list, sections: times(10, { rows: times(100, 0) }) }],
    ['insertRows', { rows: times(100, Object.fromEntries(times(600, 0).map((v, n) => [n, v]))) }],
    ['updateContact', { attributes: Object.fromEntries(times(400, 'x').map((v, n) => [n, v])) }],
  ])('what may be, or nearly, is left to it: %s', (operation, body) => {
    expect(floodOf(operation, body)).toBeNull()
  })
})
