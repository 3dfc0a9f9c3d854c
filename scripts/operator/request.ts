import { types } from 'node:util'
import type { Noun, Work } from './command.ts'
import { helpOf, helpOfNoun, helpOfVerb, usageOf } from './help.ts'
import { asksForHelp, takeJson } from './parse.ts'
import { suggest } from './suggest.ts'

/** What a command line asks for, once it is understood. */
export type Request =
  | { kind: 'help'; text: string }
  | { kind: 'mistake'; text: string }
  | { kind: 'work'; work: Work; asJson: boolean; takesAnyKey: boolean }

/** Reads a command line against the table of nouns; opens nothing and never throws. */
export function readRequest(argv: string[], nouns: Record<string, Noun>): Request {
  const [noun = '', verb = '', ...args] = argv
  if (asksForHelp([noun])) return { kind: 'help', text: helpOf(nouns) }
  const found = Object.hasOwn(nouns, noun) ? nouns[noun] : undefined
  if (!found) return mistake('noun', noun, Object.keys(nouns), '<noun> <verb> [--flag value]...')

  if (asksForHelp([verb])) return { kind: 'help', text: helpOfNoun(noun, found) }
  const command = Object.hasOwn(found.verbs, verb) ? found.verbs[verb] : undefined
  if (!command) {
    return mistake('verb', verb, Object.keys(found.verbs), `${noun} <verb> [--flag value]...`)
  }

  const words = `${noun} ${verb}`
  if (asksForHelp(args)) return { kind: 'help', text: helpOfVerb(words, command) }
  const { asJson, rest } = takeJson(args, command)
  try {
    const { takesAnyKey } = command
    return { kind: 'work', work: command.prepare(rest), asJson, takesAnyKey }
  } catch (error) {
    if (!types.isNativeError(error)) throw error
    return { kind: 'mistake', text: `${error.message}\n${usageOf(words, command)}` }
  }
}

function mistake(what: string, typed: string, known: string[], usage: string): Request {
  const isMissing = typed === '' || typed.startsWith('-')
  const sentence = isMissing
    ? `Name a ${what}: ${known.join(', ')}.`
    : `There is no ${what} "${typed}".${suggest(typed, known) || ` Known: ${known.join(', ')}.`}`
  const line = usageOf(usage, { operand: null, flags: {} })
  return { kind: 'mistake', text: `${sentence}\n${line}` }
}
