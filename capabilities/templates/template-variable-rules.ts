import type { Schema } from '../../core/contract.ts'
import type { RequestFault } from '../../core/errors.ts'

export type ParameterFormat = Schema<'TemplateParameterFormat'>

const BRACES = /\{\{([^{}]*)\}\}/g
const NUMBER = /^[1-9]\d{0,2}$/
const NAME = /^[a-z_][a-z0-9_]{0,63}$/

/** The variables of a text in order, with repetitions and malformed ones. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(BRACES)].map(([, inner]) => inner ?? '')
}

/** Faults of the variables of one text: spelling, numbering and repetition. */
export function variableFaults(
  path: string,
  text: string,
  format: ParameterFormat,
): RequestFault[] {
  const fault = (message: string): RequestFault[] => [{ path, message }]
  const isNamed = format === 'NAMED'
  const names = variablesIn(text)
  const odd = names.filter((name) => !(isNamed ? NAME : NUMBER).test(name))
  if (/\{\{|\}\}/.test(text.replace(BRACES, ''))) {
    return fault('holds double braces that are not a variable such as {{1}}')
  }
  if (odd.length > 0) {
    const form = isNamed
      ? 'up to 64 lower-case letters, digits and underscores, not beginning with a digit, as parameter_format is NAMED'
      : 'a number from 1 as parameter_format is POSITIONAL'
    return fault(`holds {{${odd[0]?.slice(0, 50)}}}, but a variable must be ${form}`)
  }
  const distinct = new Set(names)
  if (isNamed && distinct.size < names.length) return fault('names the same variable twice')
  const gap = [...distinct].findIndex((_, index) => !distinct.has(String(index + 1)))
  if (!isNamed && gap >= 0)
    return fault(`must number its variables from 1, but lacks {{${gap + 1}}}`)
  return []
}

/** The variables that need examples: numbers in their order, or names in the order of the text. */
export function distinctVariables(text: string, format: ParameterFormat): string[] {
  const distinct = [...new Set(variablesIn(text))]
  return format === 'NAMED' ? distinct : distinct.sort((a, b) => Number(a) - Number(b))
}

/** Faults of the examples of positional variables, one for each. */
export function positionalFaults(
  path: string,
  variables: string[],
  examples: string[] | undefined,
): RequestFault[] {
  const given = examples ?? []
  if (given.length !== variables.length) {
    return [{ path, message: `must hold ${countOf(variables.length)}, one for each variable` }]
  }
  const empty = given.findIndex((example) => example.trim() === '')
  return empty < 0 ? [] : [{ path: `${path}.${empty}`, message: 'must not be empty' }]
}

/** Faults of the examples of named variables, each named once. */
export function namedFaults(
  path: string,
  variables: string[],
  examples: Schema<'TemplateNamedExample'>[] | undefined,
): RequestFault[] {
  const given = examples ?? []
  const known = new Set(variables)
  const firsts = new Map(
    given.map(({ param_name: name }, index) => [name, index] as const).reverse(),
  )
  const missing = variables.filter((name) => !firsts.has(name))
  return [
    ...missing.map((name) => ({ path, message: `must hold an example for {{${name}}}` })),
    ...given.flatMap(({ param_name: name, example }, index) => {
      const at = `${path}.${index}`
      if (!known.has(name)) {
        return [{ path: `${at}.param_name`, message: 'names no variable of the text' }]
      }
      if (firsts.get(name) !== index) {
        return [{ path: `${at}.param_name`, message: 'is named twice' }]
      }
      return example.trim() === '' ? [{ path: `${at}.example`, message: 'must not be empty' }] : []
    }),
  ]
}

function countOf(examples: number): string {
  return examples === 1 ? 'exactly one example' : `exactly ${examples} examples`
}
