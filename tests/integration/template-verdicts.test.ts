import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as templateRecords from '../../capabilities/templates/template-records.ts'
import type {
  TemplateChange,
  TemplateRecord,
} from '../../capabilities/templates/template-records.ts'
import { startTestService, type TestProject, type TestService } from '../support/service.ts'

let service: TestService
let project: TestProject

beforeAll(async () => {
  service = await startTestService()
  project = await service.project()
})
afterAll(() => service.stop())

const record = (status: TemplateRecord['status']): TemplateRecord => ({
  id: '1',
  name: 'offer',
  language: 'en_US',
  category: 'UTILITY',
  status,
  parameterFormat: 'POSITIONAL',
  components: [],
  rejectionReason: null,
  statusAt: null,
  categoryAt: null,
  componentsAt: null,
})
const write = (change: TemplateChange) =>
  service.ctx.sql.transaction((tx) =>
    templateRecords.write(tx, project.id, [change], service.ctx.now()),
  )
const moved = (
  from: TemplateRecord['status'] | null,
  to: TemplateRecord['status'],
  isHeard = true,
) => write({ before: from && record(from), after: record(to), isHeard })

describe('writing templates answers as a verdict', () => {
  const offer = { name: 'offer', language: 'en_US', category: 'UTILITY' }
  it.each([
    ['PENDING', 'APPROVED'],
    ['PENDING', 'REJECTED'],
    ['PAUSED', 'APPROVED'],
    ['DISABLED', 'APPROVED'],
    ['APPROVED', 'REJECTED'],
    [null, 'APPROVED'],
    [null, 'REJECTED'],
  ] as const)('every move from %s to %s', async (from, to) => {
    expect(await moved(from, to)).toEqual([{ ...offer, status: to }])
  })

  it.each([
    ['PENDING', 'PENDING'],
    ['APPROVED', 'APPROVED'],
    ['REJECTED', 'REJECTED'],
    ['APPROVED', 'PAUSED'],
    ['APPROVED', 'DISABLED'],
    ['REJECTED', 'PENDING'],
    [null, 'PENDING'],
  ] as const)('no move from %s to %s', async (from, to) => {
    expect(await moved(from, to)).toEqual([])
  })

  it('nothing of a template that is only found, already approved', async () => {
    expect(await moved(null, 'APPROVED', false)).toEqual([])
  })
})
