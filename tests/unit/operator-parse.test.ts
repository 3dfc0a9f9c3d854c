import { describe, expect, it } from '@jest/globals'
import type { Context } from '../../core/context.ts'
import { command, type Io } from '../../scripts/operator/command.ts'
import {
  grant,
  name,
  oneOf,
  optional,
  pasted,
  repeated,
  required,
  scopes,
  text,
  toggle,
  wholeNumber,
} from '../../scripts/operator/flags.ts'
import { NOUNS } from '../../scripts/operator/nouns.ts'
import { asJson, asJsonLine, asSentence, asText } from '../../scripts/operator/print.ts'
import { readRequest } from '../../scripts/operator/request.ts'
import { operate } from '../support/operator.ts'

const echo = command({
  says: 'Echoes.',
  operand: 'ID',
  flags: {
    name: required('N', 'a name', text),
    count: optional('N', 'a number', wholeNumber(0)),
    item: repeated('X', 'an item', text),
    kind: optional('K', 'a kind', oneOf('plain', 'fancy')),
    loud: toggle('says it loudly'),
  },
  run: async (_, flags, operand) => ({ flags, operand }),
})
const message = command({
  says: 'Has a --json of its own.',
  flags: { json: required('MESSAGE', 'an object', text) },
  run: async (_, flags) => flags,
})
const nouns = { thing: { says: 'Things', verbs: { echo, message } } }

async function run(...argv: string[]) {
  const request = readRequest(argv, nouns)
  if (request.kind !== 'work') return request.text
  return { ...(await request.work({} as Context, {} as Io, '')), asJson: request.asJson }
}

function refusalOf(...argv: string[]): string[] {
  const request = readRequest(argv, NOUNS)
  expect(request.kind).toBe('mistake')
  return request.kind === 'mistake' ? request.text.split('\n') : []
}

describe('a command line', () => {
  it('is read with its operand anywhere and its flags in both spellings', async () => {
    const flags = { name: 'a', count: 7, item: ['x', 'y=z'], kind: 'fancy', loud: true }
    const given = ['--name', 'a', '--count=7', '--item=x', 'id1', '--item=y=z', '--kind', 'fancy']
    expect(await run('thing', 'echo', ...given, '--loud')).toEqual({
      flags,
      operand: 'id1',
      asJson: false,
    })
  })

  it('leaves out what is not given', async () => {
    const flags = { name: 'a', count: undefined, item: [], kind: undefined, loud: false }
    expect(await run('thing', 'echo', 'id1', '--name=a')).toEqual({
      flags,
      operand: 'id1',
      asJson: false,
    })
  })

  it('takes a value that looks like a flag only with an equals sign', async () => {
    const answer = await run('thing', 'echo', 'id1', '--name=--loud')
    expect(answer).toMatchObject({ flags: { name: '--loud', loud: false } })
    expect(await run('thing', 'echo', 'id1', '--name', '--loud')).toMatch(
      /^--name has no value; if "--loud" is meant, write --name=--loud\.\nUsage: .* thing echo ID/,
    )
  })

  it('takes what stands behind two dashes as it is', async () => {
    expect(await run('thing', 'echo', '--name=a', '--', '--json')).toMatchObject({
      operand: '--json',
      asJson: false,
    })
  })

  it('asks for JSON with --json, unless the verb has a --json with a value', async () => {
    expect(await run('thing', 'echo', 'id1', '--json', '--name=a')).toMatchObject({ asJson: true })
    expect(await run('thing', 'message', '--json', '{}')).toEqual({ json: '{}', asJson: false })
    expect(await run('thing', 'message', '--json={}')).toEqual({ json: '{}', asJson: false })
  })

  it('asks for JSON with a --json that no value follows, whatever the verb', async () => {
    const answer = { json: '{}', asJson: true }
    expect(await run('thing', 'message', '--json', '{}', '--json')).toEqual(answer)
    expect(await run('thing', 'message', '--json', '--json', '{}')).toEqual(answer)
  })
})

/** All that a channel's account needs. */
const accountFlags = Object.entries(NOUNS.channel?.verbs.connect?.flags ?? {})
  .filter(([, { isRequired }]) => isRequired)
  .map(([name]) => `--${name}=x`)
const everyNoun = Object.keys(NOUNS).join(', ')

describe('a mistake', () => {
  it.each([
    [[], `Name a noun: ${everyNoun}.`],
    [['--json'], `Name a noun: ${everyNoun}.`],
    [['porject', 'list'], 'There is no noun "porject". Did you mean project?'],
    [['toString'], /^There is no noun "toString"\. Known: project, /],
    [['channel'], 'Name a verb: connect, update, subscribe, check.'],
    [['key', 'rotat'], 'There is no verb "rotat". Did you mean rotate?'],
    [['key', 'constructor'], /^There is no verb "constructor"\. Known: create, /],
    [
      ['project', 'create', '--name', 'N', '--qouta', '1'],
      'There is no flag --qouta. Did you mean --quota?',
    ],
    [['project', 'create', '-n', 'N'], 'There is no flag -n.'],
    [['project', 'create'], '--name is missing.'],
    [['project', 'create', '--name'], '--name has no value.'],
    [['project', 'create', '--name='], '--name is "", but must be a text.'],
    [
      ['project', 'create', '--name', 'a\nb'],
      '--name is "a b", but must be one line of at most 200 characters.',
    ],
    [['project', 'create', '--name', 'a', '--name=b'], '--name is given twice.'],
    [['project', 'create', 'extra', '--name', 'a'], '"extra" is not expected here.'],
    [['project', 'pause'], 'The ID is missing.'],
    [['project', 'pause', ''], 'The ID is missing.'],
    [['project', 'pause', ' '], 'The ID is missing.'],
    [['project', 'list', '--constructor'], 'There is no flag --constructor.'],
    [['project', 'pause', 'a', 'b'], '"b" is not expected here.'],
    [['project', 'update', 'a'], 'Give at least one of --name, --quota and --credits.'],
    [['key', 'create', '--test=yes'], '--test takes no value.'],
    [['connection', 'attach', 'id'], '--grant is missing.'],
    [
      ['connection', 'create', '--name=N', '--grant', 'shop'],
      '--grant is "shop", but must be PROJECT=scope,scope.',
    ],
    [
      ['connection', 'create', '--name=N', '--grant', 'shop=us=media:read'],
      /^Unknown scope us=media:read\. /,
    ],
    [
      ['channel', 'connect', '--api-url=ftp://graph.example', ...accountFlags],
      '--api-url is "ftp://graph.example", but must be a URL that starts with https://.',
    ],
    [
      ['channel', 'connect', '--api-url=https://graph.example/?x=1', ...accountFlags],
      '--api-url is "https://graph.example/?x=1", but must be a URL without a query and without a #.',
    ],
    [
      ['connection', 'create', '--name=N', '--expires-in', '0'],
      /^--expires-in is "0", but must be a whole/,
    ],
    [
      ['sandbox', 'inbound', '--project=p', '--from=+15550001234'],
      'Give either --text, --file or both, or --json, or --flow-reply.',
    ],
    [
      ['sandbox', 'inbound', '--project=p', '--from=12', '--text=x'],
      /^--from is "12", but must be a phone number/,
    ],
    [
      ['sandbox', 'inbound', '--project=p', '--from=+15550001234', '--json=[1]'],
      /^--json is "\[1\]", but must be an object/,
    ],
    [
      ['sandbox', 'inbound', '--project=p', '--from=+15550001234', '--json'],
      'Give either --text, --file or both, or --json, or --flow-reply.',
    ],
    [
      ['bot', 'logs', '--project=p', '--limit=1001'],
      '--limit is "1001", but must be a whole number from 1 to 1000.',
    ],
    [
      ['sandbox', 'status', '--project=p', '--wamid=w', '--status=lost'],
      /must be one of sent, delivered, read, played, failed\.$/,
    ],
    [
      ['sandbox', 'status', '--project=p', '--wamid=w', '--status=read', '--error-code=1'],
      '--error-code goes with --status failed only.',
    ],
  ])('in %j is told in one sentence, with the usage', (argv, sentence) => {
    const [first, usage, ...more] = refusalOf(...argv)
    if (sentence instanceof RegExp) expect(first).toMatch(sentence)
    else expect(first).toBe(sentence)
    expect(usage).toMatch(/^Usage: npm run -s operator -- /)
    expect(more).toEqual([])
  })

  it.each([
    [['\u001b[31mx']],
    [['project', '\u001b[31mx']],
    [['project', 'pause', 'a', '\u001b[31mx']],
    [['project', 'list', '--\u001b[31mx']],
    [['project', 'pause', 'a', 'EAAGm0PX4ZCpsBAKZCZB']],
  ])('in %j neither steers the terminal nor shows a secret that was pasted', async (argv) => {
    const { code, out, err } = await operate({}, argv)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.replaceAll('\n', '')).not.toMatch(/\p{Cc}|EAAG/u)
    expect(err).toMatch(/\\u001b\[31mx|\[redacted\]/)
  })

  it.each(['-1', '1.5', '1e3', '2147483648', ' 1', 'x'])('in a number is told: %j', (given) => {
    const [first] = refusalOf('project', 'create', '--name=a', '--quota', given)
    expect(first).toBe(
      `--quota is "${given}", but must be a whole number from 0 to 2147483647, or default.`,
    )
  })

  it('in a scope is told before anything is opened', () => {
    const base = ['key', 'create', '--project=p', '--name=n', '--scopes']
    expect(refusalOf(...base, 'messages:send,nope')[0]).toMatch(
      /^Unknown scope nope\. Known scopes: /,
    )
    expect(refusalOf(...base, ' , ')[0]).toBe('Name at least one scope.')
    expect(refusalOf(...base, 'all,nope')[0]).toMatch(/^Unknown scope nope\. Known scopes: /)
    expect(refusalOf(...base, 'all,media:read')[0]).toBe(
      'The scope all stands for every one: name it alone.',
    )
  })
})

describe('a name', () => {
  it('is one line of up to 200 characters, however many bytes these have', () => {
    expect(name(` ${'🚲'.repeat(200)} `)).toBe('🚲'.repeat(200))
    for (const odd of ['🚲'.repeat(201), 'a\nb', 'a\u2028b'])
      expect(() => name(odd)).toThrow(/one line/)
  })
})

describe('what is pasted from elsewhere', () => {
  it('has no blanks around it, and is not blank', () => {
    expect(pasted(' 1065\u00a0\n')).toBe('1065')
    expect(() => pasted(' \n')).toThrow('a text')
  })
})

describe('scopes and grants', () => {
  it('are lists by comma, and "all" for every scope', () => {
    expect(scopes('contacts:read, messages:send')).toEqual(['messages:send', 'contacts:read'])
    expect(scopes('all')).toHaveLength(21)
    expect(grant('shop=media:read')).toEqual({ projectId: 'shop', scopes: ['media:read'] })
    expect(grant('shop=all').scopes).toHaveLength(21)
  })
})

describe('help', () => {
  const helpOf = (...argv: string[]) => {
    const request = readRequest(argv, NOUNS)
    return request.kind === 'help' ? request.text : request.kind
  }

  it('lists every noun, every verb of a noun, and every flag of a verb', () => {
    const overview = helpOf('--help')
    for (const [noun, { verbs }] of Object.entries(NOUNS)) {
      expect(overview).toContain(`  ${noun} ${Object.keys(verbs).join('|')}`)
      for (const [verb, { flags, says }] of Object.entries(verbs)) {
        expect(helpOf(noun, '--help')).toContain(says)
        const page = helpOf(noun, verb, 'id', '--help')
        for (const flag of Object.keys(flags)) expect(page).toContain(`\n  --${flag}`)
        expect(page).toContain(`Usage: npm run -s operator -- ${noun} ${verb}`)
      }
    }
  })

  it('comes before any complaint', () => {
    expect(helpOf('key', 'create', '--nonsense', '-h')).toContain('--scopes a,b')
  })
})

describe('what a person reads', () => {
  it('is a table for a list, with nothing that steers the terminal and no cell that is too wide', () => {
    const rows = [
      { id: 'a', name: '\u001b[31mred\u202e[0m', scopes: [], is_on: true },
      { id: 'long-id', name: 'x'.repeat(60), scopes: ['m:r', 'm:w'], is_on: false },
    ]
    expect(
      asText({ things: rows })
        .split('\n')
        .map((line) => line.replace(/x+…/, 'X')),
    ).toEqual([
      `id       name${' '.repeat(38)}scopes    is_on`,
      `a         [31mred [0m${' '.repeat(30)}–         yes`,
      'long-id  X  m:r, m:w  no',
      '',
    ])
    expect(asText({ things: [] })).toBe('No things.\n')
  })

  it('is line by line for one thing, with its secret last', () => {
    const key = { id: 'k1', revoked_at: null, grants: [{ project_id: 'p', scopes: ['a', 'b'] }] }
    expect(asText({ key, secret: 'pk_live_x' })).toBe(
      'id          k1\nrevoked_at  –\ngrants      project_id p, scopes a, b\n\n' +
        'The key, which will not be shown again:\n\n  pk_live_x\n',
    )
    expect(asText({ delivered: true, wamid: 'w' })).toBe('delivered  yes\nwamid      w\n')
  })

  it('is one JSON value for a program', () => {
    expect(JSON.parse(asJson({ key: { id: 'k1' } }))).toEqual({ key: { id: 'k1' } })
  })

  it('steers no terminal as JSON either, and says the same', () => {
    const steering =
      '\u001b\u007f\u0085\u009b31m\u061c\u200e\u202e\u2066\u2028\u2029\ufeff\u{e0041}'
    const said = { line: { text: `a${steering}é👩‍🚀`, [steering]: 1 } }
    for (const json of [asJson(said), asJsonLine(said)]) {
      expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
      expect(JSON.parse(json)).toEqual(said)
    }
    expect(asJsonLine(said).indexOf('\n')).toBe(asJsonLine(said).length - 1)
    expect(asJsonLine({ text: 'é' })).toBe('{"text":"é"}\n')
  })

  it('is a sentence that quotes what steers a terminal, when something goes wrong', () => {
    expect(asSentence('ERROR: \u001b]0;mine\u0007é\u009b31m\r\u202e\nsecond 👩‍🚀 line')).toBe(
      'ERROR: \\u001b]0;mine\\u0007é\\u009b31m\\u000d\\u202e\nsecond 👩\\u200d🚀 line\n',
    )
  })
})
