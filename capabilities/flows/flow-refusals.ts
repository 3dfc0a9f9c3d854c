import { ServiceError } from '../../core/errors.ts'
import type { ChannelError } from '../../core/ports.ts'
import { upstreamRefusal, wordsOf } from '../channel-accounts/channel-answers.ts'
import type { FlowFault } from '../../flows/faults.ts'

/** Of all that the channel calls an invalid parameter, its reference tells this apart by its title. */
const NAME_TAKEN = { code: 100, title: /name is not unique/i }

/** The 400 of a name that another flow has. */
export function nameTaken(name: string): ServiceError {
  return new ServiceError(
    'invalid_request',
    `There is already a flow ${name}; choose another name.`,
    {
      details: { errors: [{ path: 'name', message: 'is the name of another flow' }] },
    },
  )
}

/** The 400 of a definition that breaks the channel's rules, with every fault and where it is. */
export function brokenDefinition(faults: FlowFault[], path: string): ServiceError {
  const [first] = faults
  const problem = `The definition breaks the rules of flows: ${first?.pointer} ${first?.message}.`
  const errors = faults.map(({ error, pointer, message }) => ({ path, pointer, message, error }))
  return new ServiceError('invalid_request', problem, { details: { errors } })
}

/**
 * Why the channel did not do what was asked of a flow: `upstream_auth_error` or `upstream_error`, whose
 * `outcome` is `unknown` when it may have been done.
 */
export function flowRefusal(error: ChannelError, name?: string): ServiceError {
  const isTaken = error.code === NAME_TAKEN.code && NAME_TAKEN.title.test(wordsOf(error))
  return isTaken && name !== undefined ? nameTaken(name) : upstreamRefusal(error)
}
