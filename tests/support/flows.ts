import { randomInt } from 'node:crypto'
import type { TestProject, TestService } from './service.ts'

type Raw = Record<string, unknown>

/** A valid flow of two screens, for tests to break. */
export function twoScreens(): Raw & { version: string; screens: Screen[] } {
  return {
    version: '7.3',
    screens: [
      screen('WELCOME', {}, [
        { type: 'TextHeading', text: 'Welcome' },
        input('first_name', { 'input-type': 'text' }),
        footer({ ...step('DETAILS'), payload: { name: '${form.first_name}' } }),
      ]),
      {
        ...screen('DETAILS', { name: { type: 'string', __example__: 'Ana' } }, [
          { type: 'TextBody', text: 'Hello ${data.name}' },
          { type: 'RadioButtonsGroup', name: 'size', label: 'Size', 'data-source': choices(3) },
          footer({ name: 'complete', payload: { size: '${form.size}', name: '${data.name}' } }),
        ]),
        terminal: true,
        success: true,
      },
    ],
  }
}

let madeElsewhere = 0

/** A flow that somebody else has made at the channel; answers its id there. */
export async function makeElsewhere(
  service: TestService,
  businessAccountId: string,
  name: string,
  status = 'DRAFT',
): Promise<string> {
  const id = String(10_000_000_000_000_000n + BigInt(++madeElsewhere))
  const definition = JSON.parse(JSON.stringify(twoScreens())) as object
  const data = { businessAccountId, id, name, status, categories: ['SURVEY'], definition }
  await service.ctx.db.sandboxFlow.create({ data })
  return id
}

export type Screen = Raw & { id: string; data: Raw; layout: { type: string; children: Raw[] } }

export function screen(id: string, data: Raw, children: Raw[]): Screen {
  return { id, title: id, data, layout: { type: 'SingleColumnLayout', children } }
}

export const input = (name: string, more: Raw = {}): Raw => ({
  type: 'TextInput',
  name,
  label: 'Label',
  required: true,
  ...more,
})
export const footer = (action: Raw): Raw => ({
  type: 'Footer',
  label: 'Continue',
  'on-click-action': action,
})
export const step = (name: string) => ({
  name: 'navigate',
  next: { type: 'screen', name },
  payload: {} as Raw,
})
export const choices = (length: number) =>
  Array.from({ length }, (_, index) => ({ id: `c${index}`, title: `Choice ${index}` }))

/** Keeps a flow for a project, published unless told otherwise; answers with its id. */
export async function storeFlow(
  { ctx }: TestService,
  { id: projectId }: TestProject,
  flow: { id?: string; status?: string; name?: string } = {},
): Promise<string> {
  const { id = String(randomInt(1_000_000_000, 2_000_000_000)), status = 'published' } = flow
  const definition = JSON.parse(JSON.stringify(twoScreens())) as object
  const data = { id, projectId, name: flow.name ?? id, status, categories: ['OTHER'], definition }
  await ctx.db.flow.create({ data })
  return id
}
