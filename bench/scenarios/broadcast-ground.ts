import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import type { Bed } from '../bed.ts'
import { fillProject, type Filled } from '../projects.ts'

/** The recipients of the broadcast of one round, which takes one or two seconds. */
export const ROUND = 4_000

/** A project with a template and contacts, which are tagged with their round. */
export async function prepare(
  bed: Bed,
  wanted: Parameters<typeof fillProject>[1],
): Promise<Filled> {
  const { admin } = bed
  const project = await fillProject(bed, wanted)
  await admin.query(
    `UPDATE contacts k SET tags = ARRAY['round-' || n.place / ${ROUND}]
       FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM contacts
              WHERE project_id = $1) n WHERE n.id = k.id`,
    [project.id],
  )
  await admin.query(
    `INSERT INTO templates (id, project_id, name, language, category, status, components)
     VALUES ($1, $1, 'offer', 'en_US', 'UTILITY', 'APPROVED',
       '[{"type": "BODY", "text": "Hello {{1}}, your order is on its way."}]')`,
    [project.id],
  )
  // The channel of this run lists no templates, so they must not be fetched during its few minutes.
  await admin.query(
    `INSERT INTO template_syncs (project_id, started_at) VALUES ($1, now())
     ON CONFLICT (project_id) DO UPDATE SET started_at = excluded.started_at`,
    [project.id],
  )
  await admin.query('VACUUM ANALYZE contacts')
  return project
}

type Draft = { conditions: object[]; scheduledAt?: Date; waveSize?: number }

/** Creates a broadcast like a caller, and approves it like an operator. */
export async function approve({ product, opened }: Bed, { secret }: Filled, draft: Draft) {
  const { conditions, scheduledAt, waveSize } = draft
  const answer = await fetch(`${product.url}/v1/broadcasts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Bench',
      template_name: 'offer',
      template_language: 'en_US',
      audience: { filter: { match: 'all', conditions } },
      template_variables: { '1': { field: 'name', fallback: 'there' } },
      ...(scheduledAt ? { scheduled_at: scheduledAt.toISOString() } : {}),
      ...(waveSize === undefined ? {} : { wave_size: waveSize }),
    }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The broadcast was not created: ${text}`)
  const { id } = (JSON.parse(text) as { data: { broadcast: { id: string } } }).data.broadcast
  await broadcastApprovals.approve(opened.ctx, id, { by: 'bench' })
  return id
}
