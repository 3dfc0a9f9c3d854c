import type { ChannelAccount, ChannelAnswer } from './channel-account.ts'

/** A phone number as the channel lists it, in its own words; null for what it does not say. */
export type ChannelNumber = {
  id: string
  phone: string | null
  name: string | null
  status: string | null
  quality: string | null
}

/** What an access token is good for; null for what the channel does not say. */
export type ChannelToken = {
  appId: string | null
  isValid: boolean
  /** Null for one that does not expire, too. */
  expiresAt: Date | null
  permissions: string[] | null
}

/** What the channel knows of an account's numbers and apps. No method throws: each says what is known. */
export type NumberChannel = {
  /** One page of the business account's numbers; `after` is null on the first and the last. */
  listNumbers(
    account: ChannelAccount,
    after: string | null,
  ): Promise<ChannelAnswer<{ numbers: ChannelNumber[]; after: string | null }>>
  /** The apps, by id, that are told what happens in the business account. */
  listSubscribedApps(account: ChannelAccount): Promise<ChannelAnswer<string[]>>
  /** Makes the account's app one of these. */
  subscribeApp(account: ChannelAccount): Promise<ChannelAnswer<null>>
  /** Examines a token, which is none of the errors; the account has the token of the app itself. */
  inspectToken(app: ChannelAccount, token: string): Promise<ChannelAnswer<ChannelToken>>
}
