import { describe, expect, it } from '@jest/globals'
import { flowFaults } from '../../flows/definition.ts'
import { entries, entry, image } from '../support/flow-parts.ts'
import { type Thing, THINGS } from '../support/flow-things.ts'
import { linked, MILLISECONDS } from '../support/flow-values.ts'
import { choices, footer, screen, step } from '../support/flows.ts'

type Raw = Record<string, unknown>

/** The versions of which the channel shows flows. */
const VERSIONS = [
  ...['2.1', '3.0', '3.1', '4.0', '5.0', '5.1', '6.0', '6.1', '6.2', '6.3', '7.0', '7.1', '7.2'],
  '7.3',
]

const LAST = '7.3'
const before = (version: string) => VERSIONS[VERSIONS.indexOf(version) - 1]!

/** What is wrong with a flow that holds a thing, and where in the flow that stands. */
function look({ holder = (thing) => thing, at = '' }: Thing, thing: Raw, version = LAST) {
  const component = holder(thing)
  const type = String(component.type)
  const isInForm = Number(version) < 4 && type !== 'Form' && type !== 'Footer'
  const shown = isInForm ? { type: 'Form', name: 'f', children: [component] } : component
  const isAlone = ['Footer', 'NavigationList', 'RichText'].includes(type)
  const data = { x: { type: 'string', __example__: 'x' } }
  const held = screen('HELD', data, isAlone ? [shown] : [shown, footer(step('END'))])
  const done = footer({ name: 'complete', payload: {} })
  // From a text that fills its screen nothing leads on: it is opened at the end, and left by going back.
  const isSide = type === 'RichText'
  const aside = {
    ...THINGS.EmbeddedLink!.base,
    'on-click-action': { ...step('HELD'), payload: { x: 'x' } },
  }
  const end = { ...screen('END', {}, isSide ? [aside, done] : [done]), terminal: true }
  const routing_model = isSide ? { END: ['HELD'], HELD: [] } : { HELD: ['END'], END: [] }
  const flow = { version, data_api_version: '3.0', routing_model, screens: [held, end] }
  const within = `/screens/0/layout/children/0${isInForm ? '/children/0' : ''}${at}`
  return { faults: flowFaults(flow), within }
}

describe.each(Object.entries(THINGS))('%s', (_name, thing) => {
  const { base, members } = thing
  const named = Object.entries(members)
  const refused = (changed: Raw, member: string, version?: string) => {
    const { faults, within } = look(thing, changed, version)
    const there = faults.filter(({ pointer }) => pointer.startsWith(`${within}/${member}`))
    if (there.length === 0) throw new Error(`taken: ${JSON.stringify(changed).slice(0, 200)}`)
    return there
  }

  it('is taken with what it has at least', () => {
    expect(look(thing, base).faults).toEqual([])
  })

  it('is refused with anything else', () => {
    expect(refused({ ...base, colour: 'red' }, 'colour')).toMatchObject([
      { error: 'INVALID_PROPERTY_KEY' },
    ])
  })

  if (thing.since !== undefined) {
    it(`needs ${thing.since}`, () => {
      expect(look(thing, base, thing.since).faults).toEqual([])
      refused(base, 'type', before(thing.since!))
    })
  }

  it('is refused without any of what is due', () => {
    for (const [name] of named.filter(([, { isDue }]) => isDue)) {
      const { [name]: _left, ...rest } = base
      expect(refused(rest, name)).toMatchObject([{ error: 'MISSING_REQUIRED_PROPERTY' }])
    }
  })

  it.each(named)('may have as its %s what the channel takes, and nothing else', (name, values) => {
    for (const value of values.good) {
      const { faults } = look(thing, { ...base, [name]: value })
      expect([value, faults]).toEqual([value, []])
    }
    for (const value of values.bad) refused({ ...base, [name]: value }, name)
  })

  const isNewer = (version = '2.1') => version > (thing.since ?? '2.1')
  const newer = named.filter(([, one]) => isNewer(one.since))
  if (newer.length > 0) {
    it.each(newer)('has its %s from a version on', (name, { since: first, first: value }) => {
      const changed = { ...base, [name]: value }
      expect(look(thing, changed, first).faults).toEqual([])
      refused(changed, name, before(first!))
    })
  }
})

describe('what belongs together', () => {
  const find = (name: string, more: Raw, version?: string) => {
    const thing = THINGS[name]!
    const { faults, within } = look(thing, { ...thing.base, ...more }, version)
    return faults.map(({ error, pointer }) => [error, pointer.slice(within.length + 1)])
  }
  const above = 'MIN_VALUE_GREATER_THAN_MAX'

  it.each([
    ['PhotoPicker', 'min-uploaded-photos', 'max-uploaded-photos'],
    ['DocumentPicker', 'min-uploaded-documents', 'max-uploaded-documents'],
    ['CalendarPicker', 'min-days', 'max-days'],
    ['ChipsSelector', 'min-selected-items', 'max-selected-items'],
  ])('is no more at least than at most: %s', (name, least, most) => {
    expect(find(name, { [least]: 2, [most]: 2 })).toEqual([])
    expect(find(name, { [least]: 3, [most]: 2 })).toEqual([[above, least]])
  })

  it('are 80 characters where an input says no most of its own', () => {
    const { 'max-chars': _most, ...base } = THINGS.TextInput!.base
    const least = (characters: number) =>
      look(THINGS.TextInput!, { ...base, 'min-chars': characters }).faults
    expect(least(80)).toEqual([])
    expect(least(81)).toMatchObject([{ error: above }])
  })

  it('are three captions never', () => {
    expect(find('Footer', { 'center-caption': 'x' })).toEqual([['INVALID_DEPENDENCIES', '']])
  })

  it('is the version and how large a picture beside a choice may be', () => {
    const taken = (bytes: number, version: string) =>
      find('a choice', { image: Buffer.alloc(bytes).toString('base64') }, version).length === 0
    expect([taken(307_200, '5.1'), taken(307_201, '5.1')]).toEqual([true, false])
    expect([taken(102_400, '6.0'), taken(102_401, '6.0')]).toEqual([true, false])
  })

  it('are days and the version that they are written in', () => {
    const taken = (day: string, version: string) =>
      find('DatePicker', { 'min-date': day }, version).length === 0
    expect(['4.0', '5.0'].map((version) => taken(MILLISECONDS, version))).toEqual([true, false])
    expect(['4.0', '5.0'].map((version) => taken('2027-01-31', version))).toEqual([false, true])
    expect(taken('253402300799000', '4.0')).toBe(true)
    expect(['', '1.5', '-1', '1'.repeat(16)].filter((one) => taken(one, '4.0'))).toEqual([])
  })

  it('are an action and its version', () => {
    const opening = { 'on-click-action': { name: 'open_url', url: 'https://example.org' } }
    const changing = { 'on-select-action': { name: 'update_data', payload: {} } }
    expect(find('EmbeddedLink', opening, '6.0')).toEqual([])
    expect(find('EmbeddedLink', opening, '5.1')).toHaveLength(1)
    expect(find('DatePicker', changing, '6.0')).toEqual([])
    expect(find('DatePicker', changing, '5.1')).toHaveLength(1)
  })

  it('is the label of a group, from 4.0 on', () => {
    const { label: _label, ...base } = THINGS.RadioButtonsGroup!.base
    const faults = (version: string) => look({ ...THINGS.RadioButtonsGroup!, base }, base, version)
    expect(faults('3.1').faults).toEqual([])
    expect(faults('4.0').faults).toMatchObject([{ error: 'MISSING_REQUIRED_PROPERTY' }])
  })

  it('are a list and its entries: one goes on from the list, or from each of them', () => {
    const on = entry(linked)
    expect(find('NavigationList', { 'list-items': [on] })).toHaveLength(1)
    expect(find('NavigationList', { 'list-items': [entry({ badge: 'x' })] })).toEqual([])
    const { base } = THINGS['an entry of a NavigationList']!
    const two = (...items: Raw[]) => look({ base, members: {} }, entries(...items)).faults
    expect(two(on, on)).toEqual([])
    expect(two(on, entry())).toHaveLength(1)
  })

  it('are as many as a hundred choices that open and pictures beside them', () => {
    const shown = choices(101).map((choice) => ({ ...choice, image }))
    expect(find('Dropdown', { 'data-source': shown.slice(1) })).toEqual([])
    expect(find('Dropdown', { 'data-source': shown })).toHaveLength(1)
  })
})
