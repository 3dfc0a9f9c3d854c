import { isRecord } from '../../core/json-values.ts'

/** Any value of a parsed document; nothing is known of it until it was looked at. */
export type Fields = Record<string, unknown>

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const REFERENCE_HOPS_MAX = 20

/** One operation of a document, or one of its webhooks, as far as it could be read. */
export type DocumentOperation = {
  /** Its `operationId`, or a webhook's name; null when it has neither. */
  id: string | null
  method: string
  path: string
  codes: string[]
  fields: Fields
  /** What its path says for all methods, such as parameters. */
  shared: Fields
}

/** The value when it is an object, else an object without members. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

/** The value when it is a list, else an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The members of a list that are texts. */
export function textsOf(value: unknown): string[] {
  return listOf(value).filter((one) => typeof one === 'string')
}

/** The types that a schema lists, or its only one; null when it says nothing of them. */
export function typeListOf({ type }: Fields): string[] | null {
  return type === undefined ? null : textsOf(Array.isArray(type) ? type : [type])
}

/** A member that the object has itself, whatever its name. */
export function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/**
 * What a `$ref` inside the document leads to, with what stands beside it laid on top, or the value
 * itself. A reference that leads nowhere or in a circle is an object without members.
 */
export function dereferenced(document: unknown, value: unknown): Fields {
  let found = fieldsOf(value)
  for (let hops = 0; typeof found.$ref === 'string'; hops++) {
    if (hops === REFERENCE_HOPS_MAX) return {}
    const { $ref, ...beside } = found
    found = { ...fieldsOf(lookedUp(document, String($ref))), ...beside }
  }
  return found
}

/** What a reference such as `#/components/schemas/Contact` names; undefined when there is nothing. */
export function lookedUp(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  const steps = reference.slice(2).split('/')
  return steps.reduce<unknown>(
    (value, step) => memberOf(value, step.replaceAll('~1', '/').replaceAll('~0', '~')),
    document,
  )
}

/** Whether all references in a part, written as JSON, lead to what `components` names. */
export function refersToComponents(json: string): boolean {
  return !/"\$ref":"(?!#\/components\/)/.test(json)
}

/** The operations under `paths`, or the events under `webhooks`, in the document's order. */
export function operationsIn(document: unknown, under: 'paths' | 'webhooks'): DocumentOperation[] {
  return Object.entries(fieldsOf(memberOf(document, under))).flatMap(([path, value]) => {
    const item = dereferenced(document, value)
    return METHODS.filter((method) => isRecord(memberOf(item, method))).map((method) => {
      const fields = fieldsOf(item[method])
      const id = under === 'webhooks' ? path : fields.operationId
      return {
        id: typeof id === 'string' ? id : null,
        method,
        path,
        fields,
        shared: item,
        codes: textsOf(fields['x-error-codes']),
      }
    })
  })
}
