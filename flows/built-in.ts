import { flowFaults } from './definition.ts'
import { isWhole } from './edits/changes.ts'
import { editForm } from './edits/edits.ts'
import { buildDefinition } from './forms/builder.ts'
import { recoverForm } from './forms/recovery.ts'
import { readForm } from './prompts/reader.ts'
import type { Raw } from './rules/faults.ts'

/** The flow that a prompt describes, or the reason why there is none. Calls nothing outside this process. */
export function generateByRules(name: string, prompt: string): Raw | string {
  const form = readForm(name, prompt)
  return typeof form === 'string' ? form : checked(buildDefinition(form))
}

/** The flow after the changes that an instruction asks for, or the reason why it was not changed. */
export function updateByRules(definition: unknown, instruction: string): Raw | string {
  const form = recoverForm(definition)
  if (!form) return 'only flows that were generated here can be changed by an instruction'
  const edited = editForm(form, instruction)
  if (!edited) return 'the instruction was not understood, or names a field that is not there'
  if (!isWhole(edited)) return 'it would leave too little of the form, or more than a form can have'
  return checked(buildDefinition(edited))
}

function checked(definition: Raw): Raw | string {
  const [fault] = flowFaults(definition)
  return fault
    ? `the flow would break the channel's rules: ${fault.pointer} ${fault.message}`
    : definition
}
