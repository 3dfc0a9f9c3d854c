const PAGE_ITEMS = 50

type Text = string | null | undefined

/** A row whose columns are named by position. */
export type NaiveRow = Record<`c${number}`, unknown>

/** A page built from the driver's own values: 64-bit numbers as text, timestamps as Date. */
export function naivePage(rows: NaiveRow[]): string {
  const last = rows.length > PAGE_ITEMS ? rows[PAGE_ITEMS - 1] : undefined
  const now = Date.now()
  return JSON.stringify({
    success: true,
    data: {
      conversations: rows.slice(0, PAGE_ITEMS).map((row) => naiveConversation(row, now)),
      nextCursor: last ? cursorOf((last.c2 as Date).toISOString(), String(last.c0)) : null,
    },
  })
}

function naiveConversation(row: NaiveRow, now: number) {
  const inboundAt = row.c3 as Date | null
  const expiresAt = row.c16 as Date | null
  return {
    id: Number(row.c0),
    contact: { id: Number(row.c7), phone: row.c8, name: row.c9 },
    state: row.c1,
    status: row.c1,
    last_message:
      row.c10 === null
        ? null
        : {
            id: Number(row.c10),
            type: row.c11,
            direction: row.c12,
            content: row.c13,
            status: row.c14,
            created_at: row.c15,
          },
    last_activity_at: row.c2,
    last_inbound_at: inboundAt,
    window: { open: expiresAt !== null && now < expiresAt.getTime(), expires_at: expiresAt },
    unread_count: row.c4,
    created_at: row.c5,
    updated_at: row.c6,
  }
}

/** The same page from text values, with hand-built JSON. */
export function strongPage(rows: Text[][]): string {
  const last = rows.length > PAGE_ITEMS ? rows[PAGE_ITEMS - 1] : undefined
  const now = new Date().toISOString()
  const length = Math.min(rows.length, PAGE_ITEMS)
  let items = ''
  for (let i = 0; i < length; i++) {
    items += (i > 0 ? ',' : '') + strongConversation(rows[i] ?? [], now)
  }
  const next = last ? `"${cursorOf(last[2] ?? '', last[0] ?? '')}"` : 'null'
  return `{"success":true,"data":{"conversations":[${items}],"nextCursor":${next}}}`
}

function strongConversation(row: Text[], now: string): string {
  const state = JSON.stringify(row[1])
  const inboundAt = row[3] == null ? null : iso(row[3])
  return (
    `{"id":${row[0]},"contact":{"id":${row[7]},"phone":${quoted(row[8])},` +
    `"name":${quoted(row[9])}},"state":${state},"status":${state},` +
    `"last_message":${strongMessage(row)},"last_activity_at":"${iso(row[2] ?? '')}",` +
    `"last_inbound_at":${inboundAt === null ? 'null' : `"${inboundAt}"`},` +
    `"window":${windowOf(row[16], now)},"unread_count":${row[4]},` +
    `"created_at":"${iso(row[5] ?? '')}","updated_at":"${iso(row[6] ?? '')}"}`
  )
}

function strongMessage(row: Text[]): string {
  if (row[10] == null) return 'null'
  return (
    `{"id":${row[10]},"type":"${row[11]}","direction":"${row[12]}",` +
    `"content":${quoted(row[13])},"status":"${row[14]}","created_at":"${iso(row[15] ?? '')}"}`
  )
}

function windowOf(endsAt: Text, now: string): string {
  if (endsAt == null) return '{"open":false,"expires_at":null}'
  const expiresAt = iso(endsAt)
  return `{"open":${now < expiresAt},"expires_at":"${expiresAt}"}`
}

function quoted(value: Text): string {
  return value == null ? 'null' : JSON.stringify(value)
}

/** PostgreSQL omits trailing zeros of fractions. */
function iso(text: string): string {
  const fraction = text.slice(20, text.indexOf('+', 19))
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

function cursorOf(at: string, id: string): string {
  return Buffer.from(`${at}\n${id}`).toString('base64url')
}
