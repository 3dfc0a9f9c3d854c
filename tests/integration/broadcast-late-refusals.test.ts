import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as broadcastApprovals from '../../capabilities/broadcasts/broadcast-approvals.ts'
import * as pace from '../../capabilities/broadcasts/broadcast-pace.ts'
import { statusCallback } from '../../channel/sandbox-callbacks.ts'
import {
  broadcastOf,
  recipientsOf,
  report,
  sendAll,
  startBroadcast,
  startSendingService,
} from '../support/broadcast-sending.ts'
import type { TestService } from '../support/service.ts'
import { createStubChannel } from '../support/stub-channel.ts'

const HOUR_MS = 3_600_000

let service: TestService

const stub = createStubChannel()
beforeAll(async () => {
  service = await startSendingService(stub.channel)
})
afterAll(() => service.stop())

describe('what the channel says of a message only after it has taken it', () => {
  const inTwoWaves = async () => {
    const project = await service.project()
    const { id } = await startBroadcast(service, project, {
      contacts: 4,
      create: { wave_size: 2 },
    })
    await sendAll(service.ctx)
    const [first] = await recipientsOf(project, id)
    return { project, id, told: { wamid: first!.wamid!, status: 'failed' } as const }
  }

  it('ends the broadcast where the account is locked', async () => {
    const { project, id, told } = await inTwoWaves()
    await report(service, project, told, 131031)
    await report(service, project, told, 131031)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringContaining('The channel refused the project'),
      counts: { sent: 1, failed: 1, canceled: 2 },
    })
  })

  it('stops the number while its quality is too low, unless that was long ago', async () => {
    const { project, id, told } = await inTwoWaves()
    const { phoneNumberId } = await service.account(project.id)
    const isClosed = async () => (await pace.reserve(service.ctx, phoneNumberId, 1)) === null
    await report(service, project, told, 131026)
    expect(await isClosed()).toBe(false)
    await broadcastApprovals.release(service.ctx, id, { by: 'Olga' })
    await sendAll(service.ctx)
    const wamids = (await recipientsOf(project, id)).map(({ wamid }) => wamid!)
    const callback = async (wamid: string, at: Date) => {
      const account = await service.account(project.id)
      const [status, to] = ['failed' as const, { phone: '+15557000001' }]
      const options = { account, wamid, status, at, to, errorCode: 131048 }
      expect(await service.callback(project.id, statusCallback(options))).toBe(200)
    }
    await callback(wamids[1]!, new Date(service.ctx.now().getTime() - HOUR_MS))
    expect(await isClosed()).toBe(false)
    await callback(wamids[2]!, service.ctx.now())
    expect(await isClosed()).toBe(true)
    expect(await broadcastOf(service, project, id)).toMatchObject({
      status: 'completed',
      counts: { sent: 1, failed: 3 },
    })
  })

  it('counts as much when it says so before its own answer, and without naming the attempt', async () => {
    const startedTold = async (errorCode: number) => {
      const project = await service.project()
      const { phoneNumberId } = await service.account(project.id)
      stub.answerEach(async ({ attemptId }) => {
        const wamid = `wamid.early-${attemptId}`
        await report(service, project, { wamid, status: 'failed' }, errorCode)
        return { outcome: 'accepted', wamid, waId: null, userId: null }
      })
      const create = { wave_size: 1 }
      const { id } = await startBroadcast(service, project, { contacts: 3, create })
      await sendAll(service.ctx)
      stub.become('accepted')
      return { broadcast: await broadcastOf(service, project, id), phoneNumberId }
    }
    const locked = await startedTold(131031)
    expect(locked.broadcast).toMatchObject({ status: 'failed', counts: { failed: 1, canceled: 2 } })
    const silenced = await startedTold(131048)
    expect(silenced.broadcast).toMatchObject({ status: 'sending', counts: { failed: 1, held: 2 } })
    expect(await pace.reserve(service.ctx, silenced.phoneNumberId, 1)).toBeNull()
  })

  it('is told to the operators, once: which number stands still, and which broadcast has ended', async () => {
    const toldOf = (id: string) =>
      service.logLines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ level, broadcast }) => broadcast === id && level === 'warn')
    const silences = async () =>
      (await service.ctx.metrics.broadcastSilences.get()).values[0]?.value ?? 0
    const before = await silences()

    const stopped = await inTwoWaves()
    await report(service, stopped.project, stopped.told, 131048)
    await report(service, stopped.project, stopped.told, 131048)
    const ended = await inTwoWaves()
    await report(service, ended.project, ended.told, 131031)
    await report(service, ended.project, ended.told, 131031)

    expect(toldOf(stopped.id)).toEqual([
      expect.objectContaining({ event: 'broadcast.silenced', channelCode: 131048 }),
    ])
    expect(toldOf(ended.id)).toEqual([
      expect.objectContaining({
        event: 'broadcast.failed',
        reason: expect.stringContaining('The channel refused the project'),
      }),
    ])
    expect(await silences()).toBe(before + 1)
  })
})
