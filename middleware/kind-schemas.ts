import type { ContractDocument } from '../core/contract.ts'

/**
 * A copy of the contract for the validator, in which unions by a discriminator are written as conditions: for a
 * union, the validator stops at the first fault of the kind that the discriminator selects. Such unions are
 * schemas of their own, whose names they are known by.
 */
export function withKindsAsConditions(document: ContractDocument): ContractDocument {
  const copy = structuredClone(document)
  for (const schema of Object.values(copy.components.schemas)) {
    const { discriminator } = schema
    if (!discriminator) continue
    const { propertyName: member, mapping = {} } = discriminator
    delete schema.discriminator
    delete schema.oneOf
    const required = [member]
    const allOf = Object.entries(mapping).map(([kind, $ref]) => {
      return { if: { required, properties: { [member]: { const: kind } } }, then: { $ref } }
    })
    const properties = { [member]: { enum: Object.keys(mapping) } }
    Object.assign(schema, { type: 'object', required, properties, allOf })
  }
  return copy
}
