import type { ChannelAccount, ChannelAnswer } from './channel-account.ts'

/** What the channel finds wrong with a definition; `pointer` is a JSON pointer into it. */
export type ChannelFlowFault = { error: string; pointer: string; message: string }

/** A flow as the channel lists it; `status` in its own upper-case words. */
export type ChannelFlow = {
  id: string
  name: string
  status: string
  categories: string[]
  faults: ChannelFlowFault[]
}

export type FlowDefinition = Record<string, unknown>

/** The channel's flows. No method throws: each says what is known. */
export type FlowChannel = {
  /** Creates a draft that has its definition from the first moment on. */
  createFlow(
    account: ChannelAccount,
    draft: { name: string; categories: string[]; definition: FlowDefinition },
  ): Promise<ChannelAnswer<{ id: string; faults: ChannelFlowFault[] }>>
  /** One page of the account's flows; `after` is null on the first and the last. */
  listFlows(
    account: ChannelAccount,
    after: string | null,
  ): Promise<ChannelAnswer<{ flows: ChannelFlow[]; after: string | null }>>
  findFlow(account: ChannelAccount, id: string): Promise<ChannelAnswer<ChannelFlow>>
  /** The definition that the channel holds; null when it holds none. */
  readFlow(account: ChannelAccount, id: string): Promise<ChannelAnswer<FlowDefinition | null>>
  /** Puts a definition in the place of the one that the flow has. */
  uploadFlow(
    account: ChannelAccount,
    id: string,
    definition: FlowDefinition,
  ): Promise<ChannelAnswer<{ faults: ChannelFlowFault[] }>>
  renameFlow(account: ChannelAccount, id: string, name: string): Promise<ChannelAnswer<null>>
  publishFlow(account: ChannelAccount, id: string): Promise<ChannelAnswer<null>>
}

/** What a callback says of a flow, in the channel's words. */
export type FlowUpdate = {
  businessAccountId: string
  id: string
  /** Null for news that moves nothing, such as an error rate. */
  status: string | null
  event: string
  at: Date | null
}
