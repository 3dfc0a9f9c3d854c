import type { SandboxTemplate, SandboxTemplateStore } from '../core/sandbox-store.ts'

/** A store in this process's memory. */
export function keepTemplatesInMemory(): SandboxTemplateStore {
  const kept = new Map<string, SandboxTemplate>()
  const keyOf = ({ businessAccountId, name, language }: SandboxTemplate) =>
    JSON.stringify([businessAccountId, name, language])
  return {
    list: (id) => Promise.resolve([...kept.values()].filter((one) => one.businessAccountId === id)),
    add: (template) => {
      const key = keyOf(template)
      const isFree = !kept.has(key)
      if (isFree) kept.set(key, template)
      return Promise.resolve(isFree)
    },
    change: (template) => {
      const key = keyOf(template)
      if (kept.get(key)?.id === template.id) kept.set(key, template)
      return Promise.resolve()
    },
    remove: (template) => {
      const key = keyOf(template)
      if (kept.get(key)?.id === template.id) kept.delete(key)
      return Promise.resolve()
    },
  }
}
