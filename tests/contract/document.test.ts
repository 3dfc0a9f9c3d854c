import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { STATUS, type ErrorCode } from '../../core/errors.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import {
  components,
  type DeclaredOperation,
  declaredOperations,
  followed,
  jsonOf,
  type Schema,
  walk,
} from '../support/document.ts'
import {
  dueStatuses,
  missingCodes,
  missingExamples,
  OTHER_STATUS,
} from '../support/contract-rules.ts'
import { checkDetails, ERROR_TABLE, type Told } from '../support/error-table.ts'
import { validate } from '../support/responses.ts'
import { STATUS_BY_CODE } from './error-statuses.ts'

const SCOPES = [
  ...['messages:send', 'conversations:read', 'conversations:write', 'contacts:read'],
  ...['contacts:write', 'templates:read', 'templates:manage', 'broadcasts:read'],
  ...['broadcasts:manage', 'code:read', 'code:write', 'flows:read', 'flows:write'],
  ...['webhooks:manage', 'events:message_received', 'events:message_status'],
  ...['events:template_status', 'tables:read', 'tables:write', 'media:read', 'media:write'],
]

type Failed = { error: Told & { code: ErrorCode } }

/** Open on purpose: what a caller, a channel or a bot put there, or what depends on the code. */
const OPEN = [
  'OpenApiDocument',
  'OpenApiDocument.info',
  'OpenApiDocument.paths',
  'FailureError.details',
  'MessagePayload',
  'MessageTemplate.variables',
  'Contact.attributes',
  'TableRow',
  'StoredTemplateComponent',
  'StoredFlowDefinition',
  'Broadcast.template_variables',
]
/** Headers that have a check of their own: what the contract says of another, nothing might look at. */
const HEADERS = ['X-Service-Project', 'X-Request-Id', 'Idempotency-Key', 'If-None-Match']
/** What the service, its tests or a generator reads; of any other name nobody would notice that it is none. */
const EXTENSIONS = [
  ...['x-body-error-codes', 'x-body-limit', 'x-error-codes', 'x-extensible', 'x-go-type'],
  ...['x-many-segments', 'x-project', 'x-query-error-codes', 'x-required-scopes'],
]
/** Members of answers that may be absent; everything else is null when there is nothing to say. */
const OPTIONAL = ['FailureError.details']

const operations = declaredOperations.map((operation): [string, DeclaredOperation] => [
  operation.operationId,
  operation,
])
const guarded = operations.filter(([, { security }]) => security === undefined)

/** Every response with a JSON body, under a name that says where it is. */
const responses = declaredOperations.flatMap(({ operationId, responses }) =>
  Object.entries(responses)
    .filter(([, { content }]) => content?.['application/json'])
    .map(([status, response]) => ({ name: `${operationId} ${status}`, status, response })),
)
const failures = Object.entries(components.responses).map(([name, response]) => ({
  name,
  response,
}))

describe.each(operations)('the operation %s', (_id, operation) => {
  const statuses = Object.keys(operation.responses)
  const successes = statuses.filter((status) => status.startsWith('2'))
  const codes = operation['x-error-codes']

  it('has a name, a summary, a description and one tag', () => {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/)
    expect(operation.summary).toMatch(/\S/)
    expect(operation.description).toMatch(/\S/)
    expect(operation.tags).toHaveLength(1)
  })

  it('names the scopes that it requires, each one known', () => {
    expect(Array.isArray(operation['x-required-scopes'])).toBe(true)
    expect(SCOPES).toEqual(expect.arrayContaining(operation['x-required-scopes']))
  })

  it('declares exactly one success', () => {
    expect(successes).toHaveLength(1)
  })

  it('names its error codes once, and only known ones', () => {
    expect([...new Set(codes)]).toEqual(codes)
    expect(Object.keys(STATUS)).toEqual(expect.arrayContaining(codes))
  })

  it('documents the status of each of its error codes, and no other error', () => {
    const errors = statuses.filter((status) => Number(status) >= 400)
    expect(errors.sort()).toEqual(dueStatuses(operation))
  })

  it('shows an example of its success, and of its body where it takes one', () => {
    expect(missingExamples(operation)).toEqual([])
  })

  it('shows of each failure only codes that it can answer with', () => {
    const shown = Object.entries(operation.responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, response]) => jsonOf(response).examples.map(([, { value }]) => value as Failed))
    expect(codes).toEqual(expect.arrayContaining(shown.map(({ error }) => error.code)))
  })

  it('describes its parameters', () => {
    for (const { description } of operation.parameters) expect(description).toMatch(/\S/)
  })

  it('takes no header that nothing checks', () => {
    const headers = operation.parameters.filter((parameter) => parameter.in === 'header')
    expect(HEADERS).toEqual(expect.arrayContaining(headers.map(({ name }) => name)))
  })

  it('requires its body, where it takes one: to send none is refused', () => {
    expect(operation.requestBody?.required ?? true).toBe(true)
  })
})

it('what tells kinds apart stands in schemas that have a name: no others are validated by it', () => {
  const named = Object.values(components.schemas)
  const unnamed: string[] = []
  for (const { operationId, requestBody } of declaredOperations) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      walk(schema, (one, place) => {
        if (one.discriminator && !named.includes(one)) unnamed.push(`${operationId} ${place}`)
      })
    }
  }
  expect(unnamed).toEqual([])
})

it('lists whose items must differ are of texts, as they say themselves: others are compared pair by pair', () => {
  const places: string[] = []
  for (const { operationId, requestBody } of declaredOperations) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      walk(schema, (one, place) => {
        if (one.uniqueItems) places.push(`${operationId} ${place} ${String(one.items?.type)}`)
      })
    }
  }
  expect(places).not.toEqual([])
  for (const place of places) expect(place).toMatch(/ string$/)
})

describe.each(guarded)('the guarded operation %s', (_id, operation) => {
  it('names the codes of the checks that every request of it goes through', () => {
    expect(missingCodes(operation)).toEqual([])
  })

  it('declares the headers that count its requests', () => {
    const [, success] =
      Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
    expect(Object.keys(success?.headers ?? {})).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining']),
    )
  })
})

describe('the answers of the contract', () => {
  it('are closed objects that list every member as required', () => {
    const faults: string[] = []
    for (const { response } of responses) {
      walk(jsonOf(response).schema, (schema, place) => faults.push(...faultsOf(schema, place)))
    }
    expect([...new Set(faults)]).toEqual([])
  })

  it('leave open only what is named here, and all of that exists', () => {
    const open = new Set<string>()
    for (const { response } of responses) {
      walk(jsonOf(response).schema, (schema, place) => {
        if (isObject(schema) && schema.additionalProperties !== false) open.add(place)
      })
    }
    expect([...open].sort()).toEqual([...OPEN].sort())
  })

  it('wear the envelope', () => {
    const bare = responses.filter(({ response, status }) => {
      const { schema, name } = followed(jsonOf(response).schema)
      if (name === 'OpenApiDocument') return false
      if (Number(status) >= 400) return name !== 'Failure'
      const members = Object.keys(schema.properties ?? {}).join()
      return members !== 'success,data' || schema.properties?.success?.const !== true
    })
    expect(bare.map(({ name }) => name)).toEqual([])
  })
})

describe.each(failures)('the shared failure $name', ({ name, response }) => {
  it('shows valid examples, each of a code that has its status', () => {
    const { schema, examples } = jsonOf(response)
    const statuses = declaredOperations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, one]) => (one === response ? [status] : [])),
    )
    expect(examples).not.toEqual([])
    expect(new Set(statuses).size).toBe(1)
    for (const [key, { value }] of examples) {
      validate(`${name} ${key}`, schema, value)
      const { error } = value as Failed
      const { code } = error
      checkDetails(error)
      // A code that is shown twice tells in its name what else it is: `upstream_error_refused`.
      const shown = key.startsWith(`${code}_`) ? code : key
      const known = [STATUS[code], OTHER_STATUS[code]].map(String)
      expect([shown, known]).toEqual([code, expect.arrayContaining(statuses)])
    }
  })
})

describe('the error codes', () => {
  it('are those of the contract, in code and document alike', () => {
    const { enum: documented = [] } = components.schemas.ErrorCode ?? {}
    expect(Object.keys(STATUS).sort()).toEqual([...documented].sort())
  })

  it('are told in the one table, each once and with its status', () => {
    const told = ERROR_TABLE.map(({ code, status }) => [code, status])
    expect(told.sort()).toEqual(Object.entries(STATUS).sort())
  })

  it.each(Object.entries(STATUS_BY_CODE))('include %s with the status %i', (code, status) => {
    expect(STATUS[code as ErrorCode]).toBe(status)
  })
})

describe('the text of the document', () => {
  const text = readFileSync(path.join(PROJECT_ROOT, 'openapi.yaml'), 'utf8')

  it('has no extension that nobody reads', () => {
    const found = [...text.matchAll(/(?<![\w-])(x-[a-z-]+):/g)].map(([, name]) => name)
    expect([...new Set(found)].sort()).toEqual(EXTENSIONS)
  })

  // One wider character, and V8 keeps the whole text at two bytes a character, with it the names of headers
  // and members, and with those every answer that has them: about 5 % of what a request costs. Where one
  // is needed, it can be written as an escape: "\U0001F44D".
  it('has no character beyond those of Latin-1', () => {
    const lines = text.split('\n')
    const wide = lines.flatMap((line, i) => (/[^\0-\xff]/.test(line) ? `${i + 1}: ${line}` : []))
    expect(wide).toEqual([])
  })
})

describe('the scopes', () => {
  it('are the 21 that keys and grants may hold', () => {
    expect(components.schemas.Scope?.enum).toEqual(SCOPES)
    expect(SCOPES).toHaveLength(21)
  })
})

function isObject({ type, properties }: Schema): boolean {
  return [type].flat().includes('object') || properties !== undefined
}

function faultsOf(schema: Schema, place: string): string[] {
  if (!isObject(schema) || OPEN.includes(place)) return []
  const faults = schema.additionalProperties === false ? [] : [`${place} is open`]
  const missing = Object.keys(schema.properties ?? {})
    .filter((member) => !schema.required?.includes(member))
    .map((member) => `${place}.${member}`)
    .filter((member) => !OPTIONAL.includes(member))
  return [...faults, ...missing.map((member) => `${member} is optional`)]
}
