import { describe, expect, it } from '@jest/globals'
import type { Operation } from '../../core/contract.ts'
import { createBodyReader } from '../../middleware/read-body.ts'
import { listen } from '../support/channel.ts'
import { dial } from '../support/raw.ts'

describe('a JSON body', () => {
  it('that does not arrive in its time is given up, while the server waits on for uploads', async () => {
    const bodyLimit = { bytes: 1_000, code: 'payload_too_large' as const }
    const read = createBodyReader({ bodyLimit, takesForm: false } as Operation, 20)
    const outcome = new Promise((resolve) => {
      const room = { hold: () => {}, giveBack: () => {} }
      void listen((request) => {
        read(request as never, room).then(
          () => resolve('read'),
          (error: unknown) => resolve(error),
        )
      }).then(async (server) => {
        const socket = await dial(server.url)
        socket.write(
          'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
        )
        await outcome
        socket.destroy()
        await server.close()
      })
    })
    expect(await outcome).toMatchObject({ status: 400, code: 'bad_request' })
  })
})
