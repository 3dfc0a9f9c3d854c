/** The channel and the account that a project's messages are sent with. */
export type ChannelAccount = {
  projectId: string
  apiUrl: string
  apiVersion: string
  phoneNumberId: string
  businessAccountId: string
  appId: string
  accessToken: string
  /** Sent beside the token by accounts whose app requires it. */
  appSecretProof: string | null
}

export type ChannelErrorKind =
  | 'auth'
  | 'permission'
  | 'window'
  | 'recipient'
  | 'opt_out'
  | 'marketing_limit'
  | 'experiment'
  | 'quality'
  | 'throughput'
  | 'pair_rate'
  | 'api_rate'
  | 'transient'
  | 'template'
  | 'template_paused'
  | 'template_disabled'
  | 'parameter'
  | 'media'
  | 'account'
  | 'registration'
  | 'flow'
  | 'unknown'

export type ChannelError = {
  kind: ChannelErrorKind
  code: number | null
  /** Distinguishes faults that share a code, as those of a template's components do. */
  subcode: number | null
  title: string
  details: string | null
  httpStatus: number | null
  traceId: string | null
  retryable: boolean
}

/** The channel's answer to anything but a send: a value, or the reason why there is none. */
export type ChannelAnswer<T> = { ok: true; value: T } | { ok: false; error: ChannelError }
