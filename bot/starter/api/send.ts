// Where messages leave, kept by the platform: `ctx.send` and `POST /v1/messages` end in the same place.
import type { BotContext } from '../lib/bot.ts'

export type Send = BotContext['send']
