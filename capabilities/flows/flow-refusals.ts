import type { ChannelError } from '../../core/channel-account.ts'
import { CHANNEL_CODES } from '../../core/channel-codes.ts'
import { ServiceError } from '../../core/errors.ts'
import type { FlowFault } from '../../flows/rules/faults.ts'
import { upstreamRefusal, wordsOf } from '../channel-accounts/channel-answers.ts'

/**
 * The channel uses this code for any invalid parameter; its reference tells a taken name apart by the title.
 */
const NAME_TAKEN = { code: CHANNEL_CODES.invalidParameter, title: /name is not unique/i }

/** The 400 for a name that another flow has. */
export function nameTaken(name: string): ServiceError {
  return new ServiceError(
    'invalid_request',
    `There is already a flow ${name}; choose another name.`,
    {
      details: { errors: [{ path: 'name', message: 'is the name of another flow' }] },
    },
  )
}

/** The 400 for a definition that breaks the channel's rules, with every fault and its place. */
export function brokenDefinition(faults: FlowFault[], path: string): ServiceError {
  const [first] = faults
  const problem = `The definition breaks the rules of flows: ${first?.pointer} ${first?.message}.`
  const errors = faults.map(({ error, pointer, message }) => ({ path, pointer, message, error }))
  return new ServiceError('invalid_request', problem, { details: { errors } })
}

/**
 * The error for what the channel refused to do with a flow: `upstream_auth_error` or `upstream_error`, whose
 * `outcome` is `unknown` when it may have been done.
 */
export function flowRefusal(error: ChannelError, name?: string): ServiceError {
  const isTaken = error.code === NAME_TAKEN.code && NAME_TAKEN.title.test(wordsOf(error))
  return isTaken && name !== undefined ? nameTaken(name) : upstreamRefusal(error)
}
