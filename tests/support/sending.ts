import { statement } from '../../core/sql.ts'
import { checkAnswer } from './responses.ts'
import type { TestService } from './service.ts'

export type SendAnswer = {
  status: number
  /** The body, byte for byte. */
  text: string
  code: string | null
  wamid: string | null
  headers: Headers
  isReplay: boolean
}

type Body = object | string

/** Sends a message, as text where the bytes matter, and holds the answer against the contract. */
export async function sendAs(
  { url }: { url: string },
  bearer: string,
  body: Body,
  headers: Record<string, string> = {},
): Promise<SendAnswer> {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const json = JSON.parse(text) as { error?: { code: string }; data?: { id: string } }
  checkAnswer('sendMessage', { status: response.status, headers: response.headers, body: json })
  return {
    status: response.status,
    headers: response.headers,
    text,
    code: json.error?.code ?? null,
    wamid: json.data?.id ?? null,
    isReplay: response.headers.get('idempotent-replayed') === 'true',
  }
}

const budget = statement(
  'test-send-budget',
  'SELECT credits, used, day FROM send_budgets WHERE project_id = $1',
)

/** What a project has left, and what it has used on the day that stands there. */
export async function budgetOf({ ctx }: TestService, projectId: string) {
  const [row] = await ctx.sql.rows(budget, [projectId])
  const [credits, used, day] = row ?? []
  return { credits: credits == null ? null : Number(credits), used: Number(used), day: day ?? '' }
}

const attempts = statement(
  'test-attempts-of-project',
  'SELECT id FROM send_attempts WHERE project_id = $1 ORDER BY created_at, id',
)

/** The sends whose outcome is not known yet. */
export async function attemptsOf({ ctx }: TestService, projectId: string): Promise<string[]> {
  return (await ctx.sql.rows(attempts, [projectId])).map(([id]) => id ?? '')
}

const template = statement(
  'test-insert-template',
  `INSERT INTO templates (id, project_id, name, language, category, status, components)
   VALUES ($2, $1, $2, 'en_US', 'UTILITY', $3, '[{"type": "BODY", "text": "Hello {{1}}"}]')`,
)

/** Stores a template with one variable; answers with the body that sends it. */
export async function templateOf(
  { ctx }: TestService,
  projectId: string,
  { name = 'greeting', status = 'APPROVED', phone = '+15550001234' } = {},
) {
  await ctx.sql.rows(template, [projectId, name, status])
  const named = { template_name: name, language: 'en_US', variables: { '1': 'Ana' } }
  return { type: 'template', phone, ...named }
}
