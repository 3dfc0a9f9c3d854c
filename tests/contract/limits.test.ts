import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { EVENT_NAME } from '../../capabilities/webhooks/custom-events.ts'
import { LIMITS } from '../../core/limits.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import { operationsOf } from '../../core/contract.ts'
import { components, declaredOperations, document } from '../support/document.ts'

const FOLDERS = ['capabilities', 'core', 'counters', 'database', 'handlers', 'middleware']

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ file: `${folder}/${name}`, name: path.join(PROJECT_ROOT, folder, name) })),
).map(({ file, name }) => ({ file, text: readFileSync(name, 'utf8') }))

/** What a source answers as `limit_name`: a text, a constant of its own, or the name of one of its budgets. */
const answered = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/\blimit_name\b(?!: string\b|,)(?:: ('?)([\w-]+))?/g)].map(
    ([, quote, said = '']) => {
      if (quote === "'") return { file, names: [said] }
      const constant = new RegExp(`^const ${said} = '([\\w-]+)'$`, 'gm')
      const budget = /\bbudgetOf\('([\w-]+)'/g
      const found = [constant, budget].flatMap((pattern) => [...text.matchAll(pattern)])
      return { file, names: found.map(([, name = '']) => name) }
    },
  ),
)
const names = [...new Set(answered.flatMap((one) => one.names))].sort()

const { schemas, parameters } = components
const member = (schema: string, name: string) => schemas[schema]?.properties?.[name]
const rowsTake = (name: string) => {
  const listRows = declaredOperations.find(({ operationId }) => operationId === 'listRows')
  return listRows?.parameters.find((one) => one.name === name)?.schema
}

/** What code goes by where no request is held against the contract, and what that says of requests. */
const SAID_TWICE: Partial<Record<keyof typeof LIMITS, unknown[]>> = {
  pageItemsDefault: [parameters.Limit?.schema.default],
  pageItemsMax: [parameters.Limit?.schema.maximum],
  tableRowsDefault: [rowsTake('limit')?.default],
  tableCursorCharacters: [
    rowsTake('cursor')?.maxLength,
    member('RowsPagination', 'nextCursor')?.maxLength,
  ],
  rowsChanged: [parameters.MaxRows?.schema.default, parameters.MaxRows?.schema.maximum],
  webhooksPerProject: [member('WebhookList', 'webhooks')?.maxItems],
  webhookUrlCharacters: [schemas.WebhookUrl?.maxLength],
  contactNameCharacters: [member('UpdateContactRequest', 'name')?.maxLength],
  contactTagCharacters: [schemas.Tag?.maxLength],
  templateValueCharacters: [schemas.TemplateValue?.maxLength],
  codePathCharacters: [schemas.CodeFilePath?.maxLength, parameters.FilePath?.schema.maxLength],
  formTextCharacters: [schemas.UploadFilename?.maxLength, schemas.UploadMime?.maxLength],
}

describe('a limit that the contract says too', () => {
  it.each(Object.entries(SAID_TWICE))('is the same there: %s', (name, said) => {
    for (const one of said) expect(one).toBe(LIMITS[name as keyof typeof LIMITS])
  })

  it('is the same there for the names of events', () => {
    expect(schemas.EventName?.pattern).toBe(EVENT_NAME.source)
  })
})

/** What callers were told, number by number: that a check and the contract agree says nothing of how much it is. */
const PROMISED: [what: string, said: unknown, promised: number][] = [
  ['conversations, messages and the like on a page', parameters.Limit?.schema.maximum, 100],
  ['of them where nothing is said', parameters.Limit?.schema.default, 50],
  ['rows on a page', rowsTake('limit')?.maximum, 50],
  ['of them where nothing is said', rowsTake('limit')?.default, 20],
  ['characters of columns', rowsTake('columns')?.maxLength, 2_000],
  ['characters of filters', rowsTake('filters')?.maxLength, 4_000],
  ['characters of a row’s cursor', rowsTake('cursor')?.maxLength, 200],
  ['rows of an insert', member('InsertRowsRequest', 'rows')?.maxItems, 100],
  ['rows of an update or a delete', parameters.MaxRows?.schema.maximum, 1_000],
  ['characters of an attribute', schemas.AttributeValue?.maxLength, 1_000],
  ['characters of a tag', schemas.Tag?.maxLength, 64],
  ['characters of a webhook’s address', schemas.WebhookUrl?.maxLength, 512],
  ['events of a webhook', schemas.EventNames?.maxItems, 50],
  ['webhooks', member('WebhookList', 'webhooks')?.maxItems, 100],
  ['conditions of a filter', member('ContactFilterRequest', 'conditions')?.maxItems, 20],
  ['the last place of a template’s button', member('TemplateButton', 'index')?.maximum, 9],
  ['characters of its value', member('TemplateButton', 'value')?.maxLength, 2_000],
  ['characters of a client’s own reference', schemas.ClientRef?.maxLength, 255],
  ['characters of a file’s name', schemas.UploadFilename?.maxLength, 255],
  ['characters of a file’s type', schemas.UploadMime?.maxLength, 255],
  ['characters of a code file’s path', schemas.CodeFilePath?.maxLength, 255],
]

const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS

/** The same of limits that the code alone has: tests of what they do go by them, whatever they are. */
const PROMISED_BY_CODE: Partial<Record<keyof typeof LIMITS, number>> = {
  windowMs: 24 * HOUR_MS,
  limiterWaitMs: 100,
  contactTags: 100,
  contactAttributes: 200,
  templateHeaderCharacters: 60,
  templateBodyCharacters: 1_024,
  templateFooterCharacters: 60,
  templateButtons: 10,
  headerSampleKeptMs: HOUR_MS,
  inlineFileBytes: 5 * 1_048_576,
  channelFileBytes: 100 * 1_048_576,
  failedEventsInRow: 10,
  deliveriesKeptMs: 7 * 24 * HOUR_MS,
  retargetAfterMs: 24 * HOUR_MS,
  tableFilters: 20,
  tableStatementMs: 5 * SECOND_MS,
  rowsChanged: 1_000,
  codeFiles: 500,
  codeFileBytes: 1_048_576,
  botMemoryBytes: 64 * 1_048_576,
  botRunMs: 5 * SECOND_MS,
  botComputingMs: SECOND_MS,
}

/** Bodies that may be larger than a mebibyte. */
const LARGER_BODIES = {
  uploadHeaderSample: 8 * 1_048_576,
  uploadMedia: 8 * 1_048_576,
  putFile: 2 * 1_048_576,
}

describe('a limit that callers were told', () => {
  it.each(PROMISED)('is no more and no less: %s', (_what, said, promised) => {
    expect(said).toBe(promised)
  })

  it.each(Object.entries(PROMISED_BY_CODE))('is no more and no less: %s', (name, promised) => {
    expect(LIMITS[name as keyof typeof LIMITS]).toBe(promised)
  })

  it('is a mebibyte for the bodies of all operations but three', () => {
    const larger = operationsOf(document).flatMap(({ id, bodyLimit }) =>
      bodyLimit.bytes === 1_048_576 ? [] : [[id, bodyLimit.bytes]],
    )
    expect(Object.fromEntries(larger)).toEqual(LARGER_BODIES)
  })
})

describe('the names of the limits', () => {
  it('are found wherever a source answers one', () => {
    expect(answered.filter((one) => one.names.length === 0)).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['requests', 'sends', 'upload-bytes']))
  })

  it('are those of the table of error codes', () => {
    const { description = '' } = components.schemas.ErrorCode ?? {}
    const listed = [...description.matchAll(/`limit_name` \(([^)]+)\)/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    )
    expect(listed.sort()).toEqual(names)
  })

  it.each(names)('are explained where a 429 is: %s', (name) => {
    expect(components.responses.TooManyRequests?.description).toContain(`\`${name}\``)
  })
})
