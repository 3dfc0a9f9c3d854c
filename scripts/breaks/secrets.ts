import { type Break, tests } from './break.ts'

const WEBHOOK_SECRET = tests('integration/webhooks', 'is told once, kept sealed, never logged')

/** Secrets: sealed, told once, never logged. */
export const SECRETS: Break[] = [
  {
    name: 'a token in the log',
    file: 'core/logger.ts',
    find: "return text.replace(SECRETS, '[redacted]')",
    replace: 'return text',
    gate: tests('unit/logger'),
    says: '● ',
  },
  {
    name: 'a secret in the log',
    file: 'capabilities/webhooks.ts',
    find: '  if (row) return { webhook: present(row), secret }\n',
    replace:
      "  ctx.log.info('webhook.created', { secret: secret.slice(6) })\n  if (row) return { webhook: present(row), secret }\n",
    gate: WEBHOOK_SECRET,
    says: '● ',
  },
  {
    name: 'a secret that is told again',
    file: 'capabilities/webhooks.ts',
    find: 'const COLUMNS = `id, project_id, url,',
    replace: 'const COLUMNS = `id, project_id, secret,',
    gate: WEBHOOK_SECRET,
    says: '● ',
  },
  {
    name: 'a sealed text that opens elsewhere',
    file: 'core/crypto.ts',
    find: "createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))",
    replace: "createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(''))",
    gate: tests('unit/crypto'),
    says: '● ',
  },
  {
    name: 'a token in an answer',
    file: 'channel/cloud-request.ts',
    find: 'parseJson(withoutToken(data, account.accessToken))',
    replace: 'parseJson(data)',
    gate: tests('integration/cloud-api', 'without the token in the error'),
    says: '● ',
  },
  {
    name: 'a connection that tells its token',
    file: 'capabilities/channel-accounts.ts',
    find: 'return { ...present(account), callback_url',
    replace: 'return { ...connection, ...present(account), callback_url',
    gate: tests('e2e/operator', 'a channel is connected without'),
    says: '● ',
  },
]
