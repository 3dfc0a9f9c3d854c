import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/** What of s3rver the tests use; the package has no types of its own. */
type S3Server = {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}
type S3Options = {
  port: number
  address: string
  silent: boolean
  directory: string
  configureBuckets: { name: string }[]
  vhostBuckets: boolean
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: S3Options) => S3Server

/** A server that speaks S3, with one bucket, under a folder; its only key pair is S3RVER:S3RVER. */
export async function startS3(directory: string) {
  const bucket = 'media'
  const options = { port: 0, address: '127.0.0.1', silent: true, directory, vhostBuckets: false }
  const server = new S3rver({ ...options, configureBuckets: [{ name: bucket }] })
  const { port } = await server.run()
  return {
    port,
    url: `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/${bucket}?region=eu-central-1`,
    stop: () => server.close(),
  }
}
