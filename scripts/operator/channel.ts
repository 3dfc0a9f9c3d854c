import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import { command, type Noun } from './command.ts'
import { httpUrl, optional, pasted, required, text } from './flags.ts'

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
        })
        const others = await channelAccounts.sharers(ctx, id, phoneNumberId)
        if (others.length > 0) io.stderr.write(`${sharing(others)}\n`)
        return { channel }
      },
    }),
  },
}

function sharing(others: string[]): string {
  const also = `The number is connected to ${others.join(', ')} too.`
  return `${also} Of what customers write, and of what becomes of messages, one project hears: the one whose callback URL Meta has.`
}
