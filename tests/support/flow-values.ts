import { image } from './flow-parts.ts'
import { choices, step } from './flows.ts'

type Raw = Record<string, unknown>

/** What a member of a flow's definition may be, and what it may not be. */
export type Values = { good: unknown[]; bad: unknown[] }
/** A member: whether it has to be there, from which version on it is known, and what it may be in that version. */
export type Member = Values & { isDue?: true; since?: string; first?: unknown }

export const due = (values: Values): Member => ({ ...values, isDue: true })
export const since = (version: string, values: Values, first = values.good[0]): Member => ({
  ...values,
  since: version,
  first,
})

/** What is put together when the flow runs. */
const later = '${data.x}'
/** Each takes two units, and two bytes. */
const characters = (length: number) => '🙂'.repeat(length)

export const text = (most: number): Values => ({
  good: ['x', characters(most), later.padEnd(most + 1), `\`${'x'.repeat(most)}\``],
  bad: ['', characters(most + 1), '${'.padEnd(most + 1), 7, null],
})
export const paragraphs = (most: number): Values => ({
  good: [...text(most).good, ['x', characters(most)]],
  bad: [...text(most).bad, [], ['x', characters(most + 1)], ['x', '']],
})
export const words = (...some: string[]): Values => ({ good: [...some, later], bad: ['x', 7] })
export const flag: Values = { good: [true, false, later], bad: ['yes', 1] }
export const whole = (least: number, most: number): Values => ({
  good: [least, most, later],
  bad: [least - 1, most + 1, least + 0.5, '1'],
})
export const size: Values = { good: [0, 1.5, later], bad: [-1, 'x'] }
export const record: Values = { good: [{ a: 1 }, {}, later], bad: ['x', []] }
/** So many items, the most of them each of a good value. */
export const list = ({ good, bad }: Values, least: number, most: number): Values => {
  const some = (length: number) => Array.from({ length }, () => good[0])
  const fewer = least > 0 ? [some(least - 1)] : []
  return {
    good: [some(least), some(most), ...good.map((one) => [one]), later],
    bad: [some(most + 1), ...fewer, ...bad.map((one) => [one]), 'x'],
  }
}
export const day: Values = {
  good: ['2028-02-29', '2000-02-29', '2027-12-31', '2027-08-31', later],
  bad: [
    ...['2100-02-29', '2027-02-29', '2027-11-31', '2027-04-31', '2027-01-00', '2027-00-01'],
    ...['2027-13-01', '27-01-01', '2027-01-01T00:00', '1700000000000', 7],
  ],
}
/** Before version 5.0. */
export const MILLISECONDS = '1700000000000'

const picture = (bytes: number) => Buffer.alloc(bytes).toString('base64')
export const pictures = (most: number): Values => ({
  good: [image, picture(most), later],
  bad: [picture(most + 1), 'aGVsbG8===', 'https://example.org/a.png', '', 7],
})
export const options = (least: number, most: number): Values => ({
  good: [choices(least), choices(most), later],
  bad: [choices(least - 1), choices(most + 1), [{ id: 'a' }], [7], 'x'],
})

const open = (url?: string) => ({ name: 'open_url', ...(url === undefined ? {} : { url }) })
const exchange = { name: 'data_exchange', payload: {} }
const change = { name: 'update_data', payload: {} }
const on = { ...step('END'), payload: {} }
const none = ['x', {}, { name: 'none' }, { payload: {} }]
const wrong = { ...exchange, payload: 'x' }
const badSteps = [
  ...none,
  { ...on, next: { type: 'page', name: 'END' } },
  { ...on, next: { name: 'END' } },
  { ...on, next: { type: 'screen' } },
  { name: 'navigate', payload: {} },
  { ...on, payload: 'x' },
  { ...on, colour: 'red' },
]
const complete = { name: 'complete' }

export const footerAction: Values = {
  good: [on, exchange, { name: 'data_exchange' }],
  bad: [...badSteps, open('https://example.org'), change, wrong],
}
export const linkAction: Values = {
  good: [
    ...[on, { name: 'navigate', next: on.next }, exchange],
    ...['https://example.org/a', 'http://example.org', later, '`x`'].map(open),
    open(`https://${'x'.repeat(1_992)}`),
  ],
  bad: [
    ...[...badSteps, complete, change, wrong, open()],
    ...['', 'https://', 'ftp://example.org', 'example.org', `https://${'x'.repeat(1_993)}`].map(
      open,
    ),
  ],
}
export const listAction: Values = {
  good: [on, exchange],
  bad: [...badSteps, complete, change, wrong, open('https://example.org')],
}
export const selectAction: Values = {
  good: [exchange, change],
  bad: [...none, on, complete, wrong, { name: 'update_data' }, open('https://example.org')],
}
export const unselectAction: Values = {
  good: [change],
  bad: [...none, on, complete, exchange, { ...change, payload: 'x' }],
}
export const linked = { 'on-click-action': on } satisfies Raw
