import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as projects from '../../capabilities/projects/projects.ts'
import { envOf, operate } from '../support/operator.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** Connects a project to a number; answers with what the operator is told beside the result. */
async function connect(projectId: string, phoneNumberId: string): Promise<string> {
  const { code, err } = await operate(envOf(service), [
    ...['channel', 'connect', '--project', projectId, '--phone-number-id', phoneNumberId],
    ...['--business-account-id', '2', '--app-id', '3', '--access-token', 'EAAGsecret'],
    ...['--app-secret', 'hush', '--verify-token', 'v'],
  ])
  expect(code).toBe(0)
  return err
}

describe('a number that is connected to a second project', () => {
  it('is said to be the first one’s too, until that has another or is deleted', async () => {
    const [first, second] = [await service.project(), await service.project()]
    expect(await connect(first.id, '101')).toBe('')
    expect(await connect(first.id, '101')).toBe('')
    expect(await connect(second.id, '101')).toMatch(
      new RegExp(
        `^The number is connected to ${first.id} too\\. .* callback URL Meta has, else the oldest\\.\n$`,
      ),
    )
    expect(await connect(first.id, '102')).toBe('')
    expect(await connect(second.id, '101')).toBe('')
    await connect(second.id, '102')
    await projects.setStatus(service.ctx, second.id, 'deleted')
    expect(await connect(first.id, '102')).toBe('')
  })
})
