import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../core/config.ts'
import { PROJECT_ROOT } from '../../core/root.ts'
import { SETTINGS } from '../../core/settings.ts'

const read = (name: string) => readFileSync(path.join(PROJECT_ROOT, name), 'utf8')
const NAMES = Object.values(SETTINGS).flatMap(({ name }) => [name, `${name}_FILE`])
/** A process ends this long after it was told to stop, and has waited for its balancer. */
const END_SECONDS = 30

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string>; stop_grace_period?: string }>
  }
  const ours = Object.entries(services).filter(([, { environment = {} }]) => 'ROLE' in environment)

  it.each(ours)('%s is given settings that there are, and the time to end', (_name, service) => {
    const { environment = {}, stop_grace_period: grace = '' } = service
    expect(Object.keys(environment).filter((name) => !NAMES.includes(name))).toEqual([])
    const waitSeconds = Number(environment.STOP_DELAY_MS) / 1_000
    expect(Number.parseInt(grace)).toBeGreaterThan(waitSeconds + END_SECONDS)
  })
})

type Probe = { httpGet: { path: string; port: string } }
type Container = {
  env: { name: string; value: string }[]
  ports: { name: string; containerPort: number }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe?: Probe
  volumeMounts: { name: string; mountPath: string }[]
}
type Manifest = {
  kind: string
  metadata: { name: string }
  data: Record<string, string>
  spec: {
    selector: { matchLabels: Record<string, string> }
    template: {
      metadata: { labels: Record<string, string>; annotations: Record<string, string> }
      spec: { terminationGracePeriodSeconds: number; containers: [Container] }
    }
  }
}

describe('examples/kubernetes.yaml', () => {
  const manifests = parseAllDocuments(read('examples/kubernetes.yaml')).map(
    (document) => document.toJS() as Manifest,
  )
  const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
  const deployments = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata, spec }): [string, Manifest['spec']] => [metadata.name, spec])
  const folders: string[] = []
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

  it('has servers and a worker', () => {
    expect(deployments.map(([name]) => name)).toEqual(['messaging-api', 'messaging-worker'])
  })

  it.each(deployments)('%s is given settings that can be read', async (_name, { template }) => {
    const [{ env, volumeMounts }] = template.spec.containers
    const secrets = volumeMounts.find(({ name }) => name === 'secrets')?.mountPath ?? ''
    const folder = await mkdtemp(path.join(tmpdir(), 'secrets-'))
    folders.push(folder)
    const values: Record<string, string> = {
      DATABASE_URL: 'postgres://service@postgres/service',
      REDIS_URL: 'redis://redis:6379',
      MEDIA_STORE_URL: 's3+https://bucket.example.com/media?region=eu-west-1',
      ENCRYPTION_KEY: 'a'.repeat(64),
    }
    for (const [name, value] of Object.entries(values)) {
      await writeFile(path.join(folder, name), value)
    }
    const given = {
      ...settings,
      ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
    }
    expect(Object.keys(given).filter((name) => !NAMES.includes(name))).toEqual([])
    const here = Object.entries(given).map(([name, value]) => [
      name,
      value.replace(secrets, folder),
    ])
    expect(loadConfig(Object.fromEntries(here))).toMatchObject({
      role: env[0]?.value,
      databaseUrl: values.DATABASE_URL,
      redisUrl: values.REDIS_URL,
    })
  })

  it.each(deployments)('%s is asked what it answers, where it answers', (_name, spec) => {
    const { metadata, spec: pod } = spec.template
    const [{ ports, startupProbe, livenessProbe, readinessProbe }] = pod.containers
    const monitor = ports.find(({ name }) => name === 'monitor')?.containerPort
    expect(monitor).toBe(Number(settings.MONITOR_PORT))
    expect(metadata.annotations['prometheus.io/port']).toBe(settings.MONITOR_PORT)
    expect(metadata.labels).toEqual(spec.selector.matchLabels)
    const asked = [startupProbe, livenessProbe, ...(readinessProbe ? [readinessProbe] : [])]
    for (const { httpGet } of asked) expect(httpGet.port).toBe('monitor')
    expect(asked.map(({ httpGet }) => httpGet.path)).toEqual(
      ['/healthz', '/healthz', '/readyz'].slice(0, asked.length),
    )
  })

  it.each(deployments)('%s has the time to end', (_name, { template }) => {
    const waitSeconds = Number(settings.STOP_DELAY_MS) / 1_000
    const { terminationGracePeriodSeconds: grace } = template.spec
    expect(grace).toBeGreaterThan(waitSeconds + END_SECONDS)
  })

  it('shows the outside the API, its reference and what the channel calls, and nothing else', () => {
    const paths = [
      ...read('examples/kubernetes.yaml').matchAll(/path: (\/\w+),\s*pathType: (\w+)/g),
    ]
    expect(paths.map(([, name]) => name)).toEqual(['/v1', '/docs', '/channel'])
    expect(new Set(paths.map(([, , kind]) => kind))).toEqual(new Set(['Prefix']))
  })
})
