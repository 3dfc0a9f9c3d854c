import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../core/limits.ts'
import { statement } from '../../core/sql.ts'
import { deployCode } from '../support/bot-code.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

type Body = { message?: string; dry_run?: boolean; rollback_to?: number | string }

const put = ({ client }: TestProject, path: string, content: string, encoding?: 'base64') =>
  client.ok('putFile', { path: { path }, body: { content, ...(encoding ? { encoding } : {}) } })
const bot = (text: string) => `export const onMessage = () => ${JSON.stringify(text)}`
const deploy = async ({ client }: TestProject, body: Body = {}) =>
  (await client.ok('createDeployment', { body })).deployment
const refused = ({ client }: TestProject, body: Body = {}) =>
  client.refused('createDeployment', 'build_failed', { body })

/** What production runs. */
async function production({ id: projectId }: TestProject) {
  const include = { production: true } as const
  const found = await service.ctx.db.bot.findUnique({ where: { projectId }, include })
  const { id, version, bundle } = found?.production ?? {}
  return { id, version, bundle, handlers: found?.handlers }
}

// As an earlier version of the service left them, which let go of none.
const insertVersions = statement(
  'test-insert-versions',
  `WITH made AS (
     INSERT INTO deployments
       (id, project_id, version, snapshot, changes, bundle, source_map, created_at)
     SELECT gen_random_uuid(), $1, version, 0, '[]', 'var bot = {}', '{}', now()
       FROM generate_series(2, $2::int) AS version
     RETURNING id
   ), file AS (
     INSERT INTO deployment_files (deployment_id, project_id, path, sha256)
     SELECT made.id, f.project_id, f.path, f.sha256
       FROM made CROSS JOIN deployment_files f WHERE f.project_id = $1
   )
   UPDATE bots SET last_version = $2 WHERE project_id = $1`,
)

describe('a deployment', () => {
  it('makes the files of the sandbox production, and is kept', async () => {
    const project = await service.project()
    const made = await deploy(project, { message: 'First' })

    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 1,
      status: 'production',
      message: 'First',
      changes: [
        { path: 'README.md', change: 'added' },
        { path: 'bot.ts', change: 'added' },
      ],
      created_at: service.ctx.now().toISOString(),
    })
    expect(await production(project)).toMatchObject({ id: made.id, handlers: ['onMessage'] })
    const path = { id: String(made.id) }
    expect(await project.client.ok('getDeployment', { path })).toEqual({ deployment: made })
  })

  it('tells what has changed since the one before, which it supersedes', async () => {
    const project = await service.project()
    await put(project, 'a.ts', '1')
    await put(project, 'same.ts', '1')
    const first = await deploy(project)
    await put(project, 'bot.ts', bot('second'))
    await put(project, 'b.ts', '2')
    await put(project, 'same.ts', '2')
    await put(project, 'same.ts', '1')
    await project.client.ok('deleteFile', { path: { path: 'a.ts' } })

    const second = await deploy(project)

    expect(second).toMatchObject({ version: 2, status: 'production', message: null })
    expect(second.changes).toEqual([
      { path: 'a.ts', change: 'removed' },
      { path: 'b.ts', change: 'added' },
      { path: 'bot.ts', change: 'modified' },
    ])
    const { deployments } = await project.client.ok('listDeployments')
    expect(deployments).toEqual([second, { ...first, status: 'superseded' }])
    expect((await production(project)).bundle).toContain('second')
  })

  it('is not touched by what is written afterwards', async () => {
    const project = await service.project()
    await deploy(project)
    const before = await production(project)
    await put(project, 'bot.ts', bot('a draft'))
    expect(await production(project)).toEqual(before)
  })

  it('changes nothing as a dry run, and tells the same', async () => {
    const project = await service.project()
    await deploy(project)
    await put(project, 'bot.ts', bot('tried'))
    const before = await production(project)

    const dry = await deploy(project, { dry_run: true, message: 'Tried' })

    expect(dry).toEqual({
      id: null,
      version: null,
      status: 'dry_run',
      message: 'Tried',
      changes: [{ path: 'bot.ts', change: 'modified' }],
      created_at: expect.any(String),
    })
    expect(await production(project)).toEqual(before)
    expect((await project.client.ok('listDeployments')).deployments).toHaveLength(1)
    expect((await deploy(project)).version).toBe(2)
  })

  it('is listed by pages, the newest first', async () => {
    const project = await service.project()
    for (let version = 1; version <= 5; version++) await deploy(project)
    const versions: unknown[] = []
    let cursor: string | undefined
    do {
      const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
      const page = await project.client.ok('listDeployments', { query })
      versions.push(page.deployments.map(({ version }) => version))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(versions).toEqual([[5, 4], [3, 2], [1]])

    const other = await service.project()
    const first = await project.client.ok('listDeployments', { query: { limit: 2 } })
    const query = { cursor: String(first.nextCursor) }
    await other.client.refused('listDeployments', 'invalid_cursor', { query })
  })
})

describe('code that cannot be deployed', () => {
  let project: TestProject
  let before: unknown
  beforeAll(async () => {
    project = await service.project()
    await deploy(project)
    before = await production(project)
  })
  afterAll(async () => {
    await put(project, 'bot.ts', bot('mended'))
    expect((await deploy(project)).version).toBe(2)
  })

  it.each([
    ['does not parse', 'export const onMessage = (', 'bot.ts', 1],
    ['imports what is not there', `\nimport './gone.ts'`, 'bot.ts', 2],
    ['imports a package', `import axios from 'axios'\nexport const onMessage = axios`, 'bot.ts', 1],
    ['throws when it is loaded', `export const onMessage = 1\nthrow new Error('no')`, 'bot.ts', 2],
    ['has no onMessage', 'export const onStatus = () => 1', 'bot.ts', null],
    ['has an onMessage that is no function', 'export const onMessage = 1', 'bot.ts', null],
    ['never ends loading', `export const onMessage = () => 1\nfor (;;);`, null, null],
    [
      'takes all memory',
      `const all = []\nfor (;;) all.push(new Array(1e6).fill(all))`,
      'bot.ts',
      2,
    ],
  ])('is refused when it %s, and production stays', async (_what, code, file, line) => {
    await put(project, 'bot.ts', code)
    for (const body of [{}, { dry_run: true }]) {
      const { status, details, message } = await refused(project, body)
      expect(status).toBe(502)
      const [fault] = details.errors as { file: unknown; line: unknown; text: string }[]
      expect(fault).toEqual({
        file,
        line,
        column: line === null ? null : expect.any(Number),
        text: expect.stringMatching(/./),
      })
      expect(message).toContain(fault?.text)
    }
    expect(await production(project)).toEqual(before)
    expect((await project.client.ok('listDeployments')).deployments).toHaveLength(1)
  })

  it('is refused when bot.ts is gone, or not a text', async () => {
    await put(project, 'bot.ts', Buffer.from([0xff, 0xfe]).toString('base64'), 'base64')
    const unreadable = { file: 'app.ts', line: 2, column: 22, text: 'bot.ts is not UTF-8.' }
    expect((await refused(project)).details).toEqual({ errors: [unreadable] })
    await project.client.ok('deleteFile', { path: { path: 'bot.ts' } })
    const gone = { text: 'There is no file bot.ts.' }
    expect((await refused(project)).details.errors).toMatchObject([gone])
    expect(await production(project)).toEqual(before)
  })

  it('does not mind what no code imports, unless that is code itself', async () => {
    const other = await service.project()
    await put(other, 'photo.txt', Buffer.from([0xff, 0xfe]).toString('base64'), 'base64')
    expect(await deploy(other)).toMatchObject({ status: 'production' })
    await put(other, 'broken.ts', 'export const (')
    expect((await refused(other)).details.errors).toMatchObject([{ file: 'broken.ts' }])
  })

  it('is refused when it is too much to build', async () => {
    const large = await service.project()
    const content = 'x'.repeat(1_048_000)
    for (let at = 0; at < 17; at++) await put(large, `large/${at}.txt`, `${content}${at}`)
    const { details } = await refused(large)
    expect(details.errors).toMatchObject([{ file: null, text: expect.stringContaining('bytes') }])
    await project.client.ok('ping')
  }, 60_000)
})

it.each(['build', 'check'] as const)(
  'asks to come again when too many wait for their %s, and says nothing against the code',
  async (step) => {
    const project = await service.project()
    const usual = { ...service.ctx.botCode }
    service.ctx.botCode[step] = async () => null
    try {
      const { status, details, headers } = await project.client.refused(
        'createDeployment',
        'rate_limited',
        { body: {} },
      )
      const resetAt = new Date(service.ctx.now().getTime() + 10_000).toISOString()
      const limit = LIMITS.buildsAtOnce
      expect(status).toBe(429)
      expect(details).toEqual({ limit_name: 'builds-at-once', limit, remaining: 0, resetAt })
      expect(headers.get('retry-after')).toBe('10')
    } finally {
      Object.assign(service.ctx.botCode, usual)
    }
    expect((await deploy(project)).version).toBe(1)
  },
)

describe('a rollback', () => {
  it('makes an earlier version production again, as a new one, and leaves the sandbox alone', async () => {
    const project = await service.project()
    await put(project, 'bot.ts', bot('first'))
    const first = await deploy(project)
    await put(project, 'bot.ts', `${bot('second')}\nexport const onStatus = () => 1`)
    await put(project, 'more.ts', '')
    const second = await deploy(project)
    await put(project, 'bot.ts', bot('a draft'))

    const third = await deploy(project, { rollback_to: 1, message: 'Back' })

    expect(third).toMatchObject({ version: 3, status: 'production', message: 'Back' })
    expect(third.changes).toEqual([
      { path: 'bot.ts', change: 'modified' },
      { path: 'more.ts', change: 'removed' },
    ])
    expect(await production(project)).toMatchObject({ id: third.id, handlers: ['onMessage'] })
    expect((await production(project)).bundle).toContain('first')
    const { file } = await project.client.ok('getFile', { path: { path: 'bot.ts' } })
    expect(file.content).toBe(bot('a draft'))

    const fourth = await deploy(project, { rollback_to: String(second.id) })
    expect(fourth.changes).toEqual([
      { path: 'bot.ts', change: 'modified' },
      { path: 'more.ts', change: 'added' },
    ])
    expect(await production(project)).toMatchObject({ handlers: ['onMessage', 'onStatus'] })

    const dry = await deploy(project, { rollback_to: String(first.id), dry_run: true })
    expect(dry).toMatchObject({ status: 'dry_run', changes: third.changes })
    expect(await production(project)).toMatchObject({ id: fourth.id })
  })

  it("finds no other project's, and none that never was", async () => {
    const [project, other] = [await service.project(), await service.project()]
    const theirs = await deploy(other)
    const never = '00000000-0000-4000-8000-000000000000'
    for (const rollback_to of [1, 2147483647, String(theirs.id), never]) {
      const body = { rollback_to }
      const { status } = await project.client.refused('createDeployment', 'not_found', { body })
      expect(status).toBe(404)
    }
    const path = { id: String(theirs.id) }
    await project.client.refused('getDeployment', 'not_found', { path })
    expect(await production(project)).toMatchObject({ id: undefined })
  })

  it('finds the newest versions and the one in production; of others only the record is kept', async () => {
    const project = await service.project()
    await put(project, 'gone.ts', '1')
    await deploy(project)
    await project.client.ok('deleteFile', { path: { path: 'gone.ts' } })
    const live = await deploy(project)
    // They read their files before what is live did, and so do not replace it.
    for (let made = 0; made < LIMITS.deploymentsKept; made++) {
      await deployCode(service.ctx, project.id, 'var bot = { onMessage() {} }')
    }
    const oldest = () =>
      service.ctx.db.deployment.findMany({
        where: { projectId: project.id, version: { lt: 4 } },
        orderBy: { version: 'asc' },
        include: { files: true },
      })
    const held = async () => {
      const versions = await oldest()
      return versions.map((one) => [one.bundle !== null, one.sourceMap !== null, one.files.length])
    }

    expect(await production(project)).toMatchObject({ id: live.id, version: 2 })
    expect(await held()).toEqual([
      [false, false, 0],
      [true, true, 2],
      [true, true, 0],
    ])
    const body = { rollback_to: 1 }
    const { message } = await project.client.refused('createDeployment', 'not_found', { body })
    expect(message).toBe(
      'The code of version 1 is no longer kept: one can go back to the newest 1000 versions, and to the one in production.',
    )
    expect(await deploy(project, { rollback_to: 2, dry_run: true })).toMatchObject({ changes: [] })

    expect(await deploy(project, { rollback_to: 3 })).toMatchObject({ status: 'production' })
    expect(await held()).toEqual([
      [false, false, 0],
      [false, false, 0],
      [false, false, 0],
    ])
    const path = { id: String(live.id) }
    expect(await project.client.ok('getDeployment', { path })).toEqual({
      deployment: { ...live, status: 'superseded' },
    })
  }, 60_000)

  it('finds less of what was never let go of with each deployment, the oldest first', async () => {
    const project = await service.project()
    await deploy(project)
    const { sql, db } = service.ctx
    await sql.rows(insertVersions, [project.id, LIMITS.deploymentsKept + 45])
    const old = { projectId: project.id, version: { lte: 48 }, bundle: { not: null } }
    const held = async () => {
      const found = await db.deployment.findMany({ where: old, orderBy: { version: 'asc' } })
      return found.map(({ version }) => version)
    }
    const from = (first: number) => Array.from({ length: 49 - first }, (_, n) => first + n)

    for (const first of [21, 41, 49]) {
      expect(await deploy(project)).toMatchObject({ status: 'production' })
      expect(await held()).toEqual(from(first))
    }
    const gone = { deployment: { projectId: project.id, version: { lte: 48 } } }
    expect(await db.deploymentFile.count({ where: gone })).toBe(0)
  })

  it.each([0, -1, 1.5, 2147483648, '1', 'first', '', true, null, [], {}])(
    'is refused to %j',
    async (rollbackTo) => {
      const project = await service.project()
      const body = { rollback_to: rollbackTo }
      await project.client.refused('createDeployment', 'invalid_request', { body })
    },
  )
})

describe('two deployments at the same time', () => {
  it('are both kept, and the one that has read the later files is production', async () => {
    const project = await service.project()
    await put(project, 'bot.ts', bot('the older files'))
    const { botCode } = service.ctx
    const gate = new EventEmitter()
    const { build } = botCode
    botCode.build = async (...asked) => {
      const opened = once(gate, 'open')
      gate.emit('begun')
      await opened
      return build(...asked)
    }
    const begun = once(gate, 'begun')
    const older = deploy(project)
    await begun
    botCode.build = build
    await put(project, 'bot.ts', bot('the newer files'))
    const newer = await deploy(project)

    gate.emit('open')

    expect(newer).toMatchObject({ version: 1, status: 'production' })
    expect(await older).toMatchObject({ version: 2, status: 'superseded' })
    expect(await production(project)).toMatchObject({ id: newer.id, version: 1 })
    expect((await production(project)).bundle).toContain('the newer files')
  })

  it('get versions of their own, and one of them is production', async () => {
    const project = await service.project()
    const made = await Promise.all(Array.from({ length: 8 }, () => deploy(project)))

    expect(made.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const { deployments } = await project.client.ok('listDeployments')
    expect(deployments.filter(({ status }) => status === 'production')).toHaveLength(1)
  })
})
