import type { Context } from '../../core/context.ts'
import { nestsDeeper } from '../../core/json-values.ts'
import { LIMITS } from '../../core/limits.ts'
import type { SqlClient } from '../../core/sql.ts'
import { emit, EVENT_SCOPES, TEST_EVENT } from './events.ts'

/**
 * The pattern that the contract has for names. It is repeated here for callers that bypass request validation.
 */
export const EVENT_NAME = /^[A-Za-z0-9._-]{1,100}$/

/**
 * Raises an event of a project's own, with any payload that can be written as JSON; `undefined` is
 * none. Answers whether it was accepted, and never throws: not for a name that is malformed or the
 * platform's, not for a payload that cannot be written, is over 256 KiB or nests too deeply, nor when the database
 * fails.
 */
export async function emitCustom(
  ctx: Context,
  projectId: string,
  name: unknown,
  payload?: unknown,
): Promise<boolean> {
  try {
    return await raiseCustom(ctx, { projectId, subject: null }, name, payload)
  } catch (error) {
    ctx.log.error('event.unwritten', { project: projectId, name, error })
    return false
  }
}

/**
 * As `emitCustom`, but a database that fails is thrown, for callers that try again. Events of one subject are
 * told in their order; those without one as they come.
 */
export async function raiseCustom(
  { sql, now }: Pick<Context, 'now'> & { sql: SqlClient },
  { projectId, subject }: { projectId: string; subject: string | null },
  name: unknown,
  payload: unknown,
): Promise<boolean> {
  if (!isOwnName(name)) return false
  const data = written(payload)
  if (data === null) return false
  await emit(sql, projectId, [{ name, data, at: now(), subject }])
  return true
}

/** Why an event is not accepted, for the person who raised it; null for one that is. */
export function refusalOf(name: string, payload: unknown): string | null {
  if (!EVENT_NAME.test(name)) {
    return 'A name has 1 to 100 letters, digits, dots, underscores and hyphens.'
  }
  if (isOfPlatform(name)) return `${name} is an event of the platform; choose another name.`
  return written(payload) === null
    ? `The data is over ${LIMITS.customEventBytes / 1024} KiB, or nests on over ${LIMITS.customEventLevels} levels.`
    : null
}

function isOwnName(name: unknown): name is string {
  return typeof name === 'string' && EVENT_NAME.test(name) && !isOfPlatform(name)
}

/**
 * Subscribers match by name alone, so a custom event under a platform event's name would pass for that event.
 */
function isOfPlatform(name: string): boolean {
  return EVENT_SCOPES.has(name) || name === TEST_EVENT
}

/** The payload as JSON; null when it cannot be written, or is too large or too deep. */
function written(payload: unknown): string | null {
  if (payload === undefined) return 'null'
  try {
    // JSON.stringify answers undefined for a function or a symbol, though its type says otherwise.
    const data = JSON.stringify(payload) as string | undefined
    if (data === undefined) return null
    const bytes = Buffer.from(data)
    const isTooLarge = bytes.length > LIMITS.customEventBytes
    return isTooLarge || nestsDeeper(bytes, LIMITS.customEventLevels) ? null : data
  } catch {
    // It is cyclic, holds a BigInt, is too deep, or its own toJSON threw.
    return null
  }
}
