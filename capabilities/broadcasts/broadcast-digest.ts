import { createHash } from 'node:crypto'
import { type SqlClient, statement } from '../../core/sql.ts'

// Everything that decides who gets what. PostgreSQL prints equal jsonb values identically, whoever wrote them.
const read = statement(
  'read-broadcast-approval',
  `SELECT encode(b.approval_digest, 'hex'), t.status, t.category = b.category,
          b.project_id, b.template_name, b.template_language, b.category, b.segment_id, b.filter,
          b.template_variables, b.header, b.scheduled_at, b.wave_size, b.auto_retarget_quality,
          b.retarget_parent_id, t.category, t.parameter_format, t.components
     FROM broadcasts b
     LEFT JOIN templates t ON t.project_id = b.project_id AND t.name = b.template_name
       AND t.language = b.template_language
    WHERE b.id = $1`,
)

/** What can be wrong with the template of a broadcast. */
export type TemplateFault =
  'template_not_found' | 'template_not_approved' | 'template_recategorised'

const SENTENCES: Record<TemplateFault | 'changed_after_approval', string> = {
  template_not_found: 'The template is gone.',
  template_not_approved: 'The template is not approved at this moment.',
  template_recategorised: 'The channel has moved the template to another category.',
  changed_after_approval: 'The template or the broadcast is not what was approved.',
}

export type Approval = {
  /** SHA-256 of the broadcast and its template as they are now. */
  digest: Buffer
  /** Null when the template can be sent. */
  templateFault: TemplateFault | null
  /** The digest that was approved, in hexadecimal; null before that. */
  approved: string | null
}

/** What is to be approved, or was approved, as of now; throws when there is no such broadcast. */
export async function readApproval(tx: SqlClient, id: string): Promise<Approval> {
  const [row] = await tx.rows(read, [id])
  if (!row) throw new Error(`There is no broadcast ${id}`)
  const [approved = null, status, isSameCategory, ...parts] = row
  return {
    digest: createHash('sha256').update(JSON.stringify(parts)).digest(),
    templateFault: templateFault(status ?? null, isSameCategory === 't'),
    approved,
  }
}

function templateFault(status: string | null, isSameCategory: boolean): TemplateFault | null {
  if (status === null) return 'template_not_found'
  if (status !== 'APPROVED') return 'template_not_approved'
  return isSameCategory ? null : 'template_recategorised'
}

/**
 * Why a broadcast may not go on, in a sentence, or null: its template is no longer approved, or something
 * differs from what an operator approved. Checked whenever recipients are queued.
 */
export async function faultOf(tx: SqlClient, id: string): Promise<string | null> {
  const { digest, templateFault, approved } = await readApproval(tx, id)
  if (templateFault !== null) return SENTENCES[templateFault]
  return digest.toString('hex') === approved ? null : SENTENCES.changed_after_approval
}
