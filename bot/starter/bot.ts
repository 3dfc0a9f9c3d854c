// Your bot. Change anything; README.md beside this file explains how to test and deploy it.
import type { BotContext } from './lib/bot.ts'
import { buttons, choiceOf, text } from './lib/messages.ts'

const HOURS = 'We are open Monday to Friday, 9:00 to 18:00.'

/** Answers each message of a customer. */
export async function onMessage(ctx: BotContext): Promise<void> {
  // Somebody of the team has taken over: the bot stays silent until the state is changed.
  if (ctx.conversation.state === 'handover') return

  const choice = choiceOf(ctx)
  if (choice.includes('hour') || choice.includes('open')) {
    await ctx.send(text(HOURS))
  } else if (choice.includes('person') || choice.includes('human')) {
    await ctx.setState('handover')
    await ctx.send(text('Thank you. Somebody of our team will answer you here.'))
  } else {
    const name = ctx.contact.name ?? 'there'
    const welcome = `Hello ${name}! How can we help?`
    await ctx.send(buttons(welcome, ['Opening hours', 'Talk to a person']))
  }
}
