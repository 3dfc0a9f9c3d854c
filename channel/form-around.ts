import { randomUUID } from 'node:crypto'

/** What is written before and behind the bytes of the one file of a multipart form, and the form's content type. */
export function formAround(
  fields: Record<string, string>,
  { filename, mimeType }: { filename: string; mimeType: string },
): { head: string; tail: string; contentType: string } {
  const boundary = `form-${randomUUID()}`
  const part = (disposition: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`
  const before = Object.entries(fields).map(
    ([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`,
  )
  const file = part(`name="file"; filename="${quoted(filename)}"`)
  return {
    head: `${before.join('')}${file}Content-Type: ${mimeType}\r\n\r\n`,
    tail: `\r\n--${boundary}--\r\n`,
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

/** Escapes a filename as browsers do in forms. */
function quoted(filename: string): string {
  return filename.replace(/["\r\n]/g, encodeURIComponent)
}
