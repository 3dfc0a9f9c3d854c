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
    says: '● the log › shows no part of the secret EAA',
  },
  {
    name: 'a secret in the log',
    file: 'capabilities/webhooks/webhooks.ts',
    find: '  if (row) return { webhook: present(row), secret }\n',
    replace:
      "  ctx.log.info('webhook.created', { secret: secret.slice(6) })\n  if (row) return { webhook: present(row), secret }\n",
    gate: WEBHOOK_SECRET,
    says: '● the secret of a webhook › is told once, kept sealed, never logged',
  },
  {
    name: 'a secret that is told again',
    file: 'capabilities/webhooks/webhooks.ts',
    find: '  return read(ctx, ctx.sql, id)\n',
    replace: `  return read(ctx, ctx.sql, id).then(async (found) => {
    const { secret } = await ctx.db.webhook.findFirstOrThrow({ where: { id } })
    return { ...found, url: openSecret(ctx, id, secret) }
  })\n`,
    gate: WEBHOOK_SECRET,
    says: '● the secret of a webhook › is told once, kept sealed, never logged',
  },
  {
    name: 'secrets that are forgotten while a process still has their key',
    file: 'capabilities/projects/sealed-secrets.ts',
    find: '    await mustBeAlone(tx)\n    const secrets',
    replace: '    const secrets',
    gate: tests('integration/sealed-secrets', 'which still has the key'),
    says: '● operator secrets forget › forgets nothing while a process runs',
  },
  {
    name: 'a sealed text whose tag was cut short',
    file: 'core/crypto.ts',
    find: '      authTagLength: TAG_BYTES,\n',
    replace: '',
    gate: tests('unit/crypto'),
    says: '● the vault › does not open a text whose authentication tag was cut short',
  },
  {
    name: 'a token in an answer',
    file: 'channel/cloud-request.ts',
    find: 'const text = withoutToken(data, account.accessToken)',
    replace: 'const text = data',
    gate: tests('integration/template-channel-refusals', 'never has the token in what is said'),
    says: '› never has the token in what is said',
  },
  {
    name: 'a token in the answer to a send',
    file: 'channel/cloud-api.ts',
    find: 'readAnswer(status, withoutToken(data, account.accessToken))',
    replace: 'readAnswer(status, withoutToken(data, account.phoneNumberId))',
    gate: tests('integration/cloud-api', 'without the token in the error'),
    says: '› without the token in the error',
  },
  {
    name: 'an account without the proof of its secret where a URL has a query',
    file: 'channel/cloud-request.ts',
    find: 'if (appSecretProof === null || ',
    replace: "if (appSecretProof === null || url.includes('?') || ",
    gate: tests('integration/app-secret-proof', 'gives it with'),
    says: '› gives it with deleteMedia, once',
  },
  {
    name: 'a check that repeats the token which the channel has named',
    file: 'channel/cloud-numbers.ts',
    find: 'title: withoutToken(title, token)',
    replace: 'title',
    gate: tests('integration/channel-check'),
    says: '› tells by code 190 that the secret is not that of the app',
  },
  {
    name: 'a connection that tells its token',
    file: 'capabilities/channel-accounts/channel-accounts.ts',
    find: 'return { ...present(account), callback_url',
    replace: 'return { ...connection, ...present(account), callback_url',
    gate: tests('e2e/operator', 'a channel is connected without'),
    says: '› a channel is connected without telling its secrets again',
  },
  {
    name: 'a kept key that everybody on the machine may read',
    file: 'database/encryption-key.ts',
    find: ', { mode: 0o600 }',
    replace: '',
    gate: tests('integration/first-start', 'all seal with the one key'),
    says: 'all seal with the one key that is kept',
  },
  {
    name: 'secrets that an exchange of the key leaves out',
    file: 'capabilities/projects/sealed-secrets.ts',
    find: 'i += RESEALED_AT_ONCE',
    replace: 'i += anew.length',
    gate: tests('integration/sealed-secrets', 'leaves none out'),
    says: '● operator secrets reseal › leaves none out, however many there are',
  },
]
