import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { S3Store } from './s3-store.ts'

/** What this test needs of a library that has no types. */
interface Server {
  run(): Promise<AddressInfo>
  close(): Promise<void>
  configureBuckets(): Promise<void>
}
type ServerClass = new (options: {
  readonly address: string
  readonly port: number
  readonly silent: boolean
  readonly directory: string
  readonly configureBuckets: ReadonlyArray<{ readonly name: string }>
}) => Server

const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as ServerClass

/** The only credentials that the store takes. */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

const BUCKET = 'signed-bucket'

/** Starts a store that checks signatures, with one bucket in a folder. */
export const startSigningStore = async (directory: string): Promise<S3Store> => {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    newBucket: () => BUCKET,
    stop: () => server.close(),
  }
}
