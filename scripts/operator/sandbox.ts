import * as channelAccounts from '../../capabilities/channel-accounts/channel-accounts.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import * as sandboxTemplates from '../../capabilities/templates/sandbox-templates.ts'
import * as serverAddress from '../../capabilities/channel-accounts/server-address.ts'
import {
  flowReply,
  inboundCallback,
  newWamid,
  postCallback,
  type SandboxAccount,
  type SandboxCustomer,
  statusCallback,
  templateStatusCallback,
} from '../../channel/sandbox-callbacks.ts'
import type { Context } from '../../core/context.ts'
import { isRecord, parseJson } from '../../core/json-values.ts'
import { normalisePhone } from '../../core/phone.ts'
import { command, type Noun } from './command.ts'
import { name, oneOf, optional, required, text, wholeNumber } from './flags.ts'
import { messageWithFile } from './sandbox-file.ts'

type Message = { type: string } & Record<string, unknown>

const STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'] as const
const TEMPLATE_STATUSES = [
  'APPROVED',
  'REJECTED',
  'PENDING',
  'PAUSED',
  'DISABLED',
  'DELETED',
] as const
const project = required('ID', 'a project on the sandbox', text)

export const sandbox: Noun = {
  says: 'The channel sandbox: lets it call back as the channel would',
  verbs: {
    inbound: command({
      says: 'Lets a customer write in.',
      flags: {
        project,
        from: required('PHONE', "the customer's number", phone),
        text: optional('T', 'what they write, also under a file', text),
        file: optional('PATH', 'a picture, video, sound or document that they send', text),
        json: optional('MESSAGE', "the channel's own object, from its type on", message),
        'flow-reply': optional('JSON', 'what they filled in in a flow, as an object', answers),
        'reply-to': optional('W', 'the message that they answer', text),
        name: optional('N', 'what the customer calls themselves', name),
      },
      check: (flags) => {
        const isWritten = flags.text !== undefined || flags.file !== undefined
        const others = [flags.json, flags['flow-reply']].filter((one) => one !== undefined)
        if (others.length + (isWritten ? 1 : 0) !== 1) {
          throw new Error('Give either --text, --file or both, or --json, or --flow-reply.')
        }
      },
      run: async (ctx, flags) => {
        const account = await accountOf(ctx, flags.project)
        const replied = flags['flow-reply'] && flowReply(flags['flow-reply'])
        const sent = flags.json ?? replied ?? (await written(ctx, account.phoneNumberId, flags))
        const context =
          flags['reply-to'] === undefined ? {} : { context: { id: flags['reply-to'] } }
        const message = { ...sent, ...context }
        const wamid = typeof sent.id === 'string' ? sent.id : newWamid(flags.from)
        const called = flags.name === undefined ? {} : { name: flags.name }
        const from = { phone: flags.from, ...called }
        await deliver(account, inboundCallback({ account, from, message, wamid, at: ctx.now() }))
        return { delivered: true, wamid }
      },
    }),
    status: command({
      says: 'Reports what became of a message that was sent.',
      flags: {
        project,
        wamid: required('W', 'the message', text),
        status: required('S', STATUSES.join(', '), oneOf(...STATUSES)),
        'error-code': optional('N', 'why, with failed; 131026 when left out', wholeNumber(0)),
      },
      check: (flags) => {
        if (flags['error-code'] !== undefined && flags.status !== 'failed') {
          throw new Error('--error-code goes with --status failed only.')
        }
      },
      run: async (ctx, { wamid, status, ...flags }) => {
        const account = await accountOf(ctx, flags.project)
        const to = await recipientOf(ctx, account.projectId, wamid)
        const code = flags['error-code']
        const callback = statusCallback({
          account,
          wamid,
          to,
          at: ctx.now(),
          status: status === 'played' ? 'read' : status,
          ...(code === undefined ? {} : { errorCode: code }),
        })
        await deliver(account, status === 'played' ? asPlayed(callback) : callback)
        return { delivered: true, wamid }
      },
    }),
    template: command({
      says: 'Moves a template, as the review of the channel does.',
      flags: {
        project,
        name: required('N', 'the template', text),
        language: required('L', 'its language', text),
        status: required('S', TEMPLATE_STATUSES.join(', '), oneOf(...TEMPLATE_STATUSES)),
      },
      run: async (ctx, { name: template, language, status, ...flags }) => {
        const account = await accountOf(ctx, flags.project)
        const meant = { name: template, language, status }
        const moved = await sandboxTemplates.move(ctx, account, meant)
        if (!moved) throw new Error(`There is no template ${template} in ${language}.`)
        const { id: templateId, category } = moved
        const at = ctx.now()
        await deliver(
          account,
          templateStatusCallback({ account, templateId, category, at, ...meant }),
        )
        return { delivered: true, template_id: templateId, status }
      },
    }),
  },
}

async function written(
  ctx: Context,
  phoneNumberId: string,
  { file, text }: { file: string | undefined; text: string | undefined },
): Promise<Message> {
  if (file === undefined) return { type: 'text', text: { body: text } }
  return messageWithFile(ctx, phoneNumberId, { file, caption: text })
}

function phone(given: string): string {
  const normal = normalisePhone(given)
  if (normal === null) throw new Error('a phone number such as +15550001234')
  return normal
}

function message(given: string): Message {
  const value = parseJson(given)
  if (isMessage(value)) return value
  throw new Error(`an object such as '{"type":"text","text":{"body":"Hi"}}'`)
}

function answers(given: string): Record<string, unknown> {
  const value = parseJson(given)
  if (isRecord(value)) return value
  throw new Error(`an object such as '{"rating":"5","flow_token":"survey-77"}'`)
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && typeof value.type === 'string'
}

/** The sandbox account of a project, and where the server that runs now takes its callbacks. */
async function accountOf(
  ctx: Context,
  id: string,
): Promise<SandboxAccount & { projectId: string }> {
  const projectId = await projects.resolveId(ctx, id)
  const account = await channelAccounts.find(ctx, projectId)
  if (!account?.isSandbox) {
    throw new Error(`Project ${projectId} is connected to a real channel, not to the sandbox.`)
  }
  const server = await serverAddress.last(ctx)
  if (server === null) {
    throw new Error('No server has run on this database yet; start one with npm start.')
  }
  return { ...account, callbackUrl: channelAccounts.callbackUrlAt(server, projectId) }
}

async function recipientOf(
  ctx: Context,
  projectId: string,
  wamid: string,
): Promise<SandboxCustomer> {
  const found = await ctx.db.message.findUnique({
    where: { projectId_wamid: { projectId, wamid }, direction: 'outbound' },
    select: { conversation: { select: { contact: { select: { phone: true, userId: true } } } } },
  })
  if (!found) throw new Error(`Project ${projectId} has sent no message ${wamid}.`)
  const { phone, userId } = found.conversation.contact
  return { ...(phone ? { phone } : {}), ...(userId ? { userId } : {}) }
}

/** A voice message that was played: the channel reports it as a status of its own beside read. */
function asPlayed(callback: unknown): unknown {
  const rename = (key: string, value: unknown) => (key === 'status' ? 'played' : value)
  return JSON.parse(JSON.stringify(callback, rename))
}

async function deliver(account: SandboxAccount, callback: unknown): Promise<void> {
  const { origin } = new URL(account.callbackUrl)
  const { status } = await postCallback(account, callback).catch((cause: unknown) => {
    throw new Error(`No server answers at ${origin}; start one with npm start.`, { cause })
  })
  if (status !== 200) {
    throw new Error(`The server at ${origin} refused the callback with status ${status}.`)
  }
}
