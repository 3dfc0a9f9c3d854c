import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { envExample, loadConfig } from '../../core/config.ts'
import { PROJECT_ROOT } from '../../core/root.ts'

const KEY = Buffer.alloc(32, 7)

/** What is said of an environment that cannot be used, a line each. */
function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env)
  } catch (error) {
    return (error as Error).message.split('\n')
  }
  return []
}

describe('the defaults', () => {
  it('need no environment at all', () => {
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      publicUrl: null,
      databaseUrl: null,
      redisUrl: null,
      dataDir: path.join(PROJECT_ROOT, '.data'),
      role: 'all',
      logLevel: 'info',
      encryptionKey: null,
      rateLimitPerMinute: 60,
      dailySendQuota: 1_000,
      idempotencyLockMs: 60_000,
      uploadBytesPerMinute: 128 * 1_048_576,
      uploadRequestsPerMinute: 20,
      webhookRetryDelaysMs: [5_000, 10_000, 20_000, 40_000],
      webhookTimeoutMs: 10_000,
      egressAllow: [],
      channelApiUrl: 'https://graph.facebook.com',
      channelApiVersion: 'v25.0',
    })
  })

  it('stand in for empty and blank values', () => {
    expect(loadConfig({ PORT: '', ROLE: '  ', REDIS_URL: ' ' })).toEqual(loadConfig({}))
  })

  it('are what .env.example shows (write what envExample() returns to it)', () => {
    const file = readFileSync(path.join(PROJECT_ROOT, '.env.example'), 'utf8')
    expect(file).toBe(envExample())
  })

  it('are what .env.example sets when every line of it is taken', () => {
    const lines = envExample().match(/^# [A-Z_]+=.*$/gm) ?? []
    const env = Object.fromEntries(
      lines.map((line) => {
        const [name = '', ...value] = line.slice(2).split('=')
        return [name, value.join('=')]
      }),
    )
    expect(Object.keys(env).length).toBe(Object.keys(loadConfig({})).length)
    expect(loadConfig(env)).toEqual(loadConfig({}))
  })
})

describe('the values', () => {
  it('are read, trimmed and frozen', () => {
    const config = loadConfig({
      PORT: ' 0 ',
      ROLE: 'worker',
      PUBLIC_URL: 'https://api.example.com//',
      DATABASE_URL: 'postgresql://user:secret@db:5432/app',
      REDIS_URL: 'rediss://cache:6380',
      ENCRYPTION_KEY: KEY.toString('base64'),
      RATE_LIMIT_PER_MINUTE: '1',
      CHANNEL_API_VERSION: 'v26.1',
    })
    expect(config).toMatchObject({
      port: 0,
      role: 'worker',
      publicUrl: 'https://api.example.com',
      databaseUrl: 'postgresql://user:secret@db:5432/app',
      redisUrl: 'rediss://cache:6380',
      encryptionKey: KEY,
      rateLimitPerMinute: 1,
      channelApiVersion: 'v26.1',
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('take a database whose host is named by a parameter alone', () => {
    const parameter = 'host=/cloudsql/some:place:db'
    const { databaseUrl } = loadConfig({ DATABASE_URL: `postgresql://me:x@/app?${parameter}` })
    expect(databaseUrl).toBe(`postgresql://me:x@localhost/app?${parameter}`)
  })

  it('take the key in hex too', () => {
    const key = Buffer.alloc(32, 0xab)
    for (const hex of [key.toString('hex'), key.toString('hex').toUpperCase()]) {
      expect(loadConfig({ ENCRYPTION_KEY: hex }).encryptionKey).toEqual(key)
    }
  })

  it.each([
    ['PORT', 0, 65_535],
    ['MONITOR_PORT', 0, 65_535],
    ['DATABASE_POOL_SIZE', 2, 500],
    ['RATE_LIMIT_PER_MINUTE', 1, 1_000_000_000],
    ['DAILY_SEND_QUOTA', 0, 2_000_000_000],
    ['BROADCAST_MESSAGES_PER_SECOND', 1, 1_000_000],
    ['IDEMPOTENCY_LOCK_MS', 1_000, 3_600_000],
    ['UPLOAD_BYTES_PER_MINUTE', 1, 999_999_999_999],
    ['UPLOAD_REQUESTS_PER_MINUTE', 1, 1_000_000_000],
    ['MESSAGES_KEPT_DAYS', 31, 36_500],
    ['WEBHOOK_RETRY_DELAYS_MS', 1, 86_400_000],
    ['WEBHOOK_TIMEOUT_MS', 100, 60_000],
    ['STOP_DELAY_MS', 0, 60_000],
    ['KEEP_ALIVE_TIMEOUT_MS', 1_000, 600_000],
    ['AGENT_TIMEOUT_MS', 1_000, 120_000],
  ])('of %s go from %i to %i', (name, least, most) => {
    const read = (value: number) => Object.values(loadConfig({ [name]: String(value) })).flat()
    expect(read(least)).toContain(least)
    expect(read(most)).toContain(most)
    for (const value of [least - 1, most + 1]) {
      expect(problemsOf({ [name]: String(value) })).toHaveLength(1)
    }
  })

  it('of a list are as many as may be', () => {
    const some = (length: number, value: string) => Array.from({ length }, () => value).join(', ')
    const delays = (length: number) => ({ WEBHOOK_RETRY_DELAYS_MS: some(length, '7') })
    expect(loadConfig(delays(20)).webhookRetryDelaysMs).toEqual(Array.from({ length: 20 }, () => 7))
    expect(problemsOf(delays(21))).toEqual([expect.stringContaining('at most 20 values')])
    expect(problemsOf({ EGRESS_ALLOW: some(100, 'a:1') })).toEqual([])
    expect(problemsOf({ EGRESS_ALLOW: some(101, 'a:1') })).toHaveLength(1)
  })

  it('of hosts are each a host and its port, as addresses name them', () => {
    const given = ' localhost:9000,[::1]:9000 , Example.ORG:080'
    expect(loadConfig({ EGRESS_ALLOW: given }).egressAllow).toEqual([
      ...['localhost:9000', '[::1]:9000', 'example.org:80'],
    ])
    const bad = ['localhost', 'localhost:', ':80', 'a/b:80', 'me@host:80', 'host:65536', 'a:1,,b:2']
    for (const value of bad) expect(problemsOf({ EGRESS_ALLOW: value })).toHaveLength(1)
  })

  it('that are lists say so where one of their values is wrong', () => {
    expect(() => loadConfig({ WEBHOOK_RETRY_DELAYS_MS: 'a,b' })).toThrow(
      'WEBHOOK_RETRY_DELAYS_MS is "a,b", but must be values separated by commas, each of them a whole number from 1 to 86400000.',
    )
  })

  it('ignore the settings of other programs', () => {
    expect(loadConfig({ PATH: '/bin', PORTS: 'x' })).toEqual(loadConfig({}))
  })
})

describe('a setting in a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'settings-'))
    await writeFile(path.join(folder, 'key'), `${KEY.toString('hex')}\n`)
    await writeFile(path.join(folder, 'empty'), '\n')
  })
  afterAll(() => rm(folder, { recursive: true }))
  const file = (name: string) => path.join(folder, name)

  it('is read from it, without the end of its line', () => {
    expect(loadConfig({ ENCRYPTION_KEY_FILE: file('key') }).encryptionKey).toEqual(KEY)
  })

  it('is at its default where the file holds nothing', () => {
    expect(loadConfig({ REDIS_URL_FILE: file('empty') }).redisUrl).toBeNull()
  })

  it('is named where it cannot be read, or is set besides', () => {
    const hex = KEY.toString('hex')
    const both = { ENCRYPTION_KEY: hex, ENCRYPTION_KEY_FILE: file('key') }
    expect(problemsOf({ REDIS_URL_FILE: file('none'), ...both }).sort()).toEqual([
      'ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are both set; one of them must go.',
      expect.stringMatching(/^REDIS_URL_FILE cannot be read: ENOENT.*none.*\.$/),
    ])
  })
})

describe('a bad value', () => {
  it.each([
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['PORT', '1e3', 'a whole number from 0 to 65535'],
    ['PORT', '0x50', 'a whole number from 0 to 65535'],
    ['PORT', '80.5', 'a whole number from 0 to 65535'],
    ['DATABASE_POOL_SIZE', '1', 'a whole number from 2 to 500'],
    ['RATE_LIMIT_PER_MINUTE', '0', 'a whole number from 1 to 1000000000'],
    ['ROLE', 'API', 'one of all, api, worker'],
    ['LOG_LEVEL', 'loud', 'one of error, warn, info, debug'],
    ['CHANNEL_API_VERSION', '25', 'a version such as v25.0'],
    ['CHANNEL_API_VERSION', 'v25.0/x', 'a version such as v25.0'],
  ])('of %s, as "%s", is named with what it must be', (name, value, what) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name} is "${value}", but must be ${what}.`])
  })

  it.each([
    ['PUBLIC_URL', 'http:// or https://'],
    ['DATABASE_URL', 'postgres:// or postgresql://'],
    ['REDIS_URL', 'redis:// or rediss://'],
    ['MEDIA_STORE_URL', 's3+https:// or s3+http://'],
  ])('of %s, a URL, is named with every way that one may begin', (name, ways) => {
    const problem = `${name} is "…", but must be a URL that starts with ${ways}.`
    expect(problemsOf({ [name]: 'example.org' })).toEqual([problem])
  })

  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/app', 'postgres://'],
    ['DATABASE_URL', 'hunter2', 'postgres://'],
    ['REDIS_URL', 'http://:hunter2@cache', 'redis://'],
    ['REDIS_URL', 'redis://:hunter2%@cache', 'written as %25'],
    ['REDIS_URL', 'redis://hunter2%:x@cache', 'written as %25'],
    ['DATABASE_URL', 'postgresql://app:hunter2#x@db/app', 'written as %2F %3F %23'],
    ['DATABASE_URL', 'postgresql://app:hunter2/x@db/app', 'written as %2F %3F %23'],
    ['REDIS_URL', 'redis://:hunter2?x@cache', 'written as %2F %3F %23'],
    ['PUBLIC_URL', 'ftp://hunter2@example.com', 'http://'],
    ['CHANNEL_API_URL', 'hunter2', 'http://'],
    ['ENCRYPTION_KEY', 'hunter2', '32 bytes in base64 or hex'],
    ['AGENT_API_KEY', '“hunter2”', 'a text that an HTTP header can hold'],
    ['EGRESS_ALLOW', 'http://root:hunter2@db:80', 'host:port'],
    ['ENCRYPTION_KEY', `${KEY.toString('hex')}hunter2`, '32 bytes in base64 or hex'],
  ])('of %s that may hold a secret is not repeated', (name, value, what) => {
    const problems = problemsOf({ [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`${name} is "…", but must be`)
    expect(problems[0]).toContain(what)
    expect(problems[0]).not.toContain('hunter2')
  })

  it.each([
    ['PUBLIC_URL', 'https://api.example.com/?a=1'],
    ['PUBLIC_URL', 'https://api.example.com/#top'],
    ['CHANNEL_API_URL', 'https://graph.example.com/?x'],
    ['AGENT_API_URL', 'https://models.example.com/v1?api-version=1'],
  ])('of %s, as "%s", to which no path can be added, is named', (name, value) => {
    const problem = `${name} is "…", but must be a URL without a query and without a #.`
    expect(problemsOf({ [name]: value })).toEqual([problem])
  })

  it.each([
    ['PUBLIC_URL', 'https:api.example.com', 'http:// or https://'],
    ['DATABASE_URL', 'postgres:app', 'postgres:// or postgresql://'],
    ['REDIS_URL', 'redis:cache', 'redis:// or rediss://'],
  ])('of %s, as "%s", a URL without its slashes, is named', (name, value, ways) => {
    const problem = `${name} is "…", but must be a URL that starts with ${ways}.`
    expect(problemsOf({ [name]: value })).toEqual([problem])
  })

  it('does not hide another one', () => {
    const problems = problemsOf({ PORT: 'x', ROLE: 'x', LOG_LEVEL: 'x', HOST: 'localhost' })
    expect(problems.map((line) => line.split(' ')[0])).toEqual(['PORT', 'ROLE', 'LOG_LEVEL'])
  })
})
