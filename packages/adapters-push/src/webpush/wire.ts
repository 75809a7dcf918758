import type { LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'

/** Over HTTP/1.1 as many pushes can be on their way to one origin; HTTP/2 needs one connection for a hundred. */
const CONNECTIONS = 32
/** More origins than push services have. */
const MOST_ORIGINS = 256
/** A burst of pushes finds the connections of the one before. */
const IDLE = 60_000
/** All that is looked at of an answer. */
const MOST_BYTES = 4096

/** How a {@link Wire} reaches push services. */
export interface WireOptions {
  /** An authority to trust beside the usual ones, PEM. */
  readonly ca: string | undefined
  readonly lookup: LookupFunction
  /** Milliseconds to connect in. */
  readonly limit: number
}

/** What a push service said. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The beginning of it. */
  readonly body: string
}

/** HTTP/2 where it is offered, by kept connections. Redirects are answers like others. */
export interface Wire {
  /** Rejects when no answer comes, for whatever reason. */
  post(
    endpoint: URL,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<Answer>
  /** Takes no more, and is done when those under way are. Closing twice is the same as once. */
  close(): Promise<void>
}

const beginningOf = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= MOST_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES).toString()
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Made once, as reading all authorities anew for each connection takes longer than connecting. */
const trust = (ca: string | undefined) =>
  ca === undefined
    ? {}
    : { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) }

/** Opens nothing until the first push. */
export const openWire = ({ ca, lookup, limit }: WireOptions): Wire => {
  const agent = new Agent({
    connections: CONNECTIONS,
    maxOrigins: MOST_ORIGINS,
    keepAliveTimeout: IDLE,
    connect: {
      preferH2: true,
      timeout: limit,
      lookup,
      ...trust(ca),
    },
  })
  let closed: Promise<void> | undefined
  return {
    post: async ({ origin, pathname, search }, headers, body, signal) => {
      const path = `${pathname}${search}`
      const answer = await agent.request({ origin, path, method: 'POST', headers, body, signal })
      const after = answer.headers['retry-after']
      return {
        status: answer.statusCode,
        retryAfter: isText(after) ? after : undefined,
        // The status says what has come of the push, though the rest may get lost.
        body: await beginningOf(answer.body).catch(() => ''),
      }
    },
    close: () => {
      closed ??= agent.close()
      return closed
    },
  }
}
