import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createVault, hashSecret, isWellFormedSecret, mintSecret } from '../../core/crypto.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIXES = ['pk_live_', 'pk_test_', 'mcp_at_'] as const

describe('a minted secret', () => {
  it.each(PREFIXES)('is %s and 40 base62 characters, and is recognised', (prefix) => {
    const secret = mintSecret(prefix)
    expect(secret).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{40}$`))
    expect(isWellFormedSecret(secret)).toBe(true)
  })

  it('is not recognised any more after a change of any one character', () => {
    const secret = mintSecret('pk_live_')
    const taken: string[] = []
    for (let at = 'pk_live_'.length; at < secret.length; at++) {
      for (const character of BASE62) {
        const changed = secret.slice(0, at) + character + secret.slice(at + 1)
        if (changed !== secret && isWellFormedSecret(changed)) taken.push(changed)
      }
    }
    expect(taken).toEqual([])
  })

  it('is not recognised with two neighbours swapped, cut short, longer or renamed', () => {
    const secret = mintSecret('pk_live_')
    const swapped = Array.from({ length: 39 }, (_, index) => {
      const at = 8 + index
      return secret.slice(0, at) + secret[at + 1] + secret[at] + secret.slice(at + 2)
    }).filter((one) => one !== secret)
    const others = [
      secret.slice(0, -1),
      `${secret}0`,
      `${secret}\n`,
      ` ${secret}`,
      secret.replace('pk_live_', 'pk_test_'),
      secret.replace('pk_live_', 'mcp_at_'),
      secret.replace('pk_live_', 'PK_LIVE_'),
      '',
    ]
    expect([...swapped, ...others].filter(isWellFormedSecret)).toEqual([])
  })

  it('never comes twice', () => {
    const secrets = Array.from({ length: 10_000 }, () => mintSecret('pk_test_'))
    expect(new Set(secrets).size).toBe(10_000)
  })

  it('uses all 62 characters', () => {
    const text = Array.from({ length: 200 }, () => mintSecret('mcp_at_').slice(7, -6)).join('')
    expect(new Set(text).size).toBe(62)
  })

  it('is stored as its SHA-256', () => {
    expect(Buffer.from(hashSecret('abc')).toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})

describe('the vault', () => {
  const key = Buffer.alloc(32, 1)
  const vault = createVault(key)
  const place = 'channel_accounts.access_token demo'

  it.each(['', 'EAAGtoken', 'ключ 🔑', 'x'.repeat(10_000)])('opens what it sealed', (plain) => {
    expect(vault.open(vault.seal(plain, place), place)).toBe(plain)
  })

  it('seals the same text differently each time, and shows nothing of it', () => {
    // Long enough that no hundred random texts hold it by chance.
    const token = 'EAAGtokenOfTheShop'
    const sealed = Array.from({ length: 100 }, () => vault.seal(token, place))
    expect(new Set(sealed).size).toBe(100)
    for (const text of sealed) {
      expect(text).not.toContain(token)
      expect(Buffer.from(text.split('.')[2] ?? '', 'base64').toString()).not.toContain(token)
    }
  })

  it('does not open what was sealed for another place', () => {
    const sealed = vault.seal('secret', place)
    expect(() => vault.open(sealed, 'channel_accounts.app_secret demo')).toThrow()
  })

  it('does not open what another key sealed', () => {
    const other = createVault(randomBytes(32))
    expect(() => other.open(vault.seal('secret', place), place)).toThrow()
  })

  it('does not open what was changed in any part', () => {
    const parts = vault.seal('secret', place).split('.')
    for (const at of [1, 2, 3]) {
      const bytes = Buffer.from(parts[at] ?? '', 'base64')
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes)
        changed[bit >> 3]! ^= 1 << (bit & 7)
        const tampered = parts.with(at, changed.toString('base64')).join('.')
        expect(() => vault.open(tampered, place)).toThrow()
      }
    }
  })

  it('does not open a text whose authentication tag was cut short', () => {
    const parts = vault.seal('secret', place).split('.')
    const tag = Buffer.from(parts[3] ?? '', 'base64')
    for (let length = 1; length < tag.length; length++) {
      const shorter = parts.with(3, tag.subarray(0, length).toString('base64')).join('.')
      expect(() => vault.open(shorter, place)).toThrow()
    }
  })

  const unsealed = ['', 'secret', 'v1', 'v1..', 'v2.AA.AA.AA']
  it.each(unsealed)('names the place of %j, which is no sealed text', (text) => {
    expect(() => vault.open(text, place)).toThrow(place)
  })

  it('has a fingerprint that names its key and does not tell it', () => {
    expect(vault.fingerprint).toMatch(/^[0-9a-f]{32}$/)
    expect(createVault(Buffer.alloc(32, 1)).fingerprint).toBe(vault.fingerprint)
    expect(createVault(Buffer.alloc(32, 2)).fingerprint).not.toBe(vault.fingerprint)
    expect(key.toString('hex')).not.toContain(vault.fingerprint)
  })
})
