import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, it } from '@jest/globals'
import { LANGUAGES } from '../../scripts/sdks/languages.ts'
import { CUSTOMER_PHONE } from '../support/resources.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startTestService({ env: { EGRESS_ALLOW: '127.0.0.1:9' } })
  folder = await mkdtemp(path.join(tmpdir(), 'generated-client-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

describe('a client that is generated from the served contract', () => {
  it('compiles strictly in TypeScript, and does what it is typed to do', async () => {
    const project = await service.project()
    await service.customer(project, { phone: CUSTOMER_PHONE })
    const document = path.join(folder, 'openapi.json')
    await writeFile(document, await (await fetch(`${service.url}/v1/openapi.json`)).text())

    await LANGUAGES.typescript!.play({ url: service.url, key: project.key, folder, document })
  }, 120_000)
})
