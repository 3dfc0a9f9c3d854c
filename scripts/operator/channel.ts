import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as channelCheck from '../../capabilities/channel-accounts/channel-check.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { command, type Noun, refused } from './command.ts'
import { httpUrl, optional, pasted, required, text, toggle } from './flags.ts'
import { withChannel } from './own-channel.ts'

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
        'access-token': required('T', 'what messages are sent with', pasted),
        'app-secret': required('S', 'what callbacks are signed with', pasted),
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
          accessToken: flags['access-token'],
          appSecret: flags['app-secret'],
          verifyToken: flags['verify-token'],
          apiUrl: flags['api-url'],
          provesAppSecret: flags['app-secret-proof'],
        })
        const others = await channelAccounts.sharers(ctx, id, phoneNumberId)
        if (others.length > 0) io.stderr.write(`${sharing(others)}\n`)
        return { channel }
      },
    }),
    check: command({
      says: 'Asks the channel whether a project can send and hear: its token, its number, its app. Changes nothing.',
      flags: { project: required('ID', 'the project', text) },
      run: async (ctx, flags) => {
        const id = await projects.resolveId(ctx, flags.project)
        const channel = await channelAccounts.show(ctx, id)
        const found = await withChannel(ctx, id, (inside) => channelCheck.check(inside, id))
        const { number, isSubscribed } = found
        const result = { channel, number, subscribed: isSubscribed }
        if (isSubscribed) return result
        throw refused(result, unsubscribed(channel.app_id, channel.business_account_id))
      },
    }),
  },
}

function unsubscribed(app: string, account: string): string {
  return (
    `The app ${app} is not subscribed to the business account ${account}: ` +
    `the project can send, but hears of nothing. POST /${account}/subscribed_apps subscribes it.`
  )
}

function sharing(others: string[]): string {
  const also = `The number is connected to ${others.join(', ')} too.`
  return `${also} Of what customers write, and of what becomes of messages, one project hears: the one whose callback URL Meta has, else the oldest.`
}
