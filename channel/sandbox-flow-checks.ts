import { flowFaults } from '../flows/definition.ts'
import { isRecord, parseJson } from '../core/json-values.ts'
import type { SandboxFlow } from '../core/sandbox-store.ts'
import type { SandboxCall } from './sandbox-endpoint.ts'
import { readBody } from './sandbox-answers.ts'

const categories = [
  ...['SIGN_UP', 'SIGN_IN', 'APPOINTMENT_BOOKING', 'LEAD_GENERATION'],
  ...['CONTACT_US', 'CUSTOMER_SUPPORT', 'SURVEY', 'OTHER'],
]
const nameCharactersMax = 200

type Refusal = { fault: string }

/** The name and categories of a flow, or their fault. */
export function checkFlowDetails(
  body: Record<string, unknown>,
): Partial<Pick<SandboxFlow, 'name' | 'categories'>> | Refusal {
  const { name, categories: given } = body
  if (name !== undefined) {
    const isName = typeof name === 'string' && name !== '' && name.length <= nameCharactersMax
    if (!isName) return { fault: `The name must have 1 to ${nameCharactersMax} characters.` }
  }
  const list = typeof given === 'string' ? parseJson(given) : given
  if (list !== undefined) {
    const isGood = Array.isArray(list) && list.length > 0 && list.every((one) => isCategory(one))
    if (!isGood) return { fault: `The categories must be some of ${categories.join(', ')}.` }
  }
  return {
    ...(name === undefined ? {} : { name: name }),
    ...(list === undefined ? {} : { categories: list as string[] }),
  }
}

function isCategory(value: unknown): boolean {
  return typeof value === 'string' && categories.includes(value)
}

/** Parses a definition; null unless it is an object. */
export function readDefinition(text: unknown): Record<string, unknown> | null {
  const parsed = typeof text === 'string' ? parseJson(text) : undefined
  return isRecord(parsed) ? parsed : null
}

/** The faults of a flow's definition, in the channel's shape. */
export function validationErrors({ definition }: Pick<SandboxFlow, 'definition'>) {
  if (definition === null) return []
  return flowFaults(definition).map(({ error, pointer, message }) => ({
    error,
    error_type: 'FLOW_JSON_ERROR',
    message,
    pointers: [{ path: pathOf(pointer) }],
  }))
}

/** Converts a JSON pointer to the channel's notation: `screens[0].layout`. */
function pathOf(pointer: string): string {
  const steps = pointer.split('/').slice(1)
  const joined = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
  return joined.replace(/^\./, '')
}

/** The fields of a small form, its file as text among them; null for any other body. */
export async function readForm({ request }: SandboxCall): Promise<Map<string, string> | null> {
  const [, boundary] = /boundary="?([^";]+)"?/.exec(request.headers['content-type'] ?? '') ?? []
  const body = await readBody(request)
  if (boundary === undefined || body === null) return null
  const members = new Map<string, string>()
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n')
    const [, name] = /name="([^"]*)"/.exec(head) ?? []
    if (name !== undefined) members.set(name, rest.join('\r\n\r\n').replace(/\r\n$/, ''))
  }
  return members
}
