import type { Send } from './fixture.ts'

/** A request with a key. */
export const keyed = (key: string, send: Send): Send => ({
  ...send,
  headers: { ...send.headers, 'idempotency-key': key },
})

/** What of a response is replayed as it was first sent (I4). */
export const shownBy = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  etag: response.headers.get('etag'),
  body: await response.text(),
})

export const isReplayed = ({ headers }: Response): boolean => headers.get('idempotency-replayed') === 'true'
