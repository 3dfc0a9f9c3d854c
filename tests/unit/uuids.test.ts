import { expect, it } from '@jest/globals'
import { UUID } from '../../core/uuids.ts'

const ID = '0f4b6a0c-7a54-4f8e-9a44-0f3f1d1f8a51'

it.each([ID, ID.toUpperCase(), '00000000-0000-0000-0000-000000000000'])('%s is a UUID', (text) => {
  expect(UUID.test(text)).toBe(true)
})

it.each([
  ...[`urn:uuid:${ID}`, `{${ID}}`, ` ${ID}`, `${ID}\n`, `${ID}0`, ID.slice(1), ''],
  ...[ID.replaceAll('-', ''), ID.replace('f', 'g')],
])('%j is none', (text) => {
  expect(UUID.test(text)).toBe(false)
})
