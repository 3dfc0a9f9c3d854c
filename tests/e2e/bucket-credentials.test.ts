import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { listen } from '../support/channel.ts'
import { createClient } from '../support/client.ts'
import { runProgram } from '../support/operator.ts'
import { startProcess } from '../support/process.ts'
import { startS3 } from '../support/s3.ts'
import { startTestService, TEST_ENCRYPTION_KEY, type TestService } from '../support/service.ts'

/** Of the key pair that the store knows. */
const KEY = 'S3RVER'

let service: TestService
let folder: string
let bucket: Awaited<ReturnType<typeof startS3>>
/** What a container platform answers the programs in it. */
let platform: Awaited<ReturnType<typeof listen>>

beforeAll(async () => {
  service = await startTestService()
  folder = await mkdtemp(path.join(tmpdir(), 'bucket-'))
  bucket = await startS3(folder)
  platform = await listen((_, response) => {
    const Expiration = new Date(Date.now() + 3_600_000).toISOString()
    const pair = { AccessKeyId: KEY, SecretAccessKey: KEY, Token: 'token', Expiration }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pair))
  })
})
afterAll(async () => {
  await platform.close()
  await bucket.stop()
  await rm(folder, { recursive: true })
  await service.stop()
})

const settings = () => ({
  DATABASE_URL: service.databaseUrl,
  MEDIA_STORE_URL: bucket.url.replace(`${KEY}:${KEY}@`, ''),
  // No machine of Amazon's is asked.
  AWS_EC2_METADATA_DISABLED: 'true',
})

describe('a bucket whose URL has no KEY:SECRET', () => {
  it.each<[string, () => Record<string, string>]>([
    ['variables', () => ({ AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: KEY })],
    ['the role of a container', () => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: platform.url })],
  ])('is reached with the credentials of %s', async (_, credentials) => {
    const { key } = await service.project()
    const server = await startProcess({ ...settings(), ...credentials() })
    try {
      const client = createClient(server.url, key)
      const data = Buffer.from('Hello').toString('base64')
      const body = { kind: 'document' as const, data, filename: 'hello.txt', mime: 'text/plain' }
      const { media } = await client.ok('uploadMedia', { body })
      const url = `${server.url}/v1/media/${media.slug}/content`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
      expect([answer.status, await answer.text()]).toEqual([200, 'Hello'])
    } finally {
      await server.kill()
    }
  })

  it('is refused at the start where there are no credentials', async () => {
    const env = { ...settings(), PORT: '0', ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }
    const { code, err } = await runProgram(env, 'main')
    expect(code).toBe(1)
    expect(err).toMatch(
      /^MEDIA_STORE_URL has no KEY:SECRET, and the environment has no credentials: .+\n$/,
    )
  })
})
