import type { Dispatcher } from 'undici'
import type { Deadline } from './with-timeout.ts'

/** A request that is posted. */
export interface Posting {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** What a server answered. */
export interface PostResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The server's clock. */
  readonly date: string | undefined
  /** Returns a header by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The beginning of it. */
  readonly body: string
  /** Whether that is all of it. */
  readonly isWhole: boolean
}

type Headers = Readonly<Record<string, string | Array<string> | undefined>>

const first = (header: string | Array<string> | undefined): string | undefined =>
  typeof header === 'string' || header === undefined ? header : header[0]

/** An answer that comes in. */
const makeReading = (most: number) => {
  const chunks: Array<Buffer> = []
  let length = 0
  let status = 0
  let headers: Headers = {}
  const header = (name: string): string | undefined => first(headers[name])
  return {
    begin: (given: number, theirs: Headers): void => {
      // What only says that an answer will follow.
      if (given < 200) return
      status = given
      headers = theirs
    },
    /** @returns whether there is as much as is wanted */
    add: (chunk: Buffer): boolean => {
      chunks.push(chunk)
      length += chunk.length
      return length >= most
    },
    hasBegun: (): boolean => status > 0,
    answer: (isWhole: boolean): PostResponse => ({
      status,
      header,
      isWhole,
      get retryAfter() {
        return header('retry-after')
      },
      get date() {
        return header('date')
      },
      // Most pushes are accepted, and the rest of the response is not needed.
      get body() {
        return Buffer.concat(chunks).subarray(0, most).toString()
      },
    }),
  }
}

/**
 * Posts, and reads at most this number of bytes of the response. Uses undici's dispatcher directly: `request` creates a stream for each response
 * and an abort signal for each deadline, which together cost as much as the request.
 *
 * Rejects without a response. A truncated response counts, because its status has the result of the push.
 */
export const post = (
  dispatcher: Dispatcher,
  { url: { origin, pathname, search }, headers, body }: Posting,
  most: number,
  deadline: Deadline,
): Promise<PostResponse> =>
  new Promise((resolve, reject) => {
    const reading = makeReading(most)
    const path = pathname + search
    dispatcher.dispatch(
      { origin, path, method: 'POST', headers, body },
      {
        onRequestStart: (controller) => deadline.onTimeout(() => controller.abort(new Error('too late'))),
        onResponseStart: (_controller, status, headers) => reading.begin(status, headers),
        onResponseData: (controller, chunk) => {
          if (reading.add(chunk)) controller.abort(new Error('too long'))
        },
        onResponseEnd: () => resolve(reading.answer(true)),
        onResponseError: (_controller, error) => {
          if (reading.hasBegun()) resolve(reading.answer(false))
          else reject(error)
        },
      },
    )
  })
