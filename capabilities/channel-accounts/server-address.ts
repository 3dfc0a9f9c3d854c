import type { Context } from '../../core/context.ts'
import { KEPT_NAMES } from '../../core/kept-names.ts'
import * as serviceSettings from '../service-settings.ts'

/** Stores the address of this process, for operators' commands and for the sandbox of a worker. */
export async function note(ctx: Context, url: string): Promise<void> {
  await serviceSettings.write(ctx.sql, KEPT_NAMES.serverUrl, url)
}

/** The address of the server that started last; it may have stopped since. */
export async function last(ctx: Context): Promise<string | null> {
  return serviceSettings.read(ctx.sql, KEPT_NAMES.serverUrl)
}
