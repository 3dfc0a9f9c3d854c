/** A template as the channel sandbox holds it for one of its accounts. */
export type SandboxTemplate = {
  businessAccountId: string
  id: string
  name: string
  language: string
  category: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: Record<string, unknown>[]
  /** In the channel's words; a `DELETED` one only keeps its name from being taken again. */
  status: string
  reason: string | null
  createdAt: Date
  /** When the review ends of one that is `PENDING`, or the block ends of one that is `DELETED`. */
  dueAt: Date
}

/** Where the sandbox keeps the templates of its accounts, of which each has some hundreds at most. */
export type SandboxTemplateStore = {
  /** Oldest first. */
  list(businessAccountId: string): Promise<SandboxTemplate[]>
  /** False, and nothing added, when the account has one of this name and language. */
  add(template: SandboxTemplate): Promise<boolean>
  /** Writes the status, the reason and the instant it is due; harmless when the template is gone. */
  change(template: SandboxTemplate): Promise<void>
  remove(template: SandboxTemplate): Promise<void>
}

/** A flow as the channel sandbox holds it for one of its accounts; `status` in the channel's words. */
export type SandboxFlow = {
  businessAccountId: string
  id: string
  name: string
  status: string
  categories: string[]
  /** Whatever JSON was uploaded, valid or not; null when nothing was. */
  definition: Record<string, unknown> | null
  createdAt: Date
}

/** Where the sandbox keeps the flows of its accounts. */
export type SandboxFlowStore = {
  find(id: string): Promise<SandboxFlow | null>
  /** Oldest first. */
  list(businessAccountId: string): Promise<SandboxFlow[]>
  /** False, and nothing added, when the account has one of this name. */
  add(flow: SandboxFlow): Promise<boolean>
  /** Writes all but the account and the instant; harmless when the flow is gone. */
  change(flow: SandboxFlow): Promise<void>
  remove(flow: SandboxFlow): Promise<void>
}
