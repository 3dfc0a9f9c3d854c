import PgBoss from 'pg-boss'

/** The database of the queues that the pipeline is compared with, and what they call the work. */
export type Queues = { databaseUrl: string; work: string }

/** Opens pg-boss with nothing but its queue: no schedules, and no looking after what is over. */
export async function openBoss(
  { databaseUrl }: Pick<Queues, 'databaseUrl'>,
  onError: (error: unknown) => void,
): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false })
  boss.on('error', onError)
  return boss.start()
}
