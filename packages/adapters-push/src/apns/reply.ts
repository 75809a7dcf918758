import type { PostResponse } from '../post.ts'

/** An answer of APNs. */
export interface Reply {
  readonly status: number
  /** Apple's word, or anything that a machine between has said: not for logs. Empty where there is none. */
  readonly reason: string
  /** Milliseconds since the epoch at which the device was found to be gone. Not a number where the answer does not say. */
  readonly timestamp: number
  readonly retryAfter: string | undefined
  readonly date?: string | undefined
}

/** The outcome of a request: an answer, none within its time, or a server whose certificate is not trusted. */
export type Exchanged = Reply | 'silence' | 'certificate'

const parse = (body: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // A success is empty, and a machine between may answer with a page.
    return {}
  }
}

/** Reads an answer; its body may be any text. */
export const readReply = ({ status, retryAfter, date, body }: PostResponse): Reply => {
  const { reason, timestamp } = parse(body)
  return {
    status,
    reason: typeof reason === 'string' ? reason : '',
    timestamp: Number(timestamp ?? Number.NaN),
    retryAfter,
    date,
  }
}
