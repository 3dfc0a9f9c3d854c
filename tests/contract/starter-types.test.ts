import { expect, it } from '@jest/globals'
import type {
  Contact,
  Conversation,
  Handlers,
  Message,
  Outgoing,
} from '../../bot/starter/lib/bot.ts'
import * as starter from '../../bot/starter/bot.ts'
import { list, text } from '../../bot/starter/lib/messages.ts'
import { BOT_HANDLERS } from '../../core/bots.ts'
import type { Schema } from '../../core/contract.ts'

type Both<Ours, Theirs> = [Ours] extends [Theirs] ? ([Theirs] extends [Ours] ? true : false) : false
type Body = Schema<'SendMessageRequest'>

// What a bot's author reads is what the contract says: each line compiles only while that is so, and
// `npm run typecheck` fails as soon as it no longer is.
const same: [
  Both<Message, Schema<'Message'>>,
  Both<Conversation, Schema<'Conversation'>>,
  Both<Contact, Schema<'Contact'>>,
] = [true, true, true]
const sendable: Outgoing extends Body ? true : false = true
const handlers: Record<keyof Handlers, true> = {
  onMessage: true,
  onStatus: true,
  onFlowReply: true,
}

it('the types of the starter are those of the contract, and its handlers those that are called', () => {
  expect([same, sendable]).toEqual([[true, true, true], true])
  expect(Object.keys(handlers)).toEqual([...BOT_HANDLERS])
  expect(Object.keys(starter)).toEqual(['onMessage'])
})

it('its short messages are bodies of the contract', () => {
  const messages: Outgoing[] = [text('Hello'), list('Which?', 'Show', [{ id: '1', title: 'One' }])]
  expect(messages).toEqual([
    { type: 'text', content: 'Hello', preview_url: false },
    {
      type: 'list',
      content: 'Which?',
      button_text: 'Show',
      sections: [{ rows: [{ id: '1', title: 'One' }] }],
    },
  ])
})
