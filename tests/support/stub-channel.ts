import { randomUUID } from 'node:crypto'
import type { ChannelError } from '../../core/channel-account.ts'
import type { Channel, ChannelSend, SendOutcome } from '../../core/ports.ts'
import { gate } from './gate.ts'

/** A channel in this very process: it takes everything at once, unless told, and reports nothing. */
export function createStubChannel() {
  const sends: ChannelSend[] = []
  const accept = (): SendOutcome => ({
    outcome: 'accepted',
    wamid: `wamid.${randomUUID()}`,
    waId: null,
    userId: null,
  })
  let answer: (request: ChannelSend) => SendOutcome | Promise<SendOutcome> = accept
  const error: ChannelError = {
    kind: 'transient',
    code: 131000,
    subcode: null,
    title: 'Something went wrong',
    details: null,
    httpStatus: 500,
    traceId: null,
    retryable: true,
  }
  const refuse = () => Promise.resolve({ ok: false as const, error })
  const channel: Channel = {
    createTemplate: refuse,
    listTemplates: refuse,
    deleteTemplate: refuse,
    uploadMedia: refuse,
    findMedia: refuse,
    openMedia: refuse,
    deleteMedia: refuse,
    uploadSample: refuse,
    createFlow: refuse,
    listFlows: refuse,
    findFlow: refuse,
    readFlow: refuse,
    uploadFlow: refuse,
    renameFlow: refuse,
    publishFlow: refuse,
    listNumbers: refuse,
    listSubscribedApps: refuse,
    subscribeApp: refuse,
    inspectToken: refuse,
    close: async () => {},
    async send(_account, request) {
      sends.push(request)
      return answer(request)
    },
  }
  return {
    channel,
    sends,
    /** What becomes of the sends from now on. */
    become(outcome: SendOutcome['outcome']) {
      answer = outcome === 'accepted' ? accept : () => ({ outcome, error })
    },
    /** Has sends wait: `arrival` resolves when one does, and `open` has the channel take them. */
    hold() {
      const [arrival, departure] = [gate<void>(), gate<null>()]
      answer = async () => {
        arrival.open()
        await departure.opened
        return accept()
      }
      return { arrival: arrival.opened, open: () => departure.open(null) }
    },
    /** Answers each send on its own; null takes it. */
    answerEach(by: (request: ChannelSend) => SendOutcome | null | Promise<SendOutcome | null>) {
      answer = async (request) => (await by(request)) ?? accept()
    },
  }
}

/** A refusal of the channel as a send hears it. */
export function refusal(
  kind: ChannelError['kind'],
  code: number | null,
  title = 'Refused',
): Extract<SendOutcome, { outcome: 'refused' }> {
  const error = { kind, code, subcode: null, title, details: null, httpStatus: 400, traceId: null }
  return { outcome: 'refused', error: { ...error, retryable: false } }
}
