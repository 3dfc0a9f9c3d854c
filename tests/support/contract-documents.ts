import { compareDocuments } from '../../scripts/contract/compare.ts'
import { lineOf } from '../../scripts/contract/report.ts'

/** What differs between the small documents of the comparison's tests. */
export type Parts = {
  /** The schema of the body that `order` takes. */
  request?: unknown
  /** The schema of what it answers. */
  answer?: unknown
  /** The schema of what the event brings. */
  event?: unknown
  /** Members of the operation that replace its usual ones. */
  operation?: object
  schemas?: object
  /** Members of the document that replace its usual ones. */
  document?: object
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

/** A document with the operation `order` and the event `ordered`; undefined members are absent. */
export function documentOf(parts: Parts = {}): object {
  const { request = {}, answer = {}, event = {}, operation = {}, schemas = {} } = parts
  const order = {
    operationId: 'order',
    requestBody: { required: true, ...json(request) },
    responses: { '200': { description: 'Done.', ...json(answer) } },
    ...operation,
  }
  const ordered = { requestBody: json(event), responses: { '200': { description: 'Heard.' } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1.0.0' },
    paths: { '/orders': { post: order } },
    webhooks: { ordered: { post: ordered } },
    components: { schemas },
    ...parts.document,
  }
  return JSON.parse(JSON.stringify(document)) as object
}

/** What is told of two documents, each line with `!` before it when it breaks callers. */
export function told(before: Parts, after: Parts): string[] {
  const changes = compareDocuments({ before: documentOf(before), after: documentOf(after) })
  return changes.map((change) => `${change.isBreaking ? '! ' : ''}${lineOf(change)}`)
}
