import { children, end, entries, entry, type Flow } from './flow-parts.ts'
import { footer, screen, step, twoScreens } from './flows.ts'

type Raw = Record<string, unknown>

export const text = (words: unknown = 'x') => ({ type: 'TextBody', text: words })
export const link = (action: Raw) => ({
  type: 'EmbeddedLink',
  text: 'x',
  'on-click-action': action,
})
export const photo = { type: 'PhotoPicker', name: 'p', label: 'P' }
/** Data as a screen declares it. */
export const given = (type: string, example: unknown, more: Raw = {}) => ({
  type,
  __example__: example,
  ...more,
})
/** Letters, for ids have no digits. */
export const named = (index: number) =>
  `S${String.fromCharCode(65 + (index % 26)).repeat(1 + index / 26)}`
/** Screens of which each leads to others, and those that lead to none end the flow. */
export function graph(leads: Record<string, string[]>, more: Raw = {}): Flow {
  const screens = Object.entries(leads).map(([id, [first, ...others]]) => {
    const on = others.map((one) => link(step(one)))
    const made = screen(id, {}, [...on, footer(first === undefined ? end : step(first))])
    return { ...made, title: 'T', ...(first === undefined ? { terminal: true } : {}) }
  })
  return { version: '7.3', ...more, screens }
}
/** A flow of a version, around whose inputs there is a form. */
export function ofVersion(version: string, more: Raw = {}): Flow {
  const flow: Flow = { ...twoScreens(), version, ...more }
  for (const { layout } of flow.screens) {
    const [last] = layout.children.splice(-1)
    layout.children = [{ type: 'Form', name: 'f', children: layout.children }, last!]
  }
  return flow
}
/** A step that passes a value on where such data is due. */
export const passing = (value: unknown, data: Raw) => (flow: Flow) => {
  flow.screens[1]!.data.name = data
  children(flow)[2] = footer({ ...step('DETAILS'), payload: { name: value } })
}

/** The valid flow after some changes. */
export function change(...mutations: ((flow: Flow) => unknown)[]): () => Flow {
  return () => {
    const flow = twoScreens()
    for (const mutate of mutations) mutate(flow)
    return flow
  }
}
/** A list that one goes on from. */
export const going = (name: string) => ({
  ...entries(entry()),
  name,
  'on-click-action': step('DETAILS'),
})
