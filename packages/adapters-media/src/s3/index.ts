export * from './open-s3-media.ts'
export type { S3Limits, S3Place } from './place.ts'
export type { ReadMethod } from './signed-address.ts'
