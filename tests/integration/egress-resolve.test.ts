import { afterEach, describe, expect, it } from '@jest/globals'
import { createResolve, publicAddressesOf } from '../../egress/resolve.ts'
import { startNameServer } from '../support/dns.ts'

let server: Awaited<ReturnType<typeof startNameServer>>
afterEach(() => server.close())

async function resolverOf(...given: Parameters<typeof startNameServer>) {
  server = await startNameServer(...given)
  return createResolve({ servers: [server.address], tryMs: 100 })
}

const [v4, v6] = [['93.184.216.34', '10.0.0.5'], ['2606:4700:0:0:0:0:0:1111']]

describe('a look-up', () => {
  it('asks for both families, and IPv4 comes first', async () => {
    const resolve = await resolverOf({ 'both.example.org': { A: v4, AAAA: v6 } })

    expect(await resolve('both.example.org')).toEqual([...v4, '2606:4700::1111'])
  })

  it.each<[string, string, { A?: string[]; AAAA?: string[] }, string[]]>([
    ['has no', 'v4.example.org', { A: v4, AAAA: [] }, v4],
    ['gets no answer for', 'silent.example.org', { A: v4 }, v4],
    ['has only', 'v6.example.org', { A: [], AAAA: v6 }, ['2606:4700::1111']],
  ])('is content when it %s IPv6', async (_, name, records, expected) => {
    const resolve = await resolverOf({ [name]: records })

    expect(await resolve(name)).toEqual(expected)
  })

  it('is made again when its question is lost', async () => {
    const resolve = await resolverOf({ 'both.example.org': { A: v4, AAAA: v6 } }, 2)

    expect(await resolve('both.example.org')).toHaveLength(3)
  })

  it('that gets no answer for one family is over before the time is up that a name has', async () => {
    const [address = ''] = v4
    const resolve = await resolverOf({ 'silent.example.org': { A: [address] } })

    expect(
      await publicAddressesOf('silent.example.org', { resolve, resolveTimeoutMs: 2_500 }),
    ).toEqual([address])
  })

  it('finds nothing for a name that is unknown, and for one that nobody answers for', async () => {
    const resolve = await resolverOf({ 'unknown.example.org': 'unknown' })

    expect(await resolve('unknown.example.org')).toEqual([])
    expect(await resolve('silent.example.org')).toEqual([])
  })
})
