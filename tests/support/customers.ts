import type { TestProject, TestService } from './service.ts'

/** Lets a customer write in; answers with what it takes to write back and to see what came of it. */
export async function customerOf(service: TestService, project: TestProject, phone: string) {
  const { id } = await service.customer(project, { phone })
  const { client } = project
  return {
    id,
    body: { type: 'text' as const, phone, content: 'Hello' },
    /** The messages that were sent to him, newest first. */
    async outbound() {
      const { messages } = await client.ok('listConversationMessages', { path: { id } })
      return messages.filter(({ direction }) => direction === 'outbound')
    },
    async conversation() {
      return (await client.ok('getConversation', { path: { id } })).conversation
    },
  }
}
