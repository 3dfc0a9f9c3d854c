import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as connections from '../../capabilities/projects/connections.ts'
import * as projects from '../../capabilities/projects/projects.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { Client, Parts } from '../support/client.ts'
import { exchange } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
/** Two projects of one agent, the second its default, and one that it does not reach. */
let first: TestProject
let second: TestProject
let foreign: TestProject
let agent: Client

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

beforeEach(async () => {
  first = await service.project()
  second = await service.project()
  foreign = await service.project()
  agent = await connect([first, second], second)
})

async function connect(
  reached: TestProject[],
  chosen?: TestProject,
  scopes = ['all'],
): Promise<Client> {
  const { token } = await connections.create(service.ctx, {
    name: 'Agent',
    grants: reached.map(({ id }) => ({ projectId: id, scopes })),
    defaultProjectId: chosen?.id,
  })
  return service.client.as(token)
}

const named = (name: string) => ({ headers: { 'X-Service-Project': name } })
const selected = async (client: Client, parts: { headers?: Record<string, string> } = {}) =>
  (await client.ok('ping', parts)).projectId

/** A write whose project was selected gets as far as the contact, of which there is none. */
const writes = (client: Client, code: ErrorCode, parts: Parts = {}) =>
  client.refused('updateContact', code, { path: { id: 1 }, body: { name: 'A' }, ...parts })
const reads = (client: Client, code: ErrorCode, parts: Parts = {}) =>
  client.refused('ping', code, parts)

async function refused(client: Client, code: ErrorCode, parts: Parts = {}): Promise<void> {
  await reads(client, code, parts)
  await writes(client, code, parts)
  await client.refused('sendMessage', code, {
    body: { type: 'text', phone: '+15550001234', content: 'A' },
    ...parts,
  })
}

describe('without X-Service-Project', () => {
  it("a token's read uses the connection's default project", async () => {
    expect(await selected(agent)).toBe(second.id)
  })

  it("a token's read uses the first attached project when no default was chosen", async () => {
    expect(await selected(await connect([second, first]))).toBe(second.id)
  })

  it("a token's write with two projects attached is 400 project_required, even with a default", async () => {
    await writes(agent, 'project_required')
    await agent.refused('sendMessage', 'project_required', { body: {} })
    await agent.refused('updateConversation', 'project_required', { path: { id: 1 }, body: {} })
  })

  it("a token's write with one project attached uses that", async () => {
    await writes(await connect([first]), 'not_found')
  })

  it("a key's read and write use its own project", async () => {
    expect(await selected(first.client)).toBe(first.id)
    await writes(first.client, 'not_found')
  })
})

describe('X-Service-Project', () => {
  it('names one of several projects, for reads and writes, in any case and with space around it', async () => {
    for (const { id } of [first, second]) {
      for (const name of [id, id.toUpperCase(), `  ${id}\t`]) {
        expect(await selected(agent, named(name))).toBe(id)
        await writes(agent, 'not_found', named(name))
      }
    }
  })

  it("may name a key's own project, in any case", async () => {
    expect(await selected(first.client, named(first.id.toUpperCase()))).toBe(first.id)
    await writes(first.client, 'not_found', named(first.id))
  })

  it('that names a project not attached to the token is 403 project_not_attached', async () => {
    await refused(agent, 'project_not_attached', named(foreign.id))
  })

  it('that names another project than the key has is 403 project_not_attached', async () => {
    await refused(first.client, 'project_not_attached', named(second.id))
  })

  it('answers the same for a project that exists elsewhere and one that exists nowhere', async () => {
    const [elsewhere, nowhere] = await Promise.all(
      [foreign.id, 'no-such-project'].map((id) =>
        agent.refused('ping', 'project_not_attached', named(id)),
      ),
    )
    expect(elsewhere!.message).toBe(nowhere!.message)
    expect(elsewhere!.details).toEqual(nowhere!.details)
  })

  it.each(['*', "' OR 1=1 --", 'p1,p2', '__proto__', 'x'.repeat(10_000), 'null', 'p%31', '\xfc'])(
    'that is no id at all is 403 project_not_attached: %s',
    async (name) => {
      await reads(agent, 'project_not_attached', named(name))
      await reads(first.client, 'project_not_attached', named(name))
    },
  )

  it('that lists two projects is 403 project_not_attached', async () => {
    await refused(agent, 'project_not_attached', named(`${first.id}, ${second.id}`))
  })

  it.each(['', ' ', '\t', '   \t '])(
    'that is blank is 400 invalid_project_header: %j',
    async (blank) => {
      const none = await connect([])
      for (const client of [agent, first.client, none])
        await refused(client, 'invalid_project_header', named(blank))
    },
  )

  it('that is sent twice is 400 invalid_project_header, even when both agree', async () => {
    for (const names of [
      [first.id, first.id],
      [first.id, second.id],
      ['', first.id],
    ]) {
      const fields = names.map((name) => `X-Service-Project: ${name}\r\n`).join('')
      const head = `Host: a\r\nConnection: close\r\nAuthorization: Bearer ${first.key}\r\n${fields}`
      const [answer] = await exchange(service.url, `GET /v1/ping HTTP/1.1\r\n${head}\r\n`)
      expect(JSON.parse(answer!.body)).toMatchObject({ error: { code: 'invalid_project_header' } })
    }
  })
})

describe('a connection with no projects', () => {
  it('is 403 no_project_access, whatever it names', async () => {
    const none = await connect([])
    await refused(none, 'no_project_access')
    await refused(none, 'no_project_access', named(first.id))
  })

  it('is what a connection becomes when its last project is detached, at once', async () => {
    const { token, connection } = await connections.create(service.ctx, {
      name: 'Agent',
      grants: [{ projectId: first.id, scopes: ['all'] }],
    })
    const client = service.client.as(token)
    expect(await selected(client)).toBe(first.id)
    await connections.detach(service.ctx, connection.id, first.id)

    await refused(client, 'no_project_access')
    expect((await client.ok('listProjects')).projects).toEqual([])
  })
})

describe('the default of a connection', () => {
  const granted = (...reached: TestProject[]) =>
    reached.map(({ id }) => ({ projectId: id, scopes: ['all'] }))

  it('is the project that was attached first, whatever they are called', async () => {
    const grants = granted(second, first)
    const { token } = await connections.create(service.ctx, { name: 'Agent', grants })
    expect(await selected(service.client.as(token))).toBe(second.id)
  })

  it('stays when another project is detached', async () => {
    const third = await service.project()
    const { token, connection } = await connections.create(service.ctx, {
      name: 'Agent',
      grants: granted(first, second, third),
      defaultProjectId: third.id,
    })
    await connections.detach(service.ctx, connection.id, first.id)
    expect(await selected(service.client.as(token))).toBe(third.id)
  })
})

describe('scopes', () => {
  it('are those of the selected project alone: they never pool', async () => {
    const { token } = await connections.create(service.ctx, {
      name: 'Agent',
      grants: [
        { projectId: first.id, scopes: ['contacts:read'] },
        { projectId: second.id, scopes: ['conversations:read', 'contacts:write'] },
      ],
    })
    const client = service.client.as(token)

    await client.ok('listContacts', named(first.id))
    await client.ok('listConversations', named(second.id))
    const { details } = await client.refused('listContacts', 'insufficient_scope', named(second.id))
    await client.refused('listConversations', 'insufficient_scope', named(first.id))
    await writes(client, 'insufficient_scope', named(first.id))
    await writes(client, 'not_found', named(second.id))

    expect(details).toEqual({
      required: ['contacts:read'],
      held: ['contacts:write', 'conversations:read'].sort(byCatalogue),
      project_id: second.id,
    })
    expect((await client.ok('ping', named(first.id))).scopes).toEqual(['contacts:read'])
  })

  const byCatalogue = (a: string) => (a === 'conversations:read' ? -1 : 1)

  it('are missed only after the project was found: a foreign project is not told by its scopes', async () => {
    const narrow = await connect([first], first, ['code:read'])
    await narrow.refused('listContacts', 'project_not_attached', named(foreign.id))
    await narrow.refused('listContacts', 'insufficient_scope')
  })
})

describe('a project that is paused', () => {
  it('is 403 project_inactive for key and token, read and write, and the others go on', async () => {
    await projects.setStatus(service.ctx, second.id, 'paused')

    await refused(second.client, 'project_inactive')
    await reads(agent, 'project_inactive')
    await refused(agent, 'project_inactive', named(second.id))
    expect(await selected(agent, named(first.id))).toBe(first.id)

    await projects.setStatus(service.ctx, second.id, 'active')
    expect(await selected(agent)).toBe(second.id)
    expect(await selected(second.client)).toBe(second.id)
  })
})

describe('a project that is deleted', () => {
  it('is 404 PROJECT_NOT_FOUND for a token, and 403 project_inactive for its key', async () => {
    await projects.setStatus(service.ctx, second.id, 'deleted')

    await reads(agent, 'PROJECT_NOT_FOUND')
    await refused(agent, 'PROJECT_NOT_FOUND', named(second.id))
    await refused(second.client, 'project_inactive')
    expect(await selected(agent, named(first.id))).toBe(first.id)
  })
})

describe('GET /v1/projects', () => {
  it("lists one project for a key, and all of a token's with their own scopes and the default", async () => {
    const own = await first.client.ok('listProjects')
    const all = await agent.ok('listProjects')

    expect(own.projects).toMatchObject([{ id: first.id, is_default: true }])
    expect(all.projects).toMatchObject([
      { id: first.id, is_default: false },
      { id: second.id, is_default: true },
    ])
  })

  it.each(['', '  ', 'no-such-project'])('ignores X-Service-Project, even %j', async (name) => {
    for (const client of [first.client, agent, await connect([])]) {
      expect(await client.ok('listProjects', named(name))).toEqual(await client.ok('listProjects'))
    }
  })

  it('works while the default project is paused, and leaves out a deleted one', async () => {
    await projects.setStatus(service.ctx, second.id, 'paused')
    expect((await agent.ok('listProjects')).projects.map(({ id }) => id)).toEqual([
      first.id,
      second.id,
    ])
    expect((await second.client.ok('listProjects')).projects.map(({ id }) => id)).toEqual([
      second.id,
    ])

    await projects.setStatus(service.ctx, second.id, 'deleted')
    expect((await agent.ok('listProjects')).projects.map(({ id }) => id)).toEqual([first.id])
    await second.client.refused('listProjects', 'project_inactive')
  })

  it('still needs a credential', async () => {
    await service.client.refused('listProjects', 'api_key_required')
  })
})
