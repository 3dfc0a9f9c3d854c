import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as flowRecords from '../../capabilities/flows/flow-records.ts'
import { twoScreens } from '../support/flows.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('flows of a listing', () => {
  it('are written by so many bytes and flows at a time, however large or many they are', async () => {
    const project = await service.project()
    const large = 'x'.repeat(3_000_000)
    const flows = Array.from({ length: 1_005 }, (_, n) => ({
      id: `flow-${n}`,
      name: `flow ${n}`,
      status: 'draft' as const,
      categories: [],
      definition: { ...twoScreens(), ...(n < 5 ? { large } : {}) },
      faults: [],
      statusAt: null,
    }))
    const sizes: [flows: number, bytes: number][] = []
    await service.ctx.sql.transaction((tx) => {
      const rows: typeof tx.rows = (one, values = []) => {
        const texts = values.flat().filter((value) => typeof value === 'string')
        sizes.push([(values[1] as string[]).length, texts.join('').length])
        return tx.rows(one, values)
      }
      return flowRecords.writeAll({ ...tx, rows }, project.id, flows, service.ctx.now())
    })
    for (const [count, bytes] of sizes) {
      expect(count).toBeLessThanOrEqual(500)
      expect(bytes).toBeLessThanOrEqual(9_000_000)
    }
    expect(sizes.length).toBeLessThanOrEqual(5)
    const written = await service.ctx.db.flow.findMany({ where: { projectId: project.id } })
    expect(written.map(({ id }) => id).sort()).toEqual(flows.map(({ id }) => id).sort())
    const texts = new Map(written.map(({ id, definition }) => [id, JSON.stringify(definition)]))
    for (const { id, definition } of flows) {
      expect(texts.get(id) === JSON.stringify(definition)).toBe(true)
    }
  })
})
