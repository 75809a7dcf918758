/** A proxy of https requests. */
export interface HttpsProxy {
  /** Its URL, with user and password if it wants them. */
  readonly url: string
  /** The hosts that are reached directly, as NO_PROXY lists them. */
  readonly except: string
}

/** A bucket, or a part of one, that holds images. */
export interface S3Location {
  readonly bucket: string
  /** What all keys begin with, without a slash at its end; empty for the whole bucket. */
  readonly prefix: string
  /** The URL of a store that is not AWS's, with or without a path; its buckets are then named in the path. */
  readonly endpoint: string | undefined
  /** That of the usual AWS variables unless given, or `us-east-1` where there is an endpoint. */
  readonly region: string | undefined
  /** The proxy through which https requests go; none: they are direct. */
  readonly proxy?: HttpsProxy | undefined
}

/** How long a store is waited for, in milliseconds. */
export interface S3Limits {
  /** Until it takes a connection. */
  readonly connect: number
  /** While nothing moves: until it answers, or sends more of an image. */
  readonly silence: number
  /** Until a request is through, its second attempt included. */
  readonly request: number
  /** Until an image is stored. */
  readonly upload: number
}

/** A dead store is found out within ten seconds, and an upload of 10 MiB may take twenty. */
export const LIMITS: S3Limits = { connect: 2000, silence: 4000, request: 8000, upload: 20_000 }
