import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exchange } from '../support/raw.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject
let before: unknown
beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
  before = await project.client.ok('listFiles')
})
afterAll(async () => {
  expect(await project.client.ok('listFiles')).toEqual(before)
  await service.stop()
})

const body = { content: 'taken over' }
const METHODS = ['getFile', 'putFile', 'deleteFile'] as const
const partsOf = (method: (typeof METHODS)[number], path: string) => ({
  path: { path },
  ...(method === 'putFile' ? { body } : {}),
})

const HOSTILE = [
  ...['../etc/passwd', '../../etc/passwd', 'a/../b.ts', 'a/..', './bot.ts', 'a/./b.ts'],
  ...[
    '/etc/passwd',
    '//etc/passwd',
    'a//b.ts',
    'a/',
    '/',
    'bot.ts/',
    '.../x',
    'app.ts.',
    'bot.ts ',
  ],
  ...[' bot.ts', 'a/ /b', 'a\\b.ts', '..\\..\\etc\\passwd', 'C:\\boot.ini', 'C:/boot.ini', 'a:b'],
  ...['file:///etc/passwd', 'a*.ts', 'a?b', 'a"b', 'a<b', 'a>b', 'a|b', '%2e%2e/x', '%2E%2e%2fx'],
  ...['a%00b', 'bot.ts%00.png', 'a\nb', 'a\rb', 'a\tb', 'a\u007fb', 'a\u001b[2Jb', 'a\u0085b'],
  ...[
    'a\u200bb',
    'a\u200db',
    'a\u202eb',
    'a\ufeffb',
    'a\u00adb',
    'a\u2028b',
    'a\u00a0b',
    'a\u3000b',
  ],
  ...['a\ue000b', 'a\ufffeb', 'a\u034fb', 'a\ufe0fb', 'a\u115fb', 'cafe\u0301.ts', 'a\u212bb'],
  ...['x'.repeat(256), `${'d/'.repeat(300)}x`, '日'.repeat(256)],
]

describe.each(METHODS)('the path of %s', (method) => {
  it.each(HOSTILE)('is refused as %j', async (path) => {
    const parts = partsOf(method, path)
    const { status, details } = await project.client.refused(method, 'invalid_id', parts)
    expect(status).toBe(400)
    expect(details.errors).toEqual([{ path: 'path', message: expect.any(String) }])
  })
})

describe('a hostile path with plain slashes', () => {
  /** Sends a path as it is, which no HTTP client would do. */
  async function sent(method: string, address: string, key: string | null = project.key) {
    const content = method === 'PUT' ? JSON.stringify(body) : ''
    const head = [
      `${method} /v1/files/${address} HTTP/1.1`,
      ...['Host: service', 'Connection: close', 'Content-Type: application/json'],
      `Content-Length: ${content.length}`,
      ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
    ]
    const [answer] = await exchange(service.url, `${head.join('\r\n')}\r\n\r\n${content}`)
    const { error } = JSON.parse(answer?.body ?? '') as { error: { code: string } }
    return [answer?.status, error.code]
  }

  it.each([
    ...['.', '..', '../x', '../../etc/passwd', 'a/../b', 'a/..', 'a/./b', 'a//b', 'a/b/', '/etc'],
    ...['%2e', '%2e%2e', 'a/%2e%2e/b', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'a/%2E%2E%2Fb', '%2Fetc'],
    ...['%00', 'a/%00/b', '%', 'a/%zz', '%c3%28', '%ed%a0%80', 'a%5cb', 'a\\b', '%252e%252e%252fx'],
  ])('is refused as %s, after its credential', async (address) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect(await sent(method, address, null)).toEqual([401, 'api_key_required'])
      expect(await sent(method, address)).toEqual([400, 'invalid_id'])
    }
  })

  it('names nothing when there is no path at all', async () => {
    expect(await project.client.raw('GET', '/v1/files/')).toMatchObject({ status: 404 })
  })
})

const KEPT = [
  ...['app.ts', 'package.json', 'manifest.json', 'api/webhook.ts', 'api/send.ts'],
  ...['lib/bot.ts', 'lib/mine.ts', 'lib/a/b/c.ts', 'lib', '.platform', '.platform/state.json'],
  ...['flows/order.json', 'flows/a/b.json', 'flows', 'app.ts/x', 'api/send.ts/x'],
  // Twins, to a disk that does not tell cases apart or to a person's eye.
  ...['App.ts', 'APP.TS', 'Package.json', 'LIB/bot.ts', 'Lib', 'Flows/x.json', '.Platform/x'],
  ...['API/Webhook.ts', 'api/SEND.ts', 'ａpp.ts', 'app․ts', 'lib/ｂot.ts', 'pac\u212aage.json'],
  ...['ﬂows/x.json', 'ℒib/x.ts'],
]

describe.each(['putFile', 'deleteFile'] as const)('%s', (method) => {
  it.each(KEPT)('is refused for %s, which stays as it is', async (path) => {
    const seen = await project.client.send('getFile', { path: { path } })

    const parts = partsOf(method, path)
    const code = path.normalize('NFC') === path ? 'protected_file' : 'invalid_id'
    const { status } = await project.client.refused(method, code, parts)

    expect(status).toBe(code === 'protected_file' ? 403 : 400)
    const after = await project.client.send('getFile', { path: { path } })
    expect([after.status, contentOf(after.body)]).toEqual([seen.status, contentOf(seen.body)])
  })

  it.each(['apps.ts', 'library/x.ts', 'flow.ts', 'api/other.ts', 'src/app.ts', 'xlib/app.ts'])(
    'leaves %s to the project',
    async (path) => {
      await project.client.ok('putFile', { path: { path }, body })
      await project.client.ok('deleteFile', { path: { path } })
    },
  )
})

function contentOf(body: unknown): unknown {
  return (body as { data?: unknown }).data
}
