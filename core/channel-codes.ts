/** Codes of the channel's errors that the service reacts to; `channel/errors.ts` classifies all codes. */
export const CHANNEL_CODES = {
  /** The customer has received as much marketing as the channel allows; a follow-up tries again later. */
  marketingLimit: 131049,
  /** The customer wants no marketing. */
  marketingStopped: 131050,
  /** The template itself is at fault, not a recipient's values. */
  noSuchTemplate: 132001,
  /** The template has more or fewer parameters at the channel than here. */
  parametersDiffer: 132000,
  /** A parameter is wrong; the subcode tells which. */
  invalidParameter: 100,
  /** The object in the path does not exist; also a subcode of `invalidParameter`. */
  noSuchObject: 33,
} as const
