import { expect, it } from '@jest/globals'
import { createIdle } from '../../bot/idle.ts'
import { LIMITS } from '../../core/limits.ts'

const MIB = 1024 * 1024

const instance = (botId: string, mib: number) => ({ botId, bytes: () => mib * MIB })

it('keeps idle instances up to so many bytes, and forgets the longest idle first', () => {
  const idle = createIdle()
  const most = Math.floor(LIMITS.botIdleBytes / (24 * MIB))
  for (let at = 0; at < most; at++) idle.keep(instance(`${at}`, 24))
  const first = idle.take('0')
  expect(first).not.toBeNull()
  // It was used last now: the next one makes way for what comes.
  if (first) idle.keep(first)
  idle.keep(instance('new', 24))
  expect(idle.take('1')).toBeNull()
  for (const botId of ['0', '2', 'new']) expect(idle.take(botId)).toMatchObject({ botId })
})

it('counts an idle instance no longer that is in use again', () => {
  const idle = createIdle()
  const half = LIMITS.botIdleBytes / 2 / MIB
  for (let at = 0; at < 3; at++) {
    idle.keep(instance('used', half))
    expect(idle.take('used')).not.toBeNull()
  }
  for (const botId of ['a', 'b']) idle.keep(instance(botId, half))
  expect(idle.take('a')).not.toBeNull()
  expect(idle.take('b')).not.toBeNull()
})
