/**
 * Images in a bucket of any service that speaks S3.
 * @module @almoner/adapters-media/s3
 */

export type { HttpsProxy, S3Limits, S3Location } from './connection.ts'
export * from './open-s3-media.ts'
export type { ReadMethod } from './reading.ts'
