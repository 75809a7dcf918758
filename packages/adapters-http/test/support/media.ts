import { openS3Media, type S3Limits } from '@almoner/adapters-media/s3'
import root, { type Test } from 'tap'
import { type S3Store, startS3Store } from '../../../adapters-media/test/support/s3-store.ts'
import type { MediaSource } from '../../src/index.ts'
import { done, type Fixture, type FixtureImages, type FixtureOptions } from './fixture.ts'
import { rigFor } from './shared-fixture.ts'

let started: Promise<S3Store> | undefined

/** The one store that speaks S3 of this process. */
export const s3Store = (): Promise<S3Store> => {
  if (started === undefined) {
    const starting = startS3Store()
    started = starting
    root.teardown(async () => (await starting).stop())
  }
  return started
}

interface BucketOptions {
  /** Where the store is; the store of this process unless given. */
  readonly endpoint?: string
  readonly limits?: S3Limits
  /** How images are served; through the service unless given. */
  readonly source?: (images: Awaited<ReturnType<typeof openBucket>>) => MediaSource
}

const openBucket = async (endpoint: string | undefined, limits: S3Limits | undefined) => {
  const store = await s3Store()
  const place = {
    bucket: store.newBucket(),
    prefix: 'media',
    endpoint: endpoint ?? store.endpoint,
    region: undefined,
  }
  return done(openS3Media(place, limits))
}

/** Images in a bucket of their own. */
export const inBucket =
  ({ endpoint, limits, source }: BucketOptions = {}) =>
  async (): Promise<FixtureImages> => {
    const opened = await openBucket(endpoint, limits)
    return { ...opened, media: source?.(opened) ?? { files: opened.imageFiles } }
  }

/** Runs a test once with images in a folder and once with images in a bucket. */
export const onEachMedia = (
  t: Test,
  name: string,
  test: (t: Test, fixture: Fixture) => Promise<void>,
  options: FixtureOptions = {},
): void => {
  for (const [where, more] of [
    ['a folder', {}],
    ['a bucket', { images: inBucket() }],
  ] as const)
    t.test(`${name} (${where})`, async (t) => test(t, await rigFor(t, { ...options, ...more })))
}
