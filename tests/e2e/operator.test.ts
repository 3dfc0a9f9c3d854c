import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import pg from 'pg'
import { ALL_SCOPES } from '../../capabilities/projects/scopes.ts'
import { bodyOf, listen } from '../support/channel.ts'
import { type Env, operate, runProgram, startProgram } from '../support/operator.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

// Several processes start, perhaps on a busy machine.
jest.setTimeout(120_000)

const SECRET = /^(?:pk_(?:live|test)_|mcp_at_)[0-9A-Za-z]{40}$/

/** The one status that a callback reports. */
function statusIn(callback: unknown): unknown {
  return Object(callback).entry[0].changes[0].value.statuses[0]
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'operator-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('on a database', () => {
  let database: TestDatabase
  let env: Env

  beforeAll(async () => {
    database = await createDatabase()
    env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'plain') }
  })
  afterAll(() => database.drop())

  async function answer(...argv: string[]) {
    const { code, out, err } = await operate(env, argv)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out)
  }

  async function refusal(...argv: string[]): Promise<string> {
    const { code, out, err } = await operate(env, argv)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    return err.trimEnd()
  }

  async function query(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(sql)
    await client.end()
  }

  const project = (id: string) => answer('project', 'create', '--name', id, '--id', id)

  it('projects are created, listed, changed, paused, resumed and deleted', async () => {
    const { project: made } = await answer('project', 'create', '--name', ' Corner shop ')
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Corner shop',
      status: 'active',
      daily_send_quota: null,
      credits: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    const named = ['--name=My shop', '--id=My_Shop', '--quota=10', '--credits=0']
    expect(await answer('project', 'create', ...named)).toMatchObject({
      project: { id: 'My_Shop', daily_send_quota: 10, credits: 0 },
    })
    expect(await refusal('project', 'create', '--name=x', '--id=MY_SHOP')).toBe(
      'There is a project My_Shop already.',
    )
    expect(await answer('project', 'create', '--name=x', '--id=My-Shop')).toMatchObject({
      project: { id: 'My-Shop' },
    })
    for (const id of ['a b', '_a', 'a'.repeat(65)]) {
      expect(await refusal('project', 'create', '--name=x', `--id=${id}`)).toBe(
        'A project id has 1 to 64 letters, digits, _ and -, and begins with a letter or digit.',
      )
    }
    const { projects } = await answer('project', 'list')
    expect(projects.map(({ id }: { id: string }) => id)).toEqual([made.id, 'My_Shop', 'My-Shop'])

    const change = ['--name=Shop', '--quota=20', '--credits=5']
    expect(await answer('project', 'update', 'my_shop', ...change)).toMatchObject({
      project: { id: 'My_Shop', name: 'Shop', daily_send_quota: 20, credits: 5 },
    })
    const back = ['--quota=default', '--credits', 'unmetered']
    expect(await answer('project', 'update', 'My_Shop', ...back)).toMatchObject({
      project: { name: 'Shop', daily_send_quota: null, credits: null },
    })
    const statuses = { pause: 'paused', delete: 'deleted', resume: 'active' }
    for (const [verb, status] of Object.entries(statuses)) {
      expect(await answer('project', verb, 'MY_SHOP')).toMatchObject({
        project: { id: 'My_Shop', status, name: 'Shop' },
      })
    }
    expect(await refusal('project', 'pause', 'nope')).toBe('There is no project nope.')
  })

  it('a deleted project is resumed, and not paused', async () => {
    await project('Gone')
    await answer('project', 'delete', 'gone')
    expect(await refusal('project', 'pause', 'gone')).toBe('There is no project Gone.')
    const { projects } = await answer('project', 'list')
    expect(projects).toContainEqual(expect.objectContaining({ id: 'Gone', status: 'deleted' }))
  })

  it('keys show their secret once, and can be rotated, changed and revoked', async () => {
    await project('Keys')
    const create = ['key', 'create', '--project', 'KEYS', '--name', 'Till']
    const { key, secret } = await answer(...create, '--scopes', 'messages:send,contacts:read')
    expect(secret).toMatch(SECRET)
    expect(key).toEqual({
      id: expect.any(String),
      project_id: 'Keys',
      name: 'Till',
      prefix: secret.slice(0, 12),
      scopes: ['messages:send', 'contacts:read'],
      created_at: expect.stringMatching(/Z$/),
      rotated_at: null,
      revoked_at: null,
    })
    const test = await answer(...create, '--scopes=all', '--test')
    expect(test.secret).toMatch(/^pk_test_/)
    expect(test.key.scopes).toHaveLength(21)

    const rotated = await answer('key', 'rotate', key.id)
    expect(rotated.secret).toMatch(SECRET)
    expect(rotated.secret).not.toBe(secret)
    expect(rotated.key.prefix).toBe(rotated.secret.slice(0, 12))
    expect(await answer('key', 'scopes', key.id, '--scopes', 'media:read')).toMatchObject({
      key: { id: key.id, scopes: ['media:read'], prefix: rotated.key.prefix },
    })
    expect(await answer('key', 'revoke', key.id)).toMatchObject({
      key: { revoked_at: expect.any(String) },
    })
    expect(await refusal('key', 'rotate', key.id)).toBe(`There is no key ${key.id} in use.`)

    const { out } = await operate(env, ['key', 'list', '--project', 'keys'])
    expect(JSON.parse(out).keys).toHaveLength(2)
    for (const shown of [secret, rotated.secret, test.secret]) expect(out).not.toContain(shown)
    expect(await refusal('key', 'list', '--project=nope')).toBe('There is no project nope.')
    await answer('project', 'delete', 'keys')
    expect(await refusal(...create, '--scopes=all')).toBe('There is no project Keys.')
  })

  it('connections reach projects in order, and can be attached, detached and revoked', async () => {
    for (const id of ['Zoo', 'Bar', 'Cafe']) await project(id)
    const create = ['connection', 'create', '--name', 'Agent']
    const grants = ['--grant', 'zoo=messages:send,media:read', '--grant', 'bar=all']
    const more = ['--default=BAR', '--expires-in=60']
    const { connection, token } = await answer(...create, ...grants, ...more)
    expect(token).toMatch(/^mcp_at_/)
    expect(token).toMatch(SECRET)
    expect(connection).toEqual({
      id: expect.any(String),
      name: 'Agent',
      prefix: token.slice(0, 12),
      default_project_id: 'Bar',
      grants: [
        { project_id: 'Zoo', scopes: ['messages:send', 'media:read'] },
        { project_id: 'Bar', scopes: ALL_SCOPES },
      ],
      created_at: expect.any(String),
      expires_at: expect.any(String),
      revoked_at: null,
    })
    expect(Date.parse(connection.expires_at) - Date.parse(connection.created_at)).toBe(60_000)

    const attach = ['connection', 'attach', connection.id]
    const attached = await answer(...attach, '--grant=zoo=tables:read', '--grant=cafe=code:read')
    expect(attached.connection.grants).toEqual([
      { project_id: 'Zoo', scopes: ['tables:read'] },
      expect.objectContaining({ project_id: 'Bar' }),
      { project_id: 'Cafe', scopes: ['code:read'] },
    ])
    expect(await refusal(...attach, '--grant=zoo=all', '--default=keys')).toBe(
      'The default project Keys is not one of the attached ones.',
    )
    expect(await answer(...attach, '--grant=zoo=code:read', '--default=cafe')).toMatchObject({
      connection: { default_project_id: 'Cafe', grants: [{ scopes: ['code:read'] }, {}, {}] },
    })

    const detach = ['connection', 'detach', connection.id, '--project']
    expect(await answer(...detach, 'cafe')).toMatchObject({
      connection: {
        default_project_id: null,
        grants: [{ project_id: 'Zoo' }, { project_id: 'Bar' }],
      },
    })
    expect(await refusal(...detach, 'cafe')).toBe(
      `Project Cafe is not attached to connection ${connection.id}.`,
    )
    expect(await answer('connection', 'revoke', connection.id)).toMatchObject({
      connection: { revoked_at: expect.any(String) },
    })
    expect(await refusal(...attach, '--grant=zoo=all')).toBe(
      `There is no connection ${connection.id} in use.`,
    )
    const { out } = await operate(env, ['connection', 'list'])
    expect(JSON.parse(out).connections).toHaveLength(1)
    expect(out).not.toContain(token)
  })

  it('a connection may reach nothing, but never what is unknown or named twice', async () => {
    const create = ['connection', 'create', '--name=Bare']
    expect(await answer(...create)).toMatchObject({
      connection: { grants: [], default_project_id: null, expires_at: null },
    })
    expect(await refusal(...create, '--grant=nope=all')).toBe('There is no project nope.')
    expect(await refusal(...create, '--grant=zoo=all', '--grant=ZOO=all')).toBe(
      'Project Zoo is granted twice.',
    )
    expect(await refusal(...create, '--default=zoo')).toBe(
      'The default project Zoo is not one of the attached ones.',
    )
  })

  it('a channel is connected without telling its secrets again, nor the blanks around what was pasted', async () => {
    await project('Shop')
    const secrets = ['--access-token=EAAGsecret', '--app-secret=hush', '--verify-token=-v']
    const ids = ['--phone-number-id= 1', '--business-account-id=2\n', '--app-id=3\t']
    const connect = ['channel', 'connect', '--project=SHOP', ...ids, ...secrets]
    const first = await operate(env, connect)
    expect(first.code).toBe(0)
    expect(first.err).toMatch(/^Meta calls https addresses alone: .* PUBLIC_URL .*\n$/)
    expect(JSON.parse(first.out)).toEqual({
      channel: {
        project_id: 'Shop',
        kind: 'cloud',
        phone_number_id: '1',
        business_account_id: '2',
        app_id: '3',
        api_url: null,
        app_secret_proof: false,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        callback_url: null,
      },
    })
    const known = { ...env, PUBLIC_URL: 'https://api.example.com' }
    const { out } = await operate(known, [...connect, '--api-url=http://localhost:1/'])
    expect(JSON.parse(out).channel).toMatchObject({
      api_url: 'http://localhost:1',
      callback_url: 'https://api.example.com/channel/Shop/webhook',
    })
    expect(out).not.toMatch(/EAAGsecret|hush|"-v"/)
    const inbound = ['sandbox', 'inbound', '--project=shop', '--from=+15550001234', '--text=Hi']
    expect(await refusal(...inbound)).toBe(
      'Project Shop is connected to a real channel, not to the sandbox.',
    )
  })

  it('the sandbox needs a server to call back', async () => {
    await project('Box')
    const inbound = ['sandbox', 'inbound', '--project=box', '--from=+15550001234', '--text=Hi']
    expect(await refusal(...inbound)).toBe(
      'No server has run on this database yet; start one with npm start.',
    )
  })

  it('the sandbox calls back about a message with the recipient that it had', async () => {
    await project('Calls')
    const bodies: unknown[] = []
    const server = await listen(async (request, response) => {
      bodies.push(JSON.parse((await bodyOf(request)).toString()))
      response.writeHead(bodies.length === 3 ? 401 : 200).end()
    })
    await query(
      `INSERT INTO service_settings VALUES ('server_url', '${server.url}');
       INSERT INTO contacts (id, project_id, phone, user_id)
         VALUES (7, 'Calls', '+15550001234', 'US.1');
       INSERT INTO conversations (id, project_id, contact_id, last_activity_at)
         VALUES (7, 'Calls', 7, now());
       INSERT INTO messages (project_id, conversation_id, contact_id, wamid, direction, origin,
         type, status) VALUES ('Calls', 7, 7, 'wamid.a', 'outbound', 'api', 'text', 'sent'),
         ('Calls', 7, 7, 'wamid.in', 'inbound', 'customer', 'text', 'received')`,
    )
    const status = ['sandbox', 'status', '--project=calls']
    const failed = ['--wamid=wamid.a', '--status=failed', '--error-code=131047']
    expect(await answer(...status, ...failed)).toEqual({ delivered: true, wamid: 'wamid.a' })
    expect(statusIn(bodies[0])).toMatchObject({
      id: 'wamid.a',
      status: 'failed',
      errors: [{ code: 131047 }],
      recipient_id: '15550001234',
      recipient_user_id: 'US.1',
    })
    await answer(...status, '--wamid=wamid.a', '--status=played')
    expect(statusIn(bodies[1])).toMatchObject({ id: 'wamid.a', status: 'played' })
    for (const none of ['wamid.b', 'wamid.in']) {
      expect(await refusal(...status, `--wamid=${none}`, '--status=read')).toBe(
        `Project Calls has sent no message ${none}.`,
      )
    }
    expect(await refusal(...status, '--wamid=wamid.a', '--status=read')).toBe(
      `The server at ${server.url} refused the callback with status 401.`,
    )
    await server.close()
    expect(await refusal(...status, '--wamid=wamid.a', '--status=read')).toBe(
      `No server answers at ${server.url}; start one with npm start.`,
    )
  })

  it('a terminal gets tables, and JSON on request', async () => {
    const table = await operate(env, ['project', 'list'], true)
    expect(table.out).toMatch(/^id +name +status +daily_send_quota /)
    expect(table.out).toMatch(/\nShop +Shop +active +– /)
    const json = await operate(env, ['project', 'list', '--json'], true)
    expect(JSON.parse(json.out)).toHaveProperty('projects')
    const argv = ['key', 'create', '--project=shop', '--name=T', '--scopes=all']
    const { out } = await operate(env, argv, true)
    expect(out).toMatch(/\n\nThe key, which will not be shown again:\n\n {2}pk_live_\w{40}\n$/)
  })

  it('a program runs as a process of its own, and ends with what it has to say', async () => {
    const operator = (...argv: string[]) => runProgram(env, 'scripts/operator', ...argv)
    const [list, unknown, help, migrated] = await Promise.all([
      operator('project', 'list'),
      operator('project', 'pause', 'nope'),
      operator('key', 'create', '--help'),
      runProgram(env, 'scripts/migrate'),
    ])
    expect(JSON.parse(list.out).projects.length).toBeGreaterThan(3)
    expect(list).toMatchObject({ code: 0, err: '' })
    expect(unknown).toEqual({ code: 1, out: '', err: 'There is no project nope.\n' })
    expect(help).toMatchObject({ code: 0, err: '', out: expect.stringContaining('--scopes a,b') })
    expect(migrated).toEqual({ code: 0, out: 'The database is up to date.\n', err: '' })
  })

  it('a reader that has seen enough ends a command quietly, and without a failure', async () => {
    for (const argv of [['project', 'list'], ['--help']]) {
      const child = startProgram(env, 'scripts/operator', ...argv)
      child.stdout?.destroy()
      const ended = once(child, 'close')
      const err = await text(child.stderr ?? Readable.from([]))
      expect({ code: (await ended)[0], err }).toEqual({ code: 0, err: '' })
    }
  })

  it('a command that is told to end does not wait for more of its standard input', async () => {
    await project('Slow')
    const argv = ['contact', 'import', '--project=slow', '--file=-']
    const child = startProgram(env, 'scripts/operator', ...argv)
    const ended = once(child, 'close')
    const numbers = Array.from({ length: 1_500 }, (_, n) => `+1779${String(n).padStart(7, '0')}`)
    child.stdin?.write(['number', ...numbers].join('\n'))
    const list = ['contact', 'list', '--project=slow', '--limit=2000']
    while ((await answer(...list)).contacts.length === 0) await pause(50)
    child.kill('SIGINT')
    const err = await text(child.stderr ?? Readable.from([]))
    expect([(await ended)[0], err]).toEqual([130, expect.stringMatching(/^Stopped: 1000 imported/)])
  })

  it('a result that cannot be written is one sentence', async () => {
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) })
    const { code, err } = await operate(env, ['project', 'list'], false, undefined, { stdout })
    expect({ code, err }).toEqual({ code: 1, err: 'The result cannot be written: ENOSPC.\n' })
  })

  it('a database or a setting that does not work is one sentence', async () => {
    const nowhere = { ...env, DATABASE_URL: 'postgresql://u:hunter2@localhost:1/x' }
    const { code, out, err } = await operate(nowhere, ['project', 'list'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    const reason = /^The database of DATABASE_URL cannot be used: connect ECONNREFUSED .*:1\.\n$/
    expect(err).toMatch(reason)
    const badPort = await operate({ ...env, PORT: 'x' }, ['project', 'list'])
    expect(badPort).toMatchObject({ code: 1, out: '' })
    expect(badPort.err).toMatch(/^PORT is "x", but must be /)
  })
})
