import { bodyOf, listen } from './channel.ts'

export type ListedTemplate = {
  id: string
  name: string
  language: string
  status: string
  category: string
  components: object[]
  parameter_format?: string
  rejected_reason?: string
}

type Answer = { status: number; body: unknown } | 'silence'

/** A channel of which a test says what templates it has, and what it answers. */
export async function listenForTemplates() {
  const templates: ListedTemplate[] = []
  const requests: { method: string; url: string; body: string }[] = []
  let answer: Answer | null = null
  let pageSize = 100
  let onList: (() => Promise<void>) | null = null
  const server = await listen(async (request, response) => {
    const body = (await bodyOf(request)).toString()
    const { method = '', url = '' } = request
    requests.push({ method, url, body })
    if (answer === 'silence') return
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof value === 'string' ? value : JSON.stringify(value))
    }
    if (answer) return send(answer.status, answer.body)
    await onList?.()
    const from = Number(new URL(url, 'http://channel').searchParams.get('after') ?? 0)
    const next = from + pageSize
    const more = next < templates.length ? { next: 'https://channel/next' } : {}
    send(200, {
      data: templates.slice(from, next),
      paging: { cursors: { before: String(from), after: String(next) }, ...more },
    })
  })
  return {
    ...server,
    templates,
    requests,
    /** What it answers to everything from now on; null for its templates. */
    answers: (next: Answer | null) => void (answer = next),
    pagesOf: (size: number) => void (pageSize = size),
    /** What happens while it is making up a page. */
    whileListing: (work: (() => Promise<void>) | null) => void (onList = work),
  }
}
