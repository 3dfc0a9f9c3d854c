import { expect, it } from '@jest/globals'
import type { Handlers } from '../../core/handlers.ts'
import { handlers } from '../../handlers/index.ts'

const { ping, ...others } = handlers

// Each line below compiles only because the type checker refuses the next one; `npm run typecheck`
// fails as soon as it no longer does.

// @ts-expect-error -- the operation ping has no handler
const missing: Handlers = others

// @ts-expect-error -- the contract has no operation pong
const extra: Handlers = { ...handlers, pong: ping }

// @ts-expect-error -- data.ok is a boolean
const mistyped: Handlers = { ...handlers, ping: () => ({ ok: 'yes', projectId: '', scopes: [] }) }

const misread: Handlers = {
  ...handlers,
  // @ts-expect-error -- the path of getMessage has no number
  getMessage: (_ctx, { path }) => Promise.reject(new Error(String(path.number))),
}

it('a missing, extra or mistyped handler does not compile', () => {
  for (const table of [missing, extra, mistyped, misread]) expect(table).toBeInstanceOf(Object)
})
