import { describe, expect, it } from '@jest/globals'
import { readUrl } from '../../core/urls.ts'

/** Enough for the engine to compile what is called. */
const OFTEN = 200_000

describe('a URL', () => {
  it('is read however often URLs are read, in whatever alphabet its host is written', () => {
    for (let count = 0; count < OFTEN; count++) readUrl(`https://example.org/${count % 10}`)

    expect(readUrl('https://BÜCHER.example.org/')?.hostname).toBe('xn--bcher-kva.example.org')
    expect(readUrl('https://例え.テスト/')?.hostname).toBe('xn--r8jz45g.xn--zckzah')
  })

  it.each([
    '',
    'example.org',
    'https://',
    'https://a b/',
    '/path',
    'http://[::1',
    'https://a:99999',
  ])('is not %j', (text) => {
    expect(readUrl(text)).toBeNull()
  })

  it('is read against the one that it was found in', () => {
    expect(readUrl('../c', new URL('https://example.org/a/b/'))?.href).toBe(
      'https://example.org/a/c',
    )
  })
})
