import { expect, it } from '@jest/globals'
import { apply } from '../../capabilities/callbacks/message-changes.ts'
import type { Change } from '../../capabilities/callbacks/message-edits.ts'
import type { Row, SqlClient } from '../../core/sql.ts'
import { growthOf, LINEAR_MOST } from '../support/growth.ts'

const AT = '2026-11-21T09:30:00.000Z'

/** A database that has these messages, and where what is written to it is to be seen. */
function having(messages: Row[]) {
  const written: { wamid: string; payload: unknown }[] = []
  const tx: SqlClient = {
    rows(statement, values = []) {
      if (statement.name === 'lock-families') return Promise.resolve(messages)
      written.push(...(JSON.parse(String(values[1])) as typeof written))
      return Promise.resolve([])
    },
    announce: () => undefined,
  }
  return { tx, written }
}
const stored = (wamid: string, target: string | null = null): Row => [
  ...[wamid, '1', 'Hello', null, target && JSON.stringify({ original_message_id: target }), 'text'],
  ...['2026-11-21 09:30:00+00', target],
]
const revoke = (target: string, at = AT): Change => ({
  kind: 'revoke',
  target,
  wamid: `wamid.${at}`,
  at,
  content: null,
  media: null,
})

it('a message and its edits are gone since the first of the revocations that name them', async () => {
  const { tx, written } = having([
    stored('wamid.1'),
    stored('wamid.2', 'wamid.1'),
    stored('wamid.3', 'wamid.0'),
  ])
  const later = revoke('wamid.1', '2026-11-21T09:31:00.000Z')
  await apply(tx, 'p', [later, revoke('wamid.1'), later], [], new Date(AT))
  const gone = { content: null, payload: { revoked_at: AT } }
  expect(written).toMatchObject([
    { wamid: 'wamid.1', ...gone },
    { wamid: 'wamid.2', ...gone },
  ])
})

it.each([
  ['each of another message', (index: number) => `wamid.${index}`],
  ['all of one message', () => 'wamid.1'],
])('changes are applied in no time, %s', async (_what, targetOf) => {
  const growth = await growthOf(1_000, (length) => {
    const edits = Array.from({ length }, (_, index) => stored(`edit.${index}`, targetOf(index)))
    const { tx, written } = having(edits)
    const revocations = Array.from({ length }, (_, index) => revoke(targetOf(index)))
    return async () => {
      await apply(tx, 'p', revocations, [], new Date(AT))
      expect(written).toHaveLength(length)
    }
  })
  expect(growth).toBeLessThan(LINEAR_MOST)
})
