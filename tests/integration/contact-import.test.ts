import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { importContacts } from '../../capabilities/conversations/contact-import.ts'
import { stopped } from '../../scripts/operator/command.ts'
import { inTheWay, untilWaiting } from '../support/locks.ts'
import { operate, startProgram } from '../support/operator.ts'
import { seededRandom } from '../support/random.ts'
import {
  startTestService,
  TEST_ENCRYPTION_KEY,
  type TestProject,
  type TestService,
} from '../support/service.ts'

const HEADER = 'number,name,tags,opted_in'
/** On two shared cores; one statement for each line would take several times as long. */
const CPU_MAX_US = 20_000_000

let service: TestService
let project: TestProject
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  service = await startTestService()
  folder = await mkdtemp(path.join(tmpdir(), 'contact-import-'))
  env = { DATABASE_URL: service.databaseUrl, DATA_DIR: folder, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  project = await service.project()
})

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const imported = (csv: string | Uint8Array, chunk = 65_536) =>
  importContacts(service.ctx, project.id, chunksOf(Buffer.from(csv), chunk))
const contacts = async () =>
  (await project.client.ok('listContacts', { query: { limit: 100 } })).contacts.toReversed()
const linesOf = (...lines: string[]) => [HEADER, ...lines].join('\n')
const command = (file: string) => ['contact', 'import', '--project', project.id, '--file', file]

describe('an import', () => {
  it('makes contacts that the API shows, and tells what it did', async () => {
    const csv = linesOf(
      '+1 (555) 000-0001,Ann,vip;new,SÍ',
      '0015550000002,,,',
      '15550000003,Bo,b|a|b,Falsch',
    )
    expect(await imported(csv)).toEqual({ imported: 3, updated: 0, rejected: [], untold: 0 })
    expect(await contacts()).toMatchObject([
      { phone: '+15550000001', name: 'Ann', tags: ['new', 'vip'], opted_in: true },
      { phone: '+15550000002', name: null, tags: [], opted_in: false },
      { phone: '+15550000003', name: 'Bo', tags: ['a', 'b'], opted_in: false },
    ])
  })

  it('updates what is there: the name and choice that a line tells, the tags beside the old', async () => {
    const { contact } = await service.customer(project, { phone: '+5215550000001', name: 'Eva' })
    const path = { id: contact.id }
    await project.client.ok('updateContact', {
      path,
      body: { attributes: { a: 1 }, tags: { add: ['z'] } },
    })
    await imported(linesOf('+525550000001,,"a,Z",yes'))
    const told = { imported: 0, updated: 1, rejected: [], untold: 0 }
    expect(await imported(linesOf('+52 1 555 0000001,,,'))).toEqual(told)
    expect(await contacts()).toMatchObject([
      { id: contact.id, name: 'Eva', tags: ['Z', 'a', 'z'], opted_in: true, attributes: { a: 1 } },
    ])
    await imported(linesOf('+525550000001,Eva M.,,0'))
    expect(await contacts()).toMatchObject([{ name: 'Eva M.', opted_in: false }])
    expect((await project.client.ok('listConversations')).conversations).toHaveLength(1)
  })

  it.each([
    [
      'quotes',
      '"+15550000001","Doe, ""Ann""","a,b",true',
      { name: 'Doe, "Ann"', tags: ['a', 'b'] },
    ],
    [
      'blanks around cells',
      ' +15550000001 , Ann , a ; b , TRUE ',
      { name: 'Ann', tags: ['a', 'b'] },
    ],
    ['quotes within a bare cell', '+15550000001,5" Ann "x",,1', { name: '5" Ann "x"' }],
    ['a quoted cell of several lines', '+15550000001,"Ann\nDoe",,y', { name: 'Ann\nDoe' }],
    ['formulas, as they are', "+15550000001,=cmd|'/C calc'!A0,,Yes", { name: "=cmd|'/C calc'!A0" }],
    ['other scripts', '+15550000001,Ünal 李 😀,é,1', { name: 'Ünal 李 😀', tags: ['é'] }],
    ['256 characters', `+15550000001,${'😀'.repeat(256)},,1`, { name: '😀'.repeat(256) }],
    ['trailing separators', '+15550000001,Ann,,1,,', { name: 'Ann' }],
  ])('reads %s, in chunks of any size', async (_, line, expected) => {
    for (const size of [1, 2, 7, 65_536]) {
      const { rejected } = await imported(linesOf(line), size)
      expect(rejected).toEqual([])
    }
    expect(await contacts()).toMatchObject([{ ...expected, opted_in: true }])
  })

  it.each([
    ['a BOM', `\ufeff${HEADER}\n+15550000001,Ann,,\n+15550000002,Bo,,`],
    ['CRLF', `${HEADER}\r\n+15550000001,Ann,,\r\n\r\n+15550000002,Bo,,\r\n`],
    ['CR', `${HEADER}\r+15550000001,Ann,,\r+15550000002,Bo,,`],
    ['empty lines', `\n\n${HEADER}\n\n+15550000001,Ann,,\n,,,\n  \n+15550000002,Bo,,\n\n`],
    ['columns in another order and case', 'Name, NUMBER\nAnn,+15550000001\nBo,+15550000002'],
    ['numbers alone', 'number\n+15550000001\n+15550000002'],
    ['semicolons', '"number";name;tags\n+15550000001;"A;B, Jr.";"a;b,c"\n+15550000002;;'],
    ['tabs', 'number\tname\ttags\n+15550000001\t"A\tB, Jr."\t a,b \n+15550000002\t\t'],
  ])('takes a file with %s', async (_, csv) => {
    for (const size of [1, 3, 65_536]) {
      const { imported: made, updated, rejected } = await imported(csv, size)
      expect({ all: made + updated, rejected }).toEqual({ all: 2, rejected: [] })
    }
    expect(await contacts()).toHaveLength(2)
  })

  it.each([
    ['no number', ',Bob,,', 'has no number'],
    ['a word for a number', 'abc,Bob,,', '"abc" is no phone number'],
    ['a rounded number', '1.555E+10,Bob,,', '"1.555E+10" is no phone number'],
    ['a decimal number', '15550000009.0,Bob,,', '"15550000009.0" is no phone number'],
    [
      'a formula for a number',
      '"=""+15550000009""",Bob,,',
      '"=\\"+15550000009\\"" is no phone number',
    ],
    ['too few cells', '+15550000009,Bob', 'has 2 cells where the header has 4'],
    ['too many cells', '+15550000009,Bob,,,x', 'has 5 cells where the header has 4'],
    ['a NUL', '+15550000009,B\0b,,', 'holds a NUL character'],
    [
      'an unknown choice',
      '+15550000009,Bob,,constructor',
      'opted_in is "constructor", not true or false',
    ],
    ['a long name', `+15550000009,${'n'.repeat(257)},,`, 'the name is longer than 256 characters'],
    ['a long tag', `+15550000009,,${'t'.repeat(65)},`, 'a tag is longer than 64 characters'],
    ['text after a quote', '+15550000009,"Bob" x,,', 'holds text after a closing quote'],
    ['a quote that is not closed', '+15550000009,"Bob,,', 'opens a quote and does not close it'],
    [
      'a cell of 10 MB',
      `+15550000009,${'x'.repeat(10_485_760)},,`,
      'is longer than 65536 characters',
    ],
    [
      'a quoted cell of 10 MB',
      `+15550000009,"${'x'.repeat(10_485_760)}",,`,
      'is longer than 65536 characters',
    ],
    [
      '101 tags',
      `+15550000009,,${Array.from({ length: 101 }, (_, n) => `t${n}`).join(';')},`,
      'the contact would hold more than 100 tags',
    ],
  ])('tells a line with %s, and loses no other', async (_, line, reason) => {
    const others = [
      '+15550000001,"Ann",,',
      '+15550000002,Bo,"a;b",true',
      '+15550000003,"",,',
      '+15550000004,Di,,',
    ]
    const csv = linesOf(others[0]!, others[1]!, line, others[2]!, others[3]!)
    const result = await imported(csv)
    expect(result).toEqual({ imported: 4, updated: 0, rejected: [{ line: 4, reason }], untold: 0 })
    expect(await contacts()).toHaveLength(4)
  })

  it('tells lines in their order, also one that only its contact refuses', async () => {
    const tags = Array.from({ length: 100 }, (_, n) => `t${n}`).join(';')
    await imported(linesOf(`+15550000001,,${tags},`))
    const { rejected } = await imported(linesOf('+15550000001,,more,', 'none,,,'))
    expect(rejected.map(({ line }) => line)).toEqual([2, 3])
  })

  it('tells a line that is not UTF-8, and loses no other', async () => {
    const csv = Buffer.from(linesOf('+15550000001,Zo\u00eb,,', '+15550000002,Bo,,'), 'latin1')
    const { imported: made, rejected } = await imported(csv)
    expect({ made, rejected }).toEqual({
      made: 1,
      rejected: [{ line: 2, reason: 'is not UTF-8 text' }],
    })
  })

  it('loses no good line whatever the bad ones among them are', async () => {
    const random = seededRandom(23)
    const bad = ['"', '+1555,"', '",",",', 'x,"x', 'x",y,"', ',,,"', '"""', '\0', '""",,,']
    const good = Array.from({ length: 300 }, (_, index) => {
      const name = random.pick(['Ann', '"A, B"', '""', '"q""q"', ''])
      return `+1555${String(1_000_000 + index)},${name},"a;b",${random.pick(['true', '', '"no"'])}`
    })
    const mixed = good.flatMap((line) => [
      ...Array.from({ length: random.between(0, 2) }, () => random.pick(bad)),
      line,
    ])
    const { imported: made, rejected } = await imported(linesOf(...mixed), 97)
    expect(made).toBe(300)
    expect(rejected).toHaveLength(mixed.length - 300)
  })

  it('takes a number that stands twice as one contact, its later lines as updates', async () => {
    const tags = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `t${from + index}`).join(';')
    const csv = linesOf(
      ...['+15550000001,Ann,a,true', '1 555 000 0001,Ann M.,b,', '+15550000001,,a,no'],
      ...[
        `+15550000002,,${tags(0, 60)},`,
        `+15550000002,,${tags(60, 120)},`,
        '+15550000002,Bo,t0,',
      ],
    )
    expect(await imported(csv)).toEqual({
      imported: 2,
      updated: 3,
      untold: 0,
      rejected: [{ line: 6, reason: 'the contact would hold more than 100 tags' }],
    })
    expect(await contacts()).toMatchObject([
      { name: 'Ann M.', tags: ['a', 'b'], opted_in: false },
      { name: 'Bo', tags: { length: 60 } },
    ])
  })

  it.each([
    ['', 'The file is empty; its first line must name the columns'],
    ['\ufeff\n\n', 'The file is empty; its first line must name the columns'],
    [
      'number,name,email,tags\n+15550000001,,,',
      'The file has the unknown column "email"; only number',
    ],
    ['\ufffdn\0u\0m\0b\0e\0r\0', "The file's header is not UTF-8 text; save it as UTF-8."],
    ['number,name,\n+15550000001,,', 'The file has the unknown column ""; only number'],
    ['name,tags\nAnn,', 'The file has no column number'],
    ['number,name,Number\n+15550000001,,', 'The file has the column number twice.'],
    ['number,"name\n+15550000001,Ann', "The file's header opens a quote and does not close it."],
    ['__proto__,number\nx,+15550000001', 'The file has the unknown column "__proto__"'],
  ])('of %j is refused before anything is written', async (csv, message) => {
    await expect(imported(csv)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(message),
    })
    expect(await contacts()).toEqual([])
  })

  it('of a header alone brings nothing', async () => {
    for (const csv of [HEADER, `${HEADER}\n`]) {
      expect(await imported(csv)).toEqual({ imported: 0, updated: 0, rejected: [], untold: 0 })
    }
  })

  it('of 100,000 lines is written in batches, and tells how far it is', async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) =>
      n % 1_000 === 7 ? `bad-${n},"x,,` : `+1666${String(n).padStart(7, '0')},"No. ${n}",a;b,true`,
    )
    const told: number[] = []
    const csv = Buffer.from(linesOf(...lines))
    const before = process.cpuUsage()
    const result = await importContacts(service.ctx, project.id, chunksOf(csv, 65_536), (n) =>
      told.push(n),
    )
    const cpuUs = process.cpuUsage(before).user
    expect(result).toMatchObject({ imported: 99_900, updated: 0, rejected: { length: 100 } })
    expect(told).toHaveLength(100)
    expect(cpuUs).toBeLessThan(CPU_MAX_US)
    expect(await contacts()).toHaveLength(100)
  }, 60_000)

  it('is not lost when it and another transaction wait for each other', async () => {
    const lines = linesOf('+15550000001,Ann,,', '+15550000002,Bo,,')
    await imported(linesOf('+15550000001,,,', '+15550000002,,,'))
    let importing: ReturnType<typeof imported> | undefined
    await inTheWay(service.databaseUrl, async (query) => {
      const touch = (phone: string) =>
        query('UPDATE contacts SET updated_at = now() WHERE project_id = $1 AND phone = $2', [
          ...[project.id, phone],
        ])
      await touch('+15550000002')
      importing = imported(lines)
      await untilWaiting(service.ctx)
      await touch('+15550000001')
    })

    expect(await importing).toMatchObject({ updated: 2, rejected: [] })
    expect(await contacts()).toMatchObject([{ name: 'Ann' }, { name: 'Bo' }])
  })

  it('does not touch the contacts of another project', async () => {
    const other = await service.project()
    await service.customer(other, { phone: '+15550000001', name: 'Theirs' })
    await imported(linesOf('+15550000001,Ours,,'))
    const { contacts: theirs } = await other.client.ok('listContacts')
    expect(theirs).toMatchObject([{ name: 'Theirs' }])
  })
})

describe('operator contact', () => {
  it('imports a file and lists the contacts, as JSON', async () => {
    const file = path.join(folder, 'contacts.csv')
    await writeFile(file, linesOf('+15550000001,Ann,vip,true', 'x,,,'))
    const { code, out, err } = await operate(env, command(file))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toEqual({
      imported: 1,
      updated: 0,
      rejected: [{ line: 3, reason: '"x" is no phone number' }],
    })
    const listed = await operate(env, ['contact', 'list', '--project', project.id.toUpperCase()])
    expect(JSON.parse(listed.out)).toEqual({ contacts: await contacts() })
    const limited = ['contact', 'list', '--project', project.id, '--limit', '1']
    await imported(linesOf('+15550000002,Bo,,'))
    const one = await operate(env, limited)
    expect(JSON.parse(one.out)).toMatchObject({ contacts: [{ name: 'Bo' }] })
    expect(one.err).toBe('There are more than these 1.\n')
  })

  it('shows a person a table, and how far a long import is', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `+1777${String(n).padStart(7, '0')},,,`)
    const file = path.join(folder, 'long.csv')
    await writeFile(file, linesOf(...lines, 'bad,,,'))
    const { code, out, err } = await operate(env, command(file), true)
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^imported +20000\nupdated +0\n\nline +reason\n20002 +"bad" is no/,
      ),
    })
    // Told every 10,000 lines, and on a slow machine in between.
    const told = [...err.matchAll(/^(\d+) lines$/gm)].map(([, records]) => Number(records))
    expect(err).toBe(told.map((records) => `${records} lines\n`).join(''))
    expect(told).not.toEqual([])
    const steps = [...told, lines.length + 1].map((records, at) => records - (told[at - 1] ?? 0))
    for (const step of steps) {
      expect(step).toBeGreaterThan(0)
      expect(step).toBeLessThanOrEqual(10_000)
    }
  })

  it('ends after the lines that it is writing when it is told to, and can be made again', async () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => `+1778${String(n).padStart(7, '0')},,,`)
    const stopping = new AbortController()
    const csv = linesOf(...lines)
    async function* chunks() {
      yield csv.slice(0, csv.length / 2)
      stopping.abort(stopped(130))
      yield csv.slice(csv.length / 2)
    }
    const replaced = { stop: stopping.signal }
    const { code, out, err } = await operate(env, command('-'), false, chunks(), replaced)
    expect({ code, out, err }).toEqual({
      code: 130,
      out: '',
      err: 'Stopped: 2000 imported, 0 updated, 0 rejected so far. Import the file again for the rest.\n',
    })
    expect(await imported(csv)).toMatchObject({ imported: 3_000, updated: 2_000 })
  })

  it('reads standard input for -', async () => {
    const stdin = chunksOf(Buffer.from(linesOf('+15550000001,Ann,,')), 5)
    const { out } = await operate(env, command('-'), false, stdin)
    expect(JSON.parse(out)).toEqual({ imported: 1, updated: 0, rejected: [] })
  })

  it('takes the standard input of its process', async () => {
    const child = startProgram(env, 'scripts/operator', ...command('-'))
    child.stdin?.end(linesOf('+15550000001,Ann,,', 'x,,,'))
    expect(await json(child.stdout as Readable)).toMatchObject({
      imported: 1,
      rejected: [{ line: 3 }],
    })
  }, 60_000)

  it('refuses an unknown project, a file that is not there and a column of its own', async () => {
    const refusal = async (...argv: string[]) => {
      const { code, out, err } = await operate(env, argv)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      return err
    }
    expect(await refusal('contact', 'list', '--project', 'nope')).toBe(
      'There is no project nope.\n',
    )
    expect(await refusal('contact', 'import', '--project', 'nope', '--file', 'x')).toBe(
      'There is no project nope.\n',
    )
    expect(await refusal(...command('/no/such.csv'))).toMatch(
      /^The file \/no\/such.csv cannot be read/,
    )
    expect(await refusal(...command(folder))).toContain('it is a folder')
    const file = path.join(folder, 'other.csv')
    await writeFile(file, 'number,email\n+15550000001,a@b.c\n')
    expect(await refusal(...command(file))).toContain('unknown column "email"')
    expect(await contacts()).toEqual([])
  })
})
