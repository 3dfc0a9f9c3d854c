import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

/** Examples of which the generator's clients lose something, whatever the contract says, by operation and name. */
const LOST = [
  // An object that is open: its members are sent twice, once by the client's own names.
  'sendMessage contacts',
  // A choice between a map and a list: the map is left out.
  'sendMessage template',
]

type Media = { schema?: { $ref?: string }; examples?: Record<string, { value: unknown }> }
type Content = { content?: Record<string, Media> }
type Operation = {
  operationId?: string
  requestBody?: Content
  responses?: Record<string, Content>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Content> }
}
type Client = Record<string, (value: unknown) => unknown>

/** Lets the generated client read each example of the contract and write it again; throws what is not the same. */
async function roundTrip(client: Client, document: Document): Promise<void> {
  const { responses: shared } = document.components
  const nameOf = (ref: string | undefined) => ref?.split('/').at(-1) ?? ''
  const lost: string[] = []
  const tried = (operation: string, { content }: Content) => {
    const { schema, examples = {} } = content?.['application/json'] ?? {}
    const name = nameOf(schema?.$ref)
    const [read, write] = [client[`${name}FromJSON`], client[`${name}ToJSON`]]
    for (const [example, { value }] of Object.entries(examples)) {
      if (!read || !write) throw new Error(`The client has no ${name}`)
      if (!isDeepStrictEqual(plain(write(read(value))), plain(value))) {
        lost.push(`${operation} ${example}`)
      }
    }
  }
  for (const [name, methods] of Object.entries({ ...document.paths, ...document.webhooks })) {
    for (const { operationId = name, requestBody = {}, responses = {} } of Object.values(methods)) {
      tried(operationId, requestBody)
      for (const one of Object.values(responses)) {
        const ref = (one as { $ref?: string }).$ref
        tried(operationId, ref === undefined ? one : (shared[nameOf(ref)] ?? {}))
      }
    }
  }
  if (!isDeepStrictEqual(lost, LOST)) {
    throw new Error(`The client changes ${lost.join(', ')}; expected were ${LOST.join(', ')}`)
  }
}

/** A value as JSON has it, each instant in one way of writing it. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, one: unknown) =>
    typeof one === 'string' && /^\d{4}-\d\d-\d\dT/.test(one) ? new Date(one).toISOString() : one,
  )
}

const [, , client = '', document = ''] = process.argv
await roundTrip(
  (await import(pathToFileURL(path.resolve(client)).href)) as Client,
  JSON.parse(await readFile(document, 'utf8')) as Document,
)
