import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'
import { declaredOperations, walk } from '../support/document.ts'

/** Without the flows': the words of prompts stand there, and would count as members that are read. */
const FOLDERS = ['capabilities', 'channel', 'core', 'middleware']
const COMMENT = /^\s*(?:\/\/|\/\*|\*).*$/gm
/** Members of what is given on to the channel as a whole, once it fits the contract. */
const GIVEN_ON = ['package_name', 'signature_hash']

const words = new Set(
  FOLDERS.flatMap((folder) =>
    readdirSync(path.join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(PROJECT_ROOT, folder, file), 'utf8')),
  ).flatMap((text) => text.replace(COMMENT, '').match(/\w+/g) ?? []),
)

/** What a request of each operation may say in its body or its query, however deep. */
const members = declaredOperations.map(({ operationId, parameters, requestBody }) => {
  const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  for (const { schema } of Object.values(requestBody?.content ?? {})) {
    walk(schema, ({ properties = {} }) => names.push(...Object.keys(properties)))
  }
  return { operationId, names }
})

// A name that stands anywhere in the code counts as read: that it has its effect, its own test must tell.
describe('what a request may say', () => {
  it.each(members)('is read by the code: $operationId', ({ names }) => {
    const unread = names.filter((name) => !words.has(name) && !GIVEN_ON.includes(name))
    expect([...new Set(unread)]).toEqual([])
  })

  it('is given on only where there is such a member that nothing reads', () => {
    const all = members.flatMap(({ names }) => names)
    expect(all).toEqual(expect.arrayContaining(GIVEN_ON))
    expect(GIVEN_ON.filter((name) => words.has(name))).toEqual([])
  })
})
