import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { EVENT_NAME } from '../../capabilities/webhooks/custom-events.ts'
import { LIMITS } from '../../core/limits.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import { components, declaredOperations } from '../support/document.ts'

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
