import type { SandboxFlow, SandboxFlowStore } from '../core/sandbox-store.ts'

/** A store in this process's memory. */
export function keepFlowsInMemory(): SandboxFlowStore {
  const kept = new Map<string, SandboxFlow>()
  const ofAccount = (id: string) => [...kept.values()].filter((one) => one.businessAccountId === id)
  return {
    find: (id) => Promise.resolve(kept.get(id) ?? null),
    list: (id) => Promise.resolve(ofAccount(id)),
    add: (flow) => {
      const isFree = !ofAccount(flow.businessAccountId).some(({ name }) => name === flow.name)
      if (isFree) kept.set(flow.id, flow)
      return Promise.resolve(isFree)
    },
    change: (flow) => {
      if (kept.has(flow.id)) kept.set(flow.id, flow)
      return Promise.resolve()
    },
    remove: ({ id }) => {
      kept.delete(id)
      return Promise.resolve()
    },
  }
}
