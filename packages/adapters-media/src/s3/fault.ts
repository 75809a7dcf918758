import { S3ServiceException } from '@aws-sdk/client-s3'

const named = (cause: unknown): { readonly [K in 'name' | 'code' | 'message']?: unknown } =>
  typeof cause === 'object' && cause !== null ? cause : {}

const reasonOf = (cause: unknown): string => {
  if (cause instanceof S3ServiceException)
    return `it answered ${cause.name} (${cause.$metadata.httpStatusCode ?? 'no status'})`
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
