import * as appAccounts from '../../capabilities/channel-accounts/app-accounts.ts'
import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as channelCheck from '../../capabilities/channel-accounts/channel-check.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import type { Context } from '../../core/context.ts'
import { command, type Noun, refused } from './command.ts'
import { secretOf } from './file.ts'
import { httpUrl, oneOf, optional, pasted, required, text, toggle } from './flags.ts'
import { withChannel } from './own-channel.ts'
import type { Result } from './print.ts'

export const channel: Noun = {
  says: "Channels: a project's WhatsApp Business account",
  verbs: {
    connect: command({
      says: 'Connects a project to the WhatsApp Cloud API, in place of what it had.',
      flags: {
        project: required('ID', 'the project', text),
        'phone-number-id': required('P', 'its phone number, by id', pasted),
        'business-account-id': required('W', 'its WhatsApp Business account', pasted),
        'app-id': required('A', 'its app at Meta', pasted),
        'access-token': required(
          'T',
          'what messages are sent with; @FILE, @- for standard input',
          pasted,
        ),
        'app-secret': required('S', 'what callbacks are signed with; or @FILE', pasted),
        'verify-token': required('V', 'what you tell Meta beside the callback URL', text),
        'app-secret-proof': toggle('for an app at Meta with “Require app secret” switched on'),
        'api-url': optional('URL', 'the API, if it is not that of CHANNEL_API_URL', httpUrl),
      },
      run: async (ctx, flags, _operand, io) => {
        const phoneNumberId = flags['phone-number-id']
        const id = await projects.resolveId(ctx, flags.project)
        const channel = await channelAccounts.connect(ctx, id, {
          phoneNumberId,
          businessAccountId: flags['business-account-id'],
          appId: flags['app-id'],
          accessToken: await secretOf(flags['access-token'], io),
          appSecret: await secretOf(flags['app-secret'], io),
          verifyToken: flags['verify-token'],
          apiUrl: flags['api-url'],
          provesAppSecret: flags['app-secret-proof'],
        })
        const others = await channelAccounts.sharers(ctx, id, phoneNumberId)
        if (others.length > 0) io.stderr.write(`${sharing(others)}\n`)
        const { api_url: own, callback_url: url } = channel
        if (own === null && !url?.startsWith('https://')) io.stderr.write(`${UNREACHED}\n`)
        return { channel }
      },
    }),
    update: command({
      says: 'Replaces secrets of a connected account, at once; what is not given stays.',
      flags: {
        project: required('ID', 'the project', text),
        'access-token': optional('T', 'the new token; @FILE, @- for standard input', pasted),
        'app-secret': optional(
          'S',
          'the new secret of the app, for all of its projects; or @FILE',
          pasted,
        ),
        'verify-token': optional('V', 'the new word for Meta beside the callback URL', text),
        'app-secret-proof': optional(
          'on|off',
          'as “Require app secret” at Meta',
          oneOf('on', 'off'),
        ),
      },
      check: ({ project: _, ...changes }) => {
        if (Object.values(changes).some((value) => value !== undefined)) return
        const names = Object.keys(changes).map((name) => `--${name}`)
        throw new Error(
          `Give at least one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`,
        )
      },
      run: async (ctx, flags, _operand, io) => {
        const id = await projects.resolveId(ctx, flags.project)
        const { 'access-token': token, 'app-secret': secret, 'verify-token': word } = flags
        const proof = flags['app-secret-proof']
        const change: channelAccounts.AccountChange = {
          ...(token === undefined ? {} : { accessToken: await secretOf(token, io) }),
          ...(secret === undefined ? {} : { appSecret: await secretOf(secret, io) }),
          ...(word === undefined ? {} : { verifyToken: word }),
          ...(proof === undefined ? {} : { provesAppSecret: proof === 'on' }),
        }
        const { appSecret } = change
        const others =
          appSecret === undefined ? [] : await appAccounts.replaceSecret(ctx, id, appSecret)
        const channel = await channelAccounts.update(ctx, id, change)
        if (others.length > 0) io.stderr.write(`${changedToo(others)}\n`)
        if (channel) return { channel }
        throw new Error(`Project ${id} is on the sandbox; channel connect connects it.`)
      },
    }),
    subscribe: command({
      says: "Has Meta tell a project's app what happens in its business account, and checks as check does.",
      flags: { project: required('ID', 'the project', text) },
      run: async (ctx, flags) => {
        const id = await projects.resolveId(ctx, flags.project)
        await withChannel(ctx, id, (inside) => channelCheck.subscribe(inside, id))
        return checked(ctx, id)
      },
    }),
    check: command({
      says: 'Asks the channel whether a project can send and hear: its token, its number, its app. Changes nothing.',
      flags: { project: required('ID', 'the project', text) },
      run: async (ctx, flags) => checked(ctx, await projects.resolveId(ctx, flags.project)),
    }),
  },
}

/** Said of an account of Meta's, which an API of the project's own is not. */
const UNREACHED =
  'Meta calls https addresses alone: put the service behind a proxy that speaks https, set PUBLIC_URL to its address there, and see channel check for the callback URL.'

async function checked(ctx: Context, projectId: string): Promise<Result> {
  const channel = await channelAccounts.show(ctx, projectId)
  const found = await withChannel(ctx, projectId, (inside) => channelCheck.check(inside, projectId))
  const { number, isSubscribed, token, problems } = found
  const access = token && {
    expires_at: token.expiresAt?.toISOString() ?? null,
    permissions: token.permissions,
  }
  const result = { channel, number, subscribed: isSubscribed, access }
  if (problems.length === 0) return result
  throw refused(result, problems.join('\n'))
}

function changedToo(others: string[]): string {
  return `Connected with the same app, and so with the new secret too: ${others.join(', ')}.`
}

function sharing(others: string[]): string {
  const also = `The number is connected to ${others.join(', ')} too.`
  return `${also} Of what customers write, and of what becomes of messages, one project hears: the one whose callback URL Meta has, else the oldest.`
}
