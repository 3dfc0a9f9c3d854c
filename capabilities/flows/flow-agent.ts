import type { FlowDefinition } from '../../core/channel-flows.ts'
import type { Context } from '../../core/context.ts'
import { parseJson } from '../../core/json-values.ts'
import type { ChatModel } from '../../core/ports.ts'
import { generateByRules, updateByRules } from '../../flows/built-in.ts'
import { flowFaults } from '../../flows/definition.ts'
import { GENERATE, UPDATE } from '../../flows/instructions.ts'

/** Builds flow definitions that keep the channel's rules, or answers with a sentence why it cannot. */
export type FlowAgent = {
  generate(request: { name: string; prompt: string }): Promise<FlowDefinition | string>
  update(request: {
    definition: FlowDefinition
    instruction: string
  }): Promise<FlowDefinition | string>
}

/** The agent of the settings: a model at an address, or the built-in rules. */
export function agentOf({ chat, config }: Pick<Context, 'chat' | 'config'>): FlowAgent {
  if (!chat) return builtIn
  const ask = (system: string, request: object) =>
    converse(chat, system, JSON.stringify(request), config.agentTimeoutMs)
  return {
    generate: (request) => ask(GENERATE, request),
    update: (request) => ask(UPDATE, request),
  }
}

const builtIn: FlowAgent = {
  generate: ({ name, prompt }) => Promise.resolve(generateByRules(name, prompt)),
  update: ({ definition, instruction }) => Promise.resolve(updateByRules(definition, instruction)),
}

const ATTEMPTS = 2

/** Asks the model for a definition, and a second time with the faults if it has any, within one deadline. */
async function converse(
  chat: ChatModel,
  system: string,
  request: string,
  timeoutMs: number,
): Promise<FlowDefinition | string> {
  const deadline = performance.now() + timeoutMs
  const messages: Parameters<ChatModel['complete']>[0] = [
    { role: 'system', content: system },
    { role: 'user', content: request },
  ]
  let problem = ''
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await chat.complete(messages, deadline)
    if (!answer.ok) return answer.reason
    const definition = definitionIn(answer.text)
    const faults = flowFaults(definition)
    if (faults.length === 0) return definition as FlowDefinition
    const told = faults.map(({ pointer, message }) => ({ pointer, message }))
    problem = `its flow breaks the rules: ${told[0]?.pointer} ${told[0]?.message}`
    const again = `That is no valid flow. Answer with the whole JSON again, without these faults: ${JSON.stringify(told)}`
    messages.push({ role: 'assistant', content: answer.text }, { role: 'user', content: again })
  }
  return problem
}

/** The JSON in an answer, which models often wrap in prose and code fences. */
function definitionIn(text: string): unknown {
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')]
  return parseJson(text.slice(Math.max(0, first), last + 1)) ?? null
}
