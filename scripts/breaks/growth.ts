import { type Break, tests } from './break.ts'

const large = (of: string) => tests('integration/large-tables', of)

/** What is read of tables that have grown. */
export const GROWTH: Break[] = [
  {
    name: 'a medium that is looked for in all messages',
    file: 'capabilities/media/inbound-media.ts',
    find: '= $2 OFFSET 0) AS brought',
    replace: '= $2) AS brought',
    gate: large('of the messages for a medium'),
    says: '● of many rows, only few are read › of the messages for a medium',
  },
  {
    name: 'a tag that few have, for which all contacts are looked through',
    file: 'capabilities/list-pages.ts',
    find: 'LIMIT ${LIMITS.rowsLookedThrough}`',
    replace: 'LIMIT 100 * ${LIMITS.rowsLookedThrough}`',
    gate: large('of the contacts of others'),
    says: '● of many rows, only few are read › of the contacts of others',
  },
  {
    name: 'little that has changed lately, for which what has not is looked through',
    file: 'capabilities/conversations/conversations.ts',
    find: 'dense: ACTIVE_SINCE,',
    replace: "dense: ACTIVE_SINCE && 'true',",
    gate: large('of the conversations for those that have changed'),
    says: '● of many rows, only few are read › of the conversations for those that have changed',
  },
  {
    name: 'batches of what is past its time that begin where the first did',
    file: 'capabilities/retention.ts',
    find: 'from: must(row?.[1])',
    replace: "from: must(row?.[1]) && '-infinity'",
    gate: large('of what is past its time'),
    says: '● of many rows, only few are read › of what is past its time',
  },
  {
    name: 'code that files have, and that is looked at each time again',
    file: 'capabilities/retention.ts',
    find: "SET used_at = 'infinity'",
    replace: 'SET used_at = b.used_at',
    gate: large('of the code that files have'),
    says: '● of many rows, only few are read › of the code that files have',
  },
  {
    name: 'tables of all projects that are gone through for those of one',
    file: 'capabilities/tables/tables.ts',
    find: 'd.refobjid = n.oid',
    replace: 'd.refobjid::bigint = n.oid::bigint',
    gate: large('the tables of a project'),
    says: '● the tables of a project › are listed without going through those of all others',
  },
  {
    name: 'events that are gone through for a list of deliveries',
    file: 'capabilities/webhooks/webhook-deliveries.ts',
    find: 'WHERE id = d.event_id LIMIT 1) AS e',
    replace: 'WHERE id = d.event_id) AS e',
    gate: large('of the events of others'),
    says: '● of many rows, only few are read › of the events of others',
  },
]
