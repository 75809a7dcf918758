import { startFauxqs } from 'fauxqs'

// Unchecked credentials, and no configuration of the machine.
delete process.env['AWS_REGION']
Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
})

/** A store that speaks S3, in memory, until it is stopped. */
export interface S3Store {
  /** Its origin. */
  readonly endpoint: string
  /** Makes an empty bucket and gives its name. */
  readonly newBucket: () => string
  readonly stop: () => Promise<void>
}

/** Starts a store on a free port of loopback. */
export const startS3Store = async (): Promise<S3Store> => {
  const server = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' })
  let buckets = 0
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    newBucket: () => {
      buckets += 1
      const name = `bucket-${buckets}`
      server.createBucket(name)
      return name
    },
    stop: () => server.stop(),
  }
}
