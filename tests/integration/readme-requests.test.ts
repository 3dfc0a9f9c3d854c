import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'
import { firstRun } from '../../first-run.ts'
import { startTestService, type TestService } from '../support/service.ts'

type Shown = { method: string | undefined; address: string; rest: string; answer: string }

/** Each `curl` of a document, and the line after it where that says what is answered. */
function requestsIn(name: string): Shown[] {
  const text = readFileSync(path.join(PROJECT_ROOT, name), 'utf8')
  const curl = /^curl -s (?:-X (\w+) )?(?:localhost:3000|\$URL)(\S+)((?:.*\\\n)*.*)(?:\n# (.*))?$/gm
  const found = [...text.matchAll(curl)].map(
    ([, method, address = '', rest = '', answer = '']) => ({
      method,
      address,
      rest,
      answer,
    }),
  )
  expect(found).toHaveLength(text.match(/^curl -s/gm)?.length ?? 0)
  return found
}

let service: TestService
let key: string | null
beforeAll(async () => {
  service = await startTestService()
  key = await firstRun(service.ctx, service.url)
})
afterAll(() => service.stop())

async function send({ method, address, rest }: Shown): Promise<string> {
  const headers = [...rest.matchAll(/-H (['"])([^:]+): (.*?)\1/g)].map(
    ([, , name = '', value = '']): [string, string] => [name, value.replace('$KEY', key ?? '')],
  )
  const body = /-d '([^']*)'/.exec(rest)?.[1]
  const response = await fetch(service.url + address, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body }),
  })
  return response.text()
}

describe('the requests of the README', () => {
  it.each(requestsIn('README.md'))('$address is answered with $answer', async (request) => {
    const parts = request.answer.split('…')
    const words = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    expect(await send(request)).toMatch(new RegExp(`^${words.join('.+')}$`))
  })
})

describe('the requests of the README of a bot', () => {
  it.each(requestsIn('bot/starter/README.md'))('$method $address succeeds', async (request) => {
    expect(await send(request)).toContain('"success":true')
  })
})
