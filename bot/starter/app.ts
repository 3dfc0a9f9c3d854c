// The entry point, kept by the platform. It hands on what bot.ts exports, and nothing else is called.
import * as bot from './bot.ts'
import type { Handlers } from './lib/bot.ts'

export const { onMessage, onStatus, onFlowReply }: Partial<Handlers> = bot
