/** What APNs has answered. */
export interface Reply {
  readonly status: number
  /** Empty where there was none. Apple's word, or whatever a machine between has said: not for logs. */
  readonly reason: string
  /** Milliseconds since the epoch: when a device was found to be gone. Not a number where it is not said. */
  readonly timestamp: number
  readonly retryAfter: string | undefined
}

/** What came of a request: no answer within its time, or a server that shows a certificate which is not to be trusted. */
export type Exchanged = Reply | 'silence' | 'certificate'

/** What the library rejects with: the answer's JSON, or in its place an error whose message is the reason. */
interface Failure {
  readonly response?: { readonly reason?: unknown; readonly timestamp?: unknown } | null
  readonly error?: { readonly message?: unknown }
}

/** Puts together what the library has made of an answer and what it has left out. */
export const readReply = (status: number, retryAfter: string | undefined, failure: unknown): Reply => {
  const { response, error } = (failure ?? {}) as Failure
  const reason = response?.reason ?? error?.message
  return {
    status,
    reason: typeof reason === 'string' ? reason : '',
    timestamp: Number(response?.timestamp ?? Number.NaN),
    retryAfter,
  }
}
