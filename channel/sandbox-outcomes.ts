/** The channel's errors that the sandbox can play, with the channel's HTTP status and wording. */
export const sandboxErrors: Readonly<
  Record<number, { httpStatus: number; title: string; details: string; subcode?: number }>
> = {
  100: { httpStatus: 400, title: 'Invalid parameter', details: 'A parameter is not valid.' },
  130429: {
    httpStatus: 400,
    title: 'Rate limit hit',
    details: 'Cloud API message throughput has been reached.',
  },
  130472: {
    httpStatus: 400,
    title: "User's number is part of an experiment",
    details: "Failed to send message because this user's phone number is part of an experiment.",
  },
  131000: {
    httpStatus: 500,
    title: 'Something went wrong',
    details: 'Message failed to send due to an unknown error.',
  },
  131008: {
    httpStatus: 400,
    title: 'Required parameter is missing',
    details: 'A required parameter is missing.',
  },
  131009: {
    httpStatus: 400,
    title: 'Parameter value is not valid',
    details: 'A parameter value is not valid.',
  },
  131026: {
    httpStatus: 400,
    title: 'Message undeliverable',
    details: 'Unable to deliver message.',
  },
  131047: {
    httpStatus: 400,
    title: 'Re-engagement message',
    details: 'More than 24 hours have passed since the customer last replied to this number.',
  },
  131048: {
    httpStatus: 400,
    title: 'Spam rate limit hit',
    details: 'There are restrictions on how many messages can be sent from this phone number.',
  },
  131049: {
    httpStatus: 400,
    title: 'This message was not delivered to maintain healthy ecosystem engagement.',
    details: 'The message was not delivered to maintain healthy ecosystem engagement.',
  },
  131050: {
    httpStatus: 400,
    title: 'User has stopped receipt of marketing messages',
    details: 'The recipient has chosen to stop receiving marketing messages from this business.',
  },
  131051: {
    httpStatus: 400,
    title: 'Unsupported message type',
    details: 'Message type is currently not supported.',
  },
  131053: {
    httpStatus: 400,
    title: 'Media upload error',
    details: 'Downloading media from weblink failed with http code 404, status message Not Found',
  },
  131056: {
    httpStatus: 400,
    title: '(Business Account, Consumer Account) pair rate limit hit',
    details: 'Too many messages were sent to this phone number in a short period of time.',
  },
  132018: {
    httpStatus: 400,
    title: 'Template parameter validation failed',
    details: 'A text parameter has new-line or tab characters or more than 4 consecutive spaces.',
  },
  190: {
    httpStatus: 401,
    title: 'Error validating access token: Session has expired.',
    details: '',
    subcode: 463,
  },
  139001: {
    httpStatus: 400,
    title: 'Flow cannot be updated',
    details: 'It is deprecated, or its JSON cannot be read.',
  },
  139002: {
    httpStatus: 400,
    title: 'Flow cannot be published',
    details: 'It is no draft, or its JSON is not valid.',
  },
  139003: { httpStatus: 400, title: 'Flow cannot be deprecated', details: 'It is not published.' },
  139004: { httpStatus: 400, title: 'Flow cannot be deleted', details: 'It is not a draft.' },
}

export type SandboxStatus = 'sent' | 'delivered' | 'read' | 'failed'

/** What happens to a message: the answer to the request, then its statuses in order. */
export type SandboxOutcome = {
  does: string
  answer: { kind: 'accepted' | 'cut' | 'slow' | 'gateway' } | { kind: 'error'; code: number }
  statuses: readonly SandboxStatus[]
  /** With `failed`. */
  errorCode?: number
  /** Each status twice, in reverse order. */
  scrambled?: true
  /** The first status arrives before the answer. */
  early?: true
  identity?: 'user_id_only' | 'other_wa_id'
}

const accepted = { kind: 'accepted' } as const
const usual = ['sent', 'delivered', 'read'] as const

function fails(errorCode: number, does: string): SandboxOutcome {
  return { does, answer: accepted, statuses: ['failed'], errorCode }
}

function refuses(code: number, does: string): SandboxOutcome {
  return { does, answer: { kind: 'error', code }, statuses: [] }
}

/** Any other number: taken, then sent, delivered and read. */
export const usualOutcome: SandboxOutcome = {
  does: 'Taken; then sent, delivered and read.',
  answer: accepted,
  statuses: usual,
}

/** The outcomes by the last four digits of the recipient's number. */
export const sandboxOutcomes: Readonly<Record<string, SandboxOutcome>> = {
  '0001': fails(131026, 'Taken, then fails: the number is not on WhatsApp.'),
  '0002': fails(131047, 'Taken, then fails: the 24-hour window is closed.'),
  '0003': fails(131049, 'Taken, then fails: the marketing limit of this customer.'),
  '0004': fails(131050, 'Taken, then fails: the customer has stopped marketing messages.'),
  '0005': fails(130472, 'Taken, then fails: the number is part of an experiment.'),
  '0006': fails(131048, "Taken, then fails: the sender's quality is too low."),
  '0007': fails(131053, 'Taken, then fails: the media could not be fetched.'),
  '0008': {
    does: 'Taken, sent and delivered, but never read.',
    answer: accepted,
    statuses: ['sent', 'delivered'],
  },
  '0009': {
    does: 'Taken, sent and read, without ever being reported as delivered.',
    answer: accepted,
    statuses: ['sent', 'read'],
  },
  '0010': {
    does: 'Taken; every callback comes twice, and in reverse order.',
    answer: accepted,
    statuses: usual,
    scrambled: true,
  },
  '0011': refuses(
    130429,
    'Refused each time: the throughput of the number is exhausted. A broadcast waits and tries again.',
  ),
  '0012': refuses(131056, 'Refused: too many messages to this customer.'),
  '0013': refuses(131000, 'Refused with HTTP 500: something went wrong.'),
  '0014': {
    does: 'Taken, but the connection is cut before the answer; only the callbacks tell.',
    answer: { kind: 'cut' },
    statuses: usual,
  },
  '0015': {
    does: 'Taken, with an answer after 5 seconds.',
    answer: { kind: 'slow' },
    statuses: usual,
  },
  '0016': refuses(190, 'Refused: the access token has expired.'),
  '0017': {
    does: 'HTTP 502 with a page of HTML; not taken, though the sender cannot know.',
    answer: { kind: 'gateway' },
    statuses: [],
  },
  '0018': {
    does: 'Taken; the first callback comes before the answer to the request.',
    answer: accepted,
    statuses: usual,
    early: true,
  },
  '0020': refuses(131026, 'Refused at once: the number is not on WhatsApp.'),
  '0021': {
    does: 'Taken; the customer is named by a user id only, never by a number.',
    answer: accepted,
    statuses: usual,
    identity: 'user_id_only',
  },
  '0022': {
    does: "Taken; the answer names a Mexican customer by the number's other form (52 or 521).",
    answer: accepted,
    statuses: usual,
    identity: 'other_wa_id',
  },
}

/** The outcome for a recipient; the usual one for a customer addressed by user id. */
export function outcomeFor(to: string | undefined): SandboxOutcome {
  const suffix = to?.replace(/\D/g, '').slice(-4) ?? ''
  const magic = Object.hasOwn(sandboxOutcomes, suffix) ? sandboxOutcomes[suffix] : undefined
  return magic ?? usualOutcome
}
