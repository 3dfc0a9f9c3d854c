import { describe, expect, it } from '@jest/globals'
import { flowFaults, publishingFaults } from '../../flows/definition.ts'
import { LIMITS } from '../../core/limits.ts'
import { graph, link, named, ofVersion } from '../support/flow-graphs.ts'
import { children, put } from '../support/flow-parts.ts'
import { twoScreens } from '../support/flows.ts'

type Raw = Record<string, unknown>

describe('a flow', () => {
  const VERSIONS = ['2.1', '3.0', '3.1', '4.0', '5.0', '5.1', '6.0', '6.1', '6.2', '6.3', '7.0']
  VERSIONS.push('7.1', '7.2', '7.3')

  it.each(VERSIONS)('of version %s is taken, and published from 5.1 on', (version) => {
    const flow = ofVersion(version)
    expect(flowFaults(flow)).toEqual([])
    expect(publishingFaults(flow).map(({ pointer }) => pointer)).toEqual(
      version < '5.1' ? ['/version'] : [],
    )
  })

  it.each([
    ['seven', 'INVALID_FLOW_JSON_VERSION'],
    ['7', 'INVALID_FLOW_JSON_VERSION'],
    ['7.4', 'UNSUPPORTED_FLOW_JSON_VERSION'],
    ['1.0', 'UNSUPPORTED_FLOW_JSON_VERSION'],
  ])('of version %j is told that as %s alone', (version, error) => {
    expect(flowFaults({ ...twoScreens(), version })).toMatchObject([{ error }])
    expect(publishingFaults({ ...twoScreens(), version })).toMatchObject([{ error }])
  })

  it('with any fault is not published', () => {
    const flow = { ...twoScreens(), extra: 1 }
    expect(publishingFaults(flow)).toEqual(flowFaults(flow))
    expect(publishingFaults(flow)).toHaveLength(1)
  })

  it('of before 3.0 asks its data channel where others ask an endpoint', () => {
    const uri = { data_channel_uri: 'https://example.org' }
    const asking = (version: string, more: Raw) => {
      const flow = ofVersion(version, more)
      children(flow, 1).unshift(link({ name: 'data_exchange', payload: {} }))
      flow.screens[1]!.refresh_on_back = true
      return flowFaults(flow).map(({ pointer }) => pointer)
    }
    expect(asking('2.1', uri)).toEqual([])
    const routes = { routing_model: { WELCOME: ['DETAILS'] } }
    for (const data_api_version of ['3.0', '4.0']) {
      expect(asking('3.0', { data_api_version, ...routes })).toEqual([])
      expect(asking('2.1', { data_api_version, ...routes })).toEqual(['/data_api_version'])
    }
    expect(asking('3.0', { data_api_version: '3.0', ...routes, ...uri })).toEqual([
      '/data_channel_uri',
    ])
    expect(asking('2.1', { data_channel_uri: 7 })).toEqual(['/data_channel_uri'])
  })

  it('has one hundred screens at the most', () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, n) => [named(n), n < length - 1 ? [named(n + 1)] : []]),
      )
    expect(flowFaults(graph(chain(100)))).toEqual([])
    expect(flowFaults(graph(chain(101)))).toContainEqual(
      expect.objectContaining({ error: 'MAX_SCREENS_NUMBER', pointer: '/screens' }),
    )
  })

  it('is 64 levels deep at the most', () => {
    const deep = (levels: number) => {
      let inner: unknown = 'x'
      for (let level = 0; level < levels; level++) inner = { inner }
      const flow = twoScreens()
      // Those are within seven others, of which the first is the flow.
      const done = children(flow, 1)[2]!['on-click-action'] as { payload: Raw }
      done.payload.deep = inner
      return flowFaults(flow)
    }
    const around = 8
    expect(deep(64 - around)).toEqual([])
    expect(deep(65 - around)).toMatchObject([{ error: 'INVALID_FLOW_JSON', pointer: '' }])
  })

  it('of no screens has no other fault', () => {
    expect(flowFaults({ version: '7.3', screens: [] })).toHaveLength(1)
    expect(flowFaults({ version: '7.3' })).toHaveLength(1)
  })

  it('is told of as many faults as are told, and no more', () => {
    const flow = twoScreens()
    put(...Array.from({ length: 500 }, () => ({ type: 'None' })))(flow)
    expect(flowFaults(flow)).toHaveLength(LIMITS.faultsTold)
  })
})
