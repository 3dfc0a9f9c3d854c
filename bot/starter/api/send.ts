// Where messages leave; kept by the platform. `ctx.send` and `POST /v1/messages` go the same way.
import type { BotContext } from '../lib/bot.ts'

export type Send = BotContext['send']
