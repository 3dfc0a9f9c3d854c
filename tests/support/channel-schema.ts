import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'

const file = new URL('../fixtures/channel/meta-messages-schema.json', import.meta.url)
const ajv = new Ajv({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'meta')

/** What Meta's published schema says against a value. */
export function faults(schema: string, value: unknown): string[] {
  const valid = ajv.validate(`meta#/$defs/${schema}`, value)
  return valid ? [] : (ajv.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

/** The published schema's name for a message; null for the link button, which it does not know. */
export function schemaOf(body: Record<string, unknown>): string | null {
  const { type, interactive } = body as { type: string; interactive?: { type: string } }
  if (interactive?.type === 'cta_url') return null
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}Message`
}
