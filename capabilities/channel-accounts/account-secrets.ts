import { createHmac } from 'node:crypto'
import type { Context } from '../../core/context.ts'

const COLUMNS = {
  accessToken: 'access_token',
  appSecret: 'app_secret',
  verifyToken: 'verify_token',
} as const

type SecretName = keyof typeof COLUMNS
const NAMES = Object.keys(COLUMNS) as SecretName[]

/** The secrets of a project's account: sealed in the database, open in this process. */
export type Secrets = Record<SecretName, string>

/** The context that a sealed secret of an account is bound to. */
export function placeOf(column: string, projectId: string): string {
  return `channel_accounts.${column}.${projectId}`
}

/** All secrets as the database holds them. */
export function seal(ctx: Context, projectId: string, secrets: Secrets): Secrets {
  return mapSecrets((name) => sealOne(ctx, projectId, name, secrets[name]))
}

/** The same for those that are given. */
export function sealSome(ctx: Context, projectId: string, secrets: Partial<Secrets>) {
  const sealed: Partial<Secrets> = {}
  for (const name of NAMES) {
    const value = secrets[name]
    if (value !== undefined) sealed[name] = sealOne(ctx, projectId, name, value)
  }
  return sealed
}

/** The secrets of a row. Throws when they were sealed with another key. */
export function open(ctx: Context, row: Secrets & { projectId: string }): Secrets {
  return mapSecrets((name) => ctx.vault.open(row[name], placeOf(COLUMNS[name], row.projectId)))
}

/** https://developers.facebook.com/docs/graph-api/guides/secure-requests */
export function proofOf({ accessToken, appSecret }: Omit<Secrets, 'verifyToken'>): string {
  return createHmac('sha256', appSecret).update(accessToken).digest('hex')
}

function sealOne(ctx: Context, projectId: string, name: SecretName, value: string): string {
  return ctx.vault.seal(value, placeOf(COLUMNS[name], projectId))
}

function mapSecrets(valueOf: (name: SecretName) => string): Secrets {
  return {
    accessToken: valueOf('accessToken'),
    appSecret: valueOf('appSecret'),
    verifyToken: valueOf('verifyToken'),
  }
}
