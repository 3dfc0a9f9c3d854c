import { startSandbox } from '../../channel/sandbox.ts'
import { contestant } from './contestant.ts'

/** The channel's stand-in, which answers at once and sends no callbacks. */
contestant<{ phoneNumberId: string; accessToken: string }>(async (account) => {
  const known = {
    ...account,
    businessAccountId: '1',
    appId: '1',
    displayPhoneNumber: '15550000000',
    appSecret: 'unused',
    callbackUrl: 'http://127.0.0.1:9/',
  }
  const sandbox = await startSandbox({
    findAccount: async (_by, id) => (id === account.phoneNumberId ? known : null),
    callbacks: false,
  })
  return sandbox.url
})
