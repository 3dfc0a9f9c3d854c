import { describe, expect, it } from '@jest/globals'
import { normalisePhone, phoneMatchKey } from '../../core/phone.ts'

describe('a phone number', () => {
  it.each([
    ['+5215512345678', '+5215512345678'],
    ['5215512345678', '+5215512345678'],
    ['005215512345678', '+5215512345678'],
    ['+1 (631) 555-1234', '+16315551234'],
    ['1.631.555.1234', '+16315551234'],
    ['(+34) 600 111 222', '+34600111222'],
    ['+39 (06) 1234 5678', '+390612345678'],
    ['+34\u00a0600\u00a0111\u00a0222', '+34600111222'],
    ['+34\u202f600\u2009111\u2011222', '+34600111222'],
    ['+1 631–555—1234', '+16315551234'],
    ['+12345678', '+12345678'],
    ['+123456789012345', '+123456789012345'],
    [`+34600111222${' '.repeat(52)}`, '+34600111222'],
  ])('%j is normalised to %s', (text, expected) => {
    expect(normalisePhone(text)).toBe(expected)
  })

  it.each([
    [''],
    ['+'],
    ['+1234567'],
    ['+1234567890123456'],
    ['4'.repeat(40)],
    [' '.repeat(100)],
    [`+34600111222${' '.repeat(53)}`],
    ['++5215512345678'],
    ['+52+15512345678'],
    ['00+5215512345678'],
    ['+005215512345678'],
    ['0612345678'],
    ['+0612345678'],
    ['+52155CALLNOW'],
    ['+5215512345678 ext 4'],
    ['+44 (0)20 7946 0958'],
    ['+49 ( 0 ) 171 1234567'],
    ['+49 (\u202f0\u2009) 171 1234567'],
    ['+34\t600111222'],
    ['+5215512345678\n'],
    ['+5215512345678\u0000'],
    ['٠٥٢١٥٥١٢٣٤٥٦٧٨'],
    ['+５２１５５１２３４５６７８'],
    [5215512345678],
    [null],
    [undefined],
    [['+5215512345678']],
    [{ phone: '+5215512345678' }],
  ])('%j is refused', (text) => {
    expect(normalisePhone(text)).toBeNull()
  })
})

describe('the key under which a number is looked up', () => {
  it.each([
    ['Mexico, with and without the 1', '5215512345678', '525512345678'],
    ['Argentina, with and without the 9', '+5491123456789', '541123456789'],
    ['an older Brazilian account, with and without the 9', '5531987654321', '553187654321'],
    ['a number and its spelling with "+"', '+34600111222', '34600111222'],
    ['a number and its spelling with spaces', '+34 600-111-222', '34600111222'],
  ])('is one for %s', (_, one, other) => {
    expect(phoneMatchKey(one)).toBe(phoneMatchKey(other))
  })

  it.each([
    ['Brazilian area codes that keep the ninth digit', '5511987654321', '551187654321'],
    ['Brazilian numbers that were never mobiles', '5531965432100', '553165432100'],
    ['Mexican numbers whose extra digit is no 1', '5225512345678', '525512345678'],
    ['Mexican numbers of another length', '52155123456789', '5255123456789'],
    ['Argentine numbers of another length', '54911234567890', '5411234567890'],
    ['other countries', '3411600111222', '34600111222'],
  ])('is not one for %s', (_, one, other) => {
    expect(phoneMatchKey(one)).not.toBe(phoneMatchKey(other))
  })
})
