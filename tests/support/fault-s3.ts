import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyOf, listen } from './channel.ts'

/**
 * How it misbehaves: it answers with that status; accepts and never answers; answers with the head alone; breaks
 * off in the middle of a body; has an object that is shorter, or longer, than the one that was put.
 */
export type S3Fault = 'pass' | 'mute' | 'stuck' | 'cut' | 'short' | 'long' | number

type Method = 'PUT' | 'GET' | 'DELETE'

/** A bucket in this process that misbehaves as told, from one moment to the next. */
export async function startFaultS3() {
  const objects = new Map<string, Buffer>()
  const faults = new Map<string, S3Fault>()
  const asked: string[] = []
  const server = await listen((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method as Method
    const key = new URL(request.url ?? '', 'http://s3').pathname
    const fault = faults.get(method) ?? 'pass'
    asked.push(`${method} ${fault}`)
    if (fault === 'mute') return
    const body = await bodyOf(request)
    if (typeof fault === 'number') return refuse(response, fault, 'SlowDown')
    if (method === 'PUT') objects.set(key, body)
    if (method === 'DELETE') objects.delete(key)
    if (method !== 'GET') return void response.writeHead(method === 'PUT' ? 200 : 204).end()
    const found = objects.get(key)
    if (!found) return refuse(response, 404, 'NoSuchKey')
    send(response, found, fault)
  }

  return {
    url: `s3+http://KEY:SECRET@${new URL(server.url).host}/media?region=eu-central-1`,
    objects,
    asked,
    /** Misbehaves so from now on, in what it is asked by one method, or by any. */
    become(fault: S3Fault, method?: Method) {
      for (const one of method ? [method] : ['PUT', 'GET', 'DELETE']) faults.set(one, fault)
    },
    stop: server.close,
  }
}

function send(response: ServerResponse, found: Buffer, fault: S3Fault): void {
  const half = found.subarray(0, Math.floor(found.length / 2))
  const [body, length] =
    fault === 'short'
      ? [half, half.length]
      : fault === 'long'
        ? [Buffer.concat([found, found]), 2 * found.length]
        : [found, found.length]
  response.writeHead(200, { 'Content-Length': length })
  if (fault === 'stuck') return void response.write(half)
  if (fault === 'cut') return void response.write(half, () => response.destroy())
  response.end(body)
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' })
  response.end(`<Error><Code>${code}</Code><Message>No</Message></Error>`)
}
