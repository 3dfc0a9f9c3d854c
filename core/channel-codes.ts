/** Codes of the channel's errors by which the service acts; what kind each is, says `channel/errors.ts`. */
export const CHANNEL_CODES = {
  /** One customer has had his share of marketing: the failure that a follow-up tries again. */
  marketingLimit: 131049,
  /** The customer wants no marketing. */
  marketingStopped: 131050,
  /** The template itself, not what a recipient's values made of it. */
  noSuchTemplate: 132001,
  /** It takes more parameters there than it does here, or fewer. */
  parametersDiffer: 132000,
  /** Something is wrong with what was asked for; what it is, the subcode says. */
  invalidParameter: 100,
  /** What the path of a request names; also the subcode of `invalidParameter`. */
  noSuchObject: 33,
} as const
