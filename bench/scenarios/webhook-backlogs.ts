import { randomUUID } from 'node:crypto'
import { PostgresJobRepository } from '@agendajs/postgres-backend'
import pg from 'pg'
import type PgBoss from 'pg-boss'
import type { Bed } from '../bed.ts'
import { fail } from '../contestants/contestant.ts'
import type { Delivery } from '../contestants/signed-posts.ts'
import { openBoss, type Queues } from '../contestants/webhook-queues.ts'
import { DATA, EVENT } from './webhook-ground.ts'

const DATABASE = 'bench_queues'
const INSERTED_AT_ONCE = 5_000

/** A database beside the service's, with the tables of both queues. */
export async function prepareQueues(bed: Bed): Promise<Queues> {
  const url = new URL(bed.databaseUrl)
  url.pathname = `/${DATABASE}`
  const queues = { databaseUrl: url.href, work: 'deliver' }
  await bed.admin.query(`CREATE DATABASE ${DATABASE}`)
  const jobs = new PostgresJobRepository({ connectionString: url.href })
  await jobs.connect()
  await jobs.disconnect()
  await withBoss(queues, (boss) => boss.createQueue(queues.work))
  return queues
}

// The rows that Agenda's own `now` inserts, but in one statement: inserting is not measured.
const INSERT_JOBS = `
  INSERT INTO agenda_jobs (name, next_run_at, data)
  SELECT $1, now(), jsonb_build_object('index', n, 'told', jsonb_build_object(
           'id', gen_random_uuid(), 'name', $2::text, 'createdAt', $3::text, 'data', $4::text))
    FROM generate_series(0, $5::int - 1) AS n`

/** Gives Agenda a job for each delivery, and removes what is left of the previous round. */
export async function fillJobs(queues: Queues, deliveries: number): Promise<void> {
  const client = new pg.Client({ connectionString: queues.databaseUrl })
  await client.connect()
  try {
    await client.query('TRUNCATE agenda_jobs')
    const createdAt = new Date().toISOString()
    await client.query(INSERT_JOBS, [queues.work, EVENT, createdAt, DATA, deliveries])
    await client.query('ANALYZE agenda_jobs')
  } finally {
    await client.end()
  }
}

/** The same for pg-boss, which accepts jobs in bulk. */
export async function fillQueue(queues: Queues, deliveries: number): Promise<void> {
  await withBoss(queues, async (boss) => {
    const sql = boss.getDb()
    await sql.executeSql('TRUNCATE pgboss.job', [])
    const createdAt = new Date().toISOString()
    for (let first = 0; first < deliveries; first += INSERTED_AT_ONCE) {
      const jobs = Array.from({ length: INSERTED_AT_ONCE }, (_, n) => {
        const told = { id: randomUUID(), name: EVENT, createdAt, data: DATA }
        const data: Delivery = { index: first + n, told }
        return { name: queues.work, data }
      })
      await boss.insert(jobs)
    }
    await sql.executeSql('ANALYZE pgboss.job', [])
  })
}

async function withBoss(queues: Queues, work: (boss: PgBoss) => Promise<void>): Promise<void> {
  const boss = await openBoss(queues, fail)
  try {
    await work(boss)
  } finally {
    await boss.stop({ graceful: false })
  }
}
