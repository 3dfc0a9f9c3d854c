import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Waits for this process's options, starts the server with them and reports its address. */
export function contestant<Options>(begin: (options: Options) => Promise<string>): void {
  process.on('disconnect', () => process.exit())
  process.once('message', ({ options }: { options: Options }) => {
    begin(options).then(
      (url) => process.send?.({ url }),
      (error: unknown) => process.send?.({ problem: String(error) }),
    )
  })
}

/** Serves on a free port; resolves with the address. */
export function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve(`http://127.0.0.1:${port}`)
    })
  })
}

/** The whole body of a request. */
export async function textOf(request: IncomingMessage): Promise<string> {
  return (await bytesOf(request)).toString()
}

export function bytesOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', reject)
  })
}

/** Ends the process, since a reference that fails measures nothing. */
export function fail(error: unknown): never {
  process.stderr.write(`${String(error)}\n`)
  process.exit(1)
}
