const PAGE_ITEMS = 50
const WINDOW_MS = 24 * 60 * 60 * 1000

type Text = string | null | undefined

/** A page from the driver's own values: 64-bit numbers as text, instants as Date. */
export function naivePage(rows: unknown[][]): string {
  const last = rows.length > PAGE_ITEMS ? rows[PAGE_ITEMS - 1] : undefined
  const now = Date.now()
  return JSON.stringify({
    success: true,
    data: {
      conversations: rows.slice(0, PAGE_ITEMS).map((row) => naiveConversation(row, now)),
      nextCursor: last ? cursorOf((last[2] as Date).toISOString(), String(last[0])) : null,
    },
  })
}

function naiveConversation(row: unknown[], now: number) {
  const inboundAt = row[3] as Date | null
  const expiresAt = inboundAt && new Date(inboundAt.getTime() + WINDOW_MS)
  return {
    id: Number(row[0]),
    contact: { id: Number(row[7]), phone: row[8], name: row[9] },
    state: row[1],
    status: row[1],
    last_message:
      row[10] === null
        ? null
        : {
            id: Number(row[10]),
            type: row[11],
            direction: row[12],
            content: row[13],
            status: row[14],
            created_at: row[15],
          },
    last_activity_at: row[2],
    last_inbound_at: inboundAt,
    window: { open: expiresAt !== null && now < expiresAt.getTime(), expires_at: expiresAt },
    unread_count: row[4],
    created_at: row[5],
    updated_at: row[6],
  }
}

/** The same page from text, with its JSON made by hand. */
export function strongPage(rows: Text[][]): string {
  const last = rows.length > PAGE_ITEMS ? rows[PAGE_ITEMS - 1] : undefined
  const now = Date.now()
  const length = Math.min(rows.length, PAGE_ITEMS)
  let items = ''
  for (let i = 0; i < length; i++) {
    items += (i > 0 ? ',' : '') + strongConversation(rows[i] ?? [], now)
  }
  const next = last ? `"${cursorOf(last[2] ?? '', last[0] ?? '')}"` : 'null'
  return `{"success":true,"data":{"conversations":[${items}],"nextCursor":${next}}}`
}

function strongConversation(row: Text[], now: number): string {
  const state = JSON.stringify(row[1])
  const inboundAt = row[3] == null ? null : iso(row[3])
  return (
    `{"id":${row[0]},"contact":{"id":${row[7]},"phone":${quoted(row[8])},` +
    `"name":${quoted(row[9])}},"state":${state},"status":${state},` +
    `"last_message":${strongMessage(row)},"last_activity_at":"${iso(row[2] ?? '')}",` +
    `"last_inbound_at":${inboundAt === null ? 'null' : `"${inboundAt}"`},` +
    `"window":${windowOf(inboundAt, now)},"unread_count":${row[4]},` +
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

function windowOf(inboundAt: string | null, now: number): string {
  if (inboundAt === null) return '{"open":false,"expires_at":null}'
  const expiresAt = Date.parse(inboundAt) + WINDOW_MS
  return `{"open":${now < expiresAt},"expires_at":"${new Date(expiresAt).toISOString()}"}`
}

function quoted(value: Text): string {
  return value == null ? 'null' : JSON.stringify(value)
}

/** PostgreSQL drops the zeros at a fraction's end. */
function iso(text: string): string {
  const fraction = text.slice(20, text.indexOf('+', 19))
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}

function cursorOf(at: string, id: string): string {
  return Buffer.from(`${at}\n${id}`).toString('base64url')
}
