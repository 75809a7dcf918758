import { S3ServiceException } from '@aws-sdk/client-s3'

const named = (cause: unknown): { readonly [K in 'name' | 'code' | 'message']?: unknown } =>
  typeof cause === 'object' && cause !== null ? cause : {}

/** A region in the error of a store, which says where the bucket is: AWS in a header field, others in an element or in the message. */
const regionIn = (cause: S3ServiceException): string | undefined =>
  [
    cause.$response?.headers['x-amz-bucket-region'],
    'Region' in cause ? cause.Region : undefined,
    /\bexpecting '([^']+)'/.exec(cause.message)?.[1],
  ]
    .map(String)
    .find((text) => text !== 'undefined' && /^[A-Za-z\d-]{1,63}$/.test(text))

/** Statuses with which stores refuse a wrong region. Other errors of AWS name the bucket's region too, where it is right. */
const OF_REGION: ReadonlyArray<number | undefined> = [301, 307, 400]

const answerOf = (cause: S3ServiceException): string => {
  const { httpStatusCode: status } = cause.$metadata
  const answer = `it answered ${cause.name} (${status ?? 'no status'})`
  const region = OF_REGION.includes(status) ? regionIn(cause) : undefined
  return region === undefined ? answer : `${answer}: the bucket is in the region ${region}`
}

const reasonOf = (cause: unknown): string => {
  if (cause instanceof S3ServiceException) return answerOf(cause)
  const { name, code, message } = named(cause)
  if (name === 'AbortError' || name === 'TimeoutError') return 'it did not answer in time'
  if (name === 'CredentialsProviderError') return 'there are no credentials for it, or they cannot be read'
  if (message === 'Region is missing') return 'its region is not known; ?region= or AWS_REGION can name it'
  return typeof code === 'string' ? `it cannot be reached (${code})` : `it cannot be asked (${String(name)})`
}

/**
 * What went wrong, for the log: the operation and the store's own name for the fault. Nothing else of what the client throws is kept, for
 * that holds addresses, signatures and what they were made from.
 */
export const faultOf = (operation: string, cause: unknown): Error =>
  new Error(`the S3 store: ${operation}: ${reasonOf(cause)}`)

/** Whether a fault says that there is no such object. */
export const isMissing = (cause: unknown): boolean =>
  cause instanceof S3ServiceException && ['NotFound', 'NoSuchKey'].includes(cause.name)

/** Resolves to an answer, or to undefined if the store says that there is no such object. */
export const unlessMissing = async <A>(answer: Promise<A>): Promise<A | undefined> => {
  try {
    return await answer
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}
