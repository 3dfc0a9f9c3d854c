import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as projects from '../../capabilities/projects/projects.ts'
import { purge, PURGED_TABLES } from '../../capabilities/projects/project-purge.ts'
import { oneOff } from '../../core/sql.ts'
import { deliveriesOf, happen, register } from '../support/deliveries.ts'
import { operate } from '../support/operator.ts'
import { makeResources } from '../support/resources.ts'
import {
  startTestService,
  TEST_ENCRYPTION_KEY,
  type TestProject,
  type TestService,
} from '../support/service.ts'
import { putRecipients } from '../support/broadcasts.ts'

/** Tables whose rows go otherwise: with what lets anybody reach the project, with its tables and with its media. */
const OTHERWISE = [
  ...['api_keys', 'connection_grants', 'channel_accounts'],
  ...['table_schemas', 'media', 'former_media_copies'],
]

let service: TestService
let project: TestProject
let name: string
beforeAll(async () => {
  service = await startTestService()
  const agent = { id: 'agent', name: 'Agent', prefix: 'ct_', tokenHash: Buffer.alloc(32) }
  await service.ctx.db.connection.create({ data: agent })
})
afterAll(() => service.stop())
beforeEach(async () => {
  project = await service.project()
  name = (await projects.require(service.ctx, project.id)).name
})

const rowsOf = async (text: string, values: unknown[] = []) =>
  (await service.ctx.sql.rows(oneOff(text), values)).map(([one]) => one ?? '')

const tablesOfProjects = () =>
  rowsOf(
    `SELECT table_name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'project_id' ORDER BY 1`,
  )

/** How many rows of a project there are, by table; without those that have none. */
async function countsOf({ id }: TestProject): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tablesOfProjects()) {
    const [count] = await rowsOf(`SELECT count(*) FROM ${table} WHERE project_id = $1`, [id])
    if (Number(count) > 0) counts[table] = Number(count)
  }
  return counts
}

/** Rows of what is kept for a while only, or rarely. */
const PASSING = [
  `WITH run AS (INSERT INTO bot_runs (project_id, conversation_id, message_id, created_at)
     VALUES ($1, 1, 1, now()) RETURNING id)
   INSERT INTO bot_calls (run_id, call, answer) SELECT id, 'send 1', 'null' FROM run`,
  `INSERT INTO bot_log_lines (project_id, run_id, conversation_id, level, text, at)
   VALUES ($1, 1, 1, 'info', 'Hi', now())`,
  `INSERT INTO broadcast_audits (broadcast_id, project_id, action, actor)
   SELECT id, $1, 'approved', 'Kim' FROM broadcasts WHERE project_id = $1`,
  `INSERT INTO send_attempts (id, project_id, conversation_id, contact_id, message)
   VALUES (gen_random_uuid(), $1, 1, 1, '{}')`,
  `INSERT INTO idempotency_records (project_id, key, fingerprint, attempt_id, request_id, locked_until, expires_at)
   VALUES ($1, 'k', '', gen_random_uuid(), 'r', now(), now())`,
  `INSERT INTO parked_statuses (project_id, wamid, status, at) VALUES ($1, 'w', 'sent', now())`,
  `INSERT INTO unread_callbacks (project_id, reason, body) VALUES ($1, 'odd', '{}')`,
  `INSERT INTO joined_contacts (project_id, contact_id, into_contact_id)
   SELECT $1, -id, id FROM contacts WHERE project_id = $1`,
  `INSERT INTO conversation_states (project_id, state) VALUES ($1, 'vip')`,
  `INSERT INTO parked_template_statuses (project_id, name, language, status, at)
   VALUES ($1, 'n', 'en', 'APPROVED', now())`,
  `INSERT INTO heard_template_news (project_id, digest) VALUES ($1, 'd')`,
  'INSERT INTO template_syncs (project_id, started_at) VALUES ($1, now())',
  'INSERT INTO flow_syncs (project_id, started_at) VALUES ($1, now())',
  `INSERT INTO header_samples (handle_hash, project_id, format, channel_handle, expires_at)
   VALUES (decode(md5($1), 'hex'), $1, 'IMAGE', 'h', now())`,
  `INSERT INTO media_leases (project_id, name, locked_until) VALUES ($1, 'm', now())`,
  `INSERT INTO row_cursors (id, project_id, position) VALUES (gen_random_uuid(), $1, '[]')`,
  `INSERT INTO former_media_copies (project_id, media_id, slug, expires_at)
   SELECT $1, 'c', slug, now() FROM media WHERE project_id = $1`,
  `INSERT INTO deployment_files (deployment_id, path, project_id, sha256)
   SELECT d.id, f.path, $1, f.sha256 FROM deployments d JOIN code_files f USING (project_id)
    WHERE d.project_id = $1 LIMIT 1`,
  `UPDATE bots b SET production_id = d.id FROM deployments d
    WHERE b.project_id = $1 AND d.project_id = $1`,
  `WITH first AS (SELECT * FROM broadcasts WHERE project_id = $1 LIMIT 1)
   INSERT INTO broadcasts (id, project_id, name, template_name, template_language, category, filter,
     template_variables, created_by, creator_name, retarget_parent_id)
   SELECT gen_random_uuid(), $1, name, template_name, template_language, category, filter,
          template_variables, created_by, creator_name, id FROM first`,
  `INSERT INTO connection_grants (connection_id, project_id, scopes) VALUES ('agent', $1, '{}')`,
]

/** A project with one of everything, and with what happens to these. */
async function fill(filled: TestProject): Promise<{ webhookId: string }> {
  await makeResources(service, filled)
  const approved = {
    approvedAt: service.ctx.now(),
    approvedBy: 'Kim',
    approvalDigest: Buffer.alloc(32),
  }
  const data = { status: 'sending', ...approved }
  await service.ctx.db.broadcast.updateMany({ where: { projectId: filled.id }, data })
  const { broadcasts } = await filled.client.ok('listBroadcasts')
  for (const one of broadcasts) await putRecipients(service, one, ['queued', 'held', 'sent'])
  const { id: webhookId } = await register(filled, 'https://hooks.example.com/paid')
  await happen(service, filled, [{ name: 'order.paid' }])
  for (const text of PASSING) await rowsOf(text, [filled.id])
  return { webhookId }
}

const command = (id: string, of: string) =>
  operate(
    {
      DATABASE_URL: service.databaseUrl,
      DATA_DIR: service.ctx.config.dataDir,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    },
    ['project', 'purge', id, '--name', of],
  )
const purging = (stop = new AbortController().signal) =>
  purge(service.ctx, project.id, { name, onProgress: () => {}, stop })

describe('a purge of a deleted project', () => {
  it('leaves nothing of it, and all of another', async () => {
    const other = await service.project()
    const { webhookId } = await fill(project)
    await fill(other)
    const before = await countsOf(other)
    const schemas = await rowsOf('SELECT name FROM table_schemas WHERE project_id = $1', [
      project.id,
    ])
    const keys = await rowsOf('SELECT store_key FROM media WHERE project_id = $1', [project.id])
    expect(Object.keys(before).sort()).toEqual(await tablesOfProjects())
    await projects.setStatus(service.ctx, project.id, 'deleted')
    const { out, code } = await command(project.id, name)

    expect([code, JSON.parse(out)]).toEqual([
      0,
      { purged: { id: project.id, rows: expect.any(Number), table_sets: 1, files: 1 } },
    ])
    expect(await countsOf(project)).toEqual({})
    expect(await deliveriesOf(service.ctx, webhookId)).toEqual([])
    expect(await countsOf(other)).toEqual(before)
    for (const schema of schemas) {
      expect(await rowsOf('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).toEqual([])
      const roles = 'SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)'
      expect(await rowsOf(roles, [schema])).toEqual([])
    }
    for (const key of keys) expect(await service.ctx.mediaStore.open(key)).toBeNull()
    await expect(projects.resolveId(service.ctx, project.id)).rejects.toThrow('There is no project')
  })

  it('goes through every table that holds rows of projects', async () => {
    const purged = PURGED_TABLES.map(([table]) => table)
    const rest = (await tablesOfProjects()).filter((table) => !purged.includes(table))
    expect(rest.sort()).toEqual([...OTHERWISE].sort())
  })

  it('that was stopped can be made again, and nobody can resume what is left', async () => {
    await fill(project)
    await projects.setStatus(service.ctx, project.id, 'deleted')
    const reason = new Error('The command was stopped.')
    await expect(purging(AbortSignal.abort(reason))).rejects.toThrow(reason)
    expect(Object.keys(await countsOf(project)).length).toBeGreaterThan(10)
    await expect(projects.setStatus(service.ctx, project.id, 'active')).rejects.toMatchObject({
      code: 'PROJECT_NOT_FOUND',
    })
    await purging()
    expect(await countsOf(project)).toEqual({})
  })

  it('is made again where something has come in the meantime', async () => {
    const { contact } = await service.customer(project)
    await projects.setStatus(service.ctx, project.id, 'deleted')
    let isLate = false
    const sql: TestService['ctx']['sql'] = {
      ...service.ctx.sql,
      async rows(asked, values) {
        if (asked.name === 'purge-project' && !isLate) {
          isLate = true
          const late = `INSERT INTO contacts (project_id, phone) VALUES ($1, '+15550009999')`
          await service.ctx.sql.rows(oneOff(late), [project.id])
        }
        return service.ctx.sql.rows(asked, values)
      },
    }
    const stop = new AbortController().signal
    const { rows } = await purge({ ...service.ctx, sql }, project.id, {
      name,
      onProgress: () => {},
      stop,
    })

    expect(isLate).toBe(true)
    expect(contact.id).toBeGreaterThan(0)
    expect(rows).toBeGreaterThan(2)
    expect(await countsOf(project)).toEqual({})
  })

  it('is refused while it is in use, or under another name', async () => {
    const active = `The project ${project.id} is active: delete it first.`
    await expect(purging()).rejects.toThrow(active)
    await projects.setStatus(service.ctx, project.id, 'deleted')
    const before = await countsOf(project)
    const { code, err } = await command(project.id, 'Another')

    expect([code, err]).toEqual([1, `The name of ${project.id} is "${name}".\n`])
    expect(await countsOf(project)).toEqual(before)
  })
})
