import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PROJECT_ROOT } from '../../core/root.ts'
import { firstRun } from '../../first-run.ts'
import { startTestService, type TestService } from '../support/service.ts'

const readme = readFileSync(path.join(PROJECT_ROOT, 'README.md'), 'utf8')

/** Each `curl` of the README, and the line after it, which says what is answered. */
const requests = [...readme.matchAll(/^curl -s localhost:3000(\S+)((?:.*\\\n)*.*)\n# (.*)$/gm)].map(
  ([, address = '', rest = '', answer = '']) => ({ address, rest, answer }),
)

let service: TestService
let key: string | null
beforeAll(async () => {
  service = await startTestService()
  key = await firstRun(service.ctx, service.url)
})
afterAll(() => service.stop())

describe('the requests of the README', () => {
  it('are all found', () => {
    expect(requests).toHaveLength(readme.match(/^curl -s localhost/gm)?.length ?? 0)
  })

  it.each(requests)('$address is answered on the first start with $answer', async (request) => {
    const { address, rest, answer } = request
    const headers = [...rest.matchAll(/-H (['"])([^:]+): (.*?)\1/g)].map(
      ([, , name = '', value = '']): [string, string] => [name, value.replace('$KEY', key ?? '')],
    )
    const body = /-d '([^']*)'/.exec(rest)?.[1]

    const response = await fetch(service.url + address, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body === undefined ? {} : { body }),
    })

    const words = answer.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    expect(await response.text()).toMatch(new RegExp(`^${words.join('.+')}$`))
  })
})
