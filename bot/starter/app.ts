// The entry point; kept by the platform. It passes on the handlers of bot.ts, and nothing else is called.
import * as bot from './bot.ts'
import type { Handlers } from './lib/bot.ts'

export const { onMessage, onStatus, onFlowReply }: Partial<Handlers> = bot
