import { describe, expect, it } from '@jest/globals'
import { valueOf } from '../../capabilities/broadcasts/broadcast-personal.ts'

const fallback = 'there'
const nobody = { id: '1', name: null, phone: null, attributes: {} }
const ana = {
  id: '1',
  name: 'Ana',
  phone: '+15550001234',
  attributes: { plan: 'gold', visits: 3, member: false, ended: null } as Record<string, unknown>,
}
const named = (name: string | null) => valueOf({ field: 'name', fallback }, { ...ana, name })

describe('the value of a placeholder', () => {
  it('is the text that the broadcast gives, whoever it is for', () => {
    expect(valueOf('1042', ana)).toBe('1042')
    expect(valueOf('', ana)).toBe('')
  })

  it.each([
    ['name', 'Ana'],
    ['phone', '+15550001234'],
    ['attributes.plan', 'gold'],
    ['attributes.visits', '3'],
    ['attributes.member', 'false'],
  ])('is what is known of the contact as %s', (field, known) => {
    expect(valueOf({ field, fallback }, ana)).toBe(known)
  })

  it.each(['name', 'phone', 'attributes.plan', 'attributes.constructor', 'attributes.__proto__'])(
    'is the fallback where nothing is known of the contact as %s',
    (field) => {
      expect(valueOf({ field, fallback }, nobody)).toBe(fallback)
    },
  )

  it.each(['', ' ', '\n\t', null])('is the fallback for a name that is %j', (name) => {
    expect(named(name)).toBe(fallback)
  })

  it('has no breaks and no long gaps, which the channel does not take', () => {
    expect(named(' Ana\n\tMaria     of\u00a0Leon ')).toBe('Ana Maria of Leon')
  })

  it('has 1,024 characters at the most, an emoji counting as one', () => {
    expect([...named('🎉'.repeat(1_025))]).toHaveLength(1_024)
    expect(named('n'.repeat(1_024))).toHaveLength(1_024)
  })
})
