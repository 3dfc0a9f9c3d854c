import type { Handlers } from '../core/handlers.ts'
import { codeHandlers } from './code.ts'
import { broadcastHandlers } from './broadcasts.ts'
import { contactHandlers } from './contacts.ts'
import { conversationHandlers } from './conversations.ts'
import { credentialHandlers } from './credential.ts'
import { flowHandlers } from './flows.ts'
import { mediaHandlers } from './media.ts'
import { messageHandlers } from './messages.ts'
import { segmentHandlers } from './segments.ts'
import { tableHandlers } from './tables.ts'
import { webhookHandlers } from './webhooks.ts'
import { templateHandlers } from './templates.ts'

/** Every operation's handler; leaving one out, or adding one, does not compile. */
export const handlers: Handlers = {
  ...credentialHandlers,
  ...messageHandlers,
  ...conversationHandlers,
  ...contactHandlers,
  ...tableHandlers,
  ...webhookHandlers,
  ...flowHandlers,
  ...mediaHandlers,
  ...templateHandlers,
  ...codeHandlers,
  ...segmentHandlers,
  ...broadcastHandlers,
}
