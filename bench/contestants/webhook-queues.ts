import PgBoss from 'pg-boss'

/** The database of the queues that the pipeline is compared with, and the name of the work in them. */
export type Queues = { databaseUrl: string; work: string }

/** Opens pg-boss with its queue only, without schedules or maintenance. */
export async function openBoss(
  { databaseUrl }: Pick<Queues, 'databaseUrl'>,
  onError: (error: unknown) => void,
): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false })
  boss.on('error', onError)
  return boss.start()
}
