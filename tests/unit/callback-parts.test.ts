import { describe, expect, it } from '@jest/globals'
import { addresseesOf, onlyChanges } from '../../channel/callback-parts.ts'

const object = 'whatsapp_business_account'
const forNumber = (phone_number_id: unknown) => ({ value: { metadata: { phone_number_id } } })
const forAccount = { field: 'flows', value: { flow_id: '1' } }
const callback = (...entry: unknown[]) => ({ object, entry })

describe('the parts of a callback', () => {
  it('are for the number that a change names, else for the business account of its entry', () => {
    const changes = [forNumber('101'), forNumber(102), forAccount]
    expect(addresseesOf(callback({ id: '201', changes }, { id: 202, changes: [{}] }))).toEqual([
      { phoneNumberId: '101', businessAccountId: '201' },
      { phoneNumberId: '102', businessAccountId: '201' },
      { phoneNumberId: null, businessAccountId: '201' },
      { phoneNumberId: null, businessAccountId: '202' },
    ])
  })

  it('hold the changes that are asked for, and all else of their entries and of the callback', () => {
    const entry = { id: '201', time: 1, changes: [forNumber('101'), forAccount, forNumber('102')] }
    const whole = { ...callback(entry, { id: '202', changes: [forNumber('103')] }), more: true }
    expect(onlyChanges(whole, (to) => to?.phoneNumberId === '102')).toEqual({
      ...{ object, more: true },
      entry: [{ id: '201', time: 1, changes: [forNumber('102')] }],
    })
    expect(onlyChanges(whole, () => true)).toEqual(whole)
    expect(onlyChanges(whole, () => false)).toEqual({ ...whole, entry: [] })
  })

  it.each([
    ...[undefined, null, 1, 'x', [], {}, { entry: {} }, { entry: null }, callback(null, 7, [])],
    ...[
      callback({ id: '201' }),
      callback({ id: '201', changes: 'x' }),
      callback({ changes: [{}] }),
    ],
    callback({ id: {}, changes: [null, 1, { value: { metadata: { phone_number_id: [] } } }] }),
  ])('are for nobody in %j, which is left as it is', (body) => {
    expect(addresseesOf(body)).toEqual([])
    expect(onlyChanges(body, (to) => to === null)).toEqual(body)
  })
})
