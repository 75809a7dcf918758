import type { LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'

/** The end of the time that some work is given. */
export interface Deadline {
  /** Does this when the time is over, at once if it is already; what was to be done before is forgotten. */
  onTimeout(stop: () => void): void
}

/** Calls a function after this number of milliseconds, unless the returned one is called before. */
export type StartTimer = (milliseconds: number, ring: () => void) => () => void

/** Timers of the machine. */
const startSystemTimer: StartTimer = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds)
  return () => clearTimeout(timer)
}

const nothing = (): void => {}

/** Runs work with a deadline. After that the result is `late`; the later result of the work is ignored. */
export type WithTimeout = <A>(late: A, work: (deadline: Deadline) => Promise<A>) => Promise<A>

/**
 * Returns a function that gives each work at most this number of milliseconds. An AbortSignal would cost a tenth of a push.
 * @param startTimer the machine's timers when left out
 */
export const withTimeoutOf =
  (milliseconds: number, startTimer: StartTimer = startSystemTimer): WithTimeout =>
  (late, work) =>
    new Promise((resolve, reject) => {
      let isOver = false
      let stop = nothing
      const cancel = startTimer(milliseconds, () => {
        isOver = true
        stop()
        resolve(late)
      })
      const onTimeout = (next: () => void): void => {
        stop = next
        if (isOver) stop()
      }
      work({ onTimeout }).then(resolve, reject).then(cancel)
    })

/** A request that is posted. */
export interface Posting {
  readonly url: Pick<URL, 'origin' | 'pathname' | 'search'>
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

/** Which authorities a connection trusts: the machine's, and one more where a deployment names it. */
const trusting = (ca: string | undefined): { readonly ca?: Array<string> } =>
  ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }

/** Creates it once for all connections, because parsing all authorities takes longer than connecting. */
const trustContext = (ca: string | undefined): { readonly secureContext?: SecureContext } =>
  ca === undefined ? {} : { secureContext: createSecureContext(trusting(ca)) }

/** What TLS calls a certificate that it does not take (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const CERTIFICATE =
  /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Whether a connection failed because of the certificate that the other side showed. */
export const isCertificateFault = (error: unknown): boolean =>
  CERTIFICATE.test(codeOf(error)) || (error instanceof Error && CERTIFICATE.test(codeOf(error.cause)))

/** A proxy of https requests. */
export interface HttpsProxy {
  /** Its URL, with user and password if it wants them. */
  readonly url: string
  /** The hosts that are reached directly, as NO_PROXY lists them. */
  readonly except: string
}

/** How to connect to providers. */
interface AgentOptions extends Omit<Agent.Options, 'connect'> {
  /** An authority to trust beside the machine's, PEM. */
  readonly ca: string | undefined
  /** None: connections are direct. */
  readonly proxy: HttpsProxy | undefined
  /** Milliseconds to connect in. */
  readonly limit: number
  /** Whether HTTP/2 is offered first. */
  readonly preferH2?: boolean
  /** Finds the addresses of providers. A proxy finds them itself. */
  readonly lookup?: LookupFunction
}

/** Opens an agent for https URLs. Through a proxy it asks for a tunnel. Nothing is connected before the first request. */
const openAgent = ({ ca, proxy, limit, preferH2 = false, lookup, ...options }: AgentOptions): Dispatcher => {
  const tls = { ...trustContext(ca), preferH2 }
  const connect = { ...tls, timeout: limit, ...(lookup && { lookup }) }
  if (proxy === undefined) return new Agent({ ...options, connect })
  return new EnvHttpProxyAgent({
    ...options,
    connect,
    httpProxy: '',
    httpsProxy: proxy.url,
    noProxy: proxy.except,
    connectTimeout: limit,
    requestTls: tls,
    proxyTls: trustContext(ca),
    // A proxy that does not answer would hold up all requests for five minutes.
    clientFactory: (origin, given) => new Pool(origin, { ...given, headersTimeout: limit }),
  })
}

/** Connections to a provider over HTTP/2. */
export interface Http2Connections {
  /** Rejects when no answer comes, or only the beginning of one that is no success: the rest may change what it means. */
  post(posting: Posting, deadline: Deadline): Promise<PostResponse>
  /** Ends every connection at once. */
  close(): Promise<void>
}

/** How to reach a provider. */
interface Http2Options {
  /** An authority to trust beside the machine's, PEM. */
  readonly ca: string | undefined
  readonly proxy: HttpsProxy | undefined
  /** How long an answer is waited for, in milliseconds. */
  readonly limit: number
  /** The most connections to one origin. */
  readonly connections: number
  /** The most requests on one connection, unless the server allows fewer. */
  readonly streams: number
}

/** More than any answer holds. */
const MOST_BYTES = 65_536

/**
 * Connects over HTTP/2 when there is something to send, and again after a GOAWAY, a reset or a restart. Streams time out a little before
 * the push does: when one does, undici pings the connection and drops one that has died silently.
 */
export const makeHttp2Connections = ({
  ca,
  proxy,
  limit,
  connections,
  streams,
}: Http2Options): Http2Connections => {
  const timeout = Math.ceil(limit * 0.9)
  const agent = openAgent({
    ca,
    proxy,
    limit,
    allowH2: true,
    connections,
    h2Options: { maxConcurrentStreams: streams },
    // An option of HTTP/1.1 that undici also applies after a GOAWAY: with fewer than what still waits on the old connection, nothing new
    // would be sent before all of that is answered.
    pipelining: 2 * streams,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
  return {
    post: async (posting, deadline) => {
      const answer = await post(agent, posting, MOST_BYTES, deadline)
      if (!answer.isWhole && answer.status >= 300) throw new Error('The answer broke off.')
      return answer
    },
    close: () => agent.destroy(),
  }
}

/** Over HTTP/1.1 as many pushes can be on their way to one origin; HTTP/2 needs one connection for a hundred. */
const CONNECTIONS = 32
/** More origins than push services have. */
const MOST_ORIGINS = 256
/** A burst of pushes finds the connections of the one before. */
const IDLE = 60_000
/** All that is looked at of an answer. */
const MOST_WEB_PUSH_BYTES = 4096

/** How a {@link Wire} reaches push services. */
interface WireOptions {
  /** An authority to trust beside the usual ones, PEM. */
  readonly ca: string | undefined
  readonly proxy: HttpsProxy | undefined
  readonly lookup: LookupFunction
  /** Milliseconds to connect in, and to wait for an answer. */
  readonly limit: number
}

/** HTTP/2 where it is offered, by kept connections. Redirects are answers like others. */
interface Wire {
  /** Rejects without a response. */
  post(posting: Posting, deadline: Deadline): Promise<PostResponse>
  /** Takes no more, and is done when those under way are. Closing twice is the same as once. */
  close(): Promise<void>
}

/**
 * Opens nothing until the first push. A request times out a little before its push does, which drops a connection that has died silently: over
 * HTTP/1.1 at once, over HTTP/2 when a ping is not answered either (G15).
 */
export const openWire = ({ ca, proxy, lookup, limit }: WireOptions): Wire => {
  const timeout = Math.ceil(limit * 0.9)
  const agent = openAgent({
    ca,
    proxy,
    limit,
    lookup,
    preferH2: true,
    connections: CONNECTIONS,
    maxOrigins: MOST_ORIGINS,
    keepAliveTimeout: IDLE,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
  let closed: Promise<void> | undefined
  return {
    post: (posting, deadline) => post(agent, posting, MOST_WEB_PUSH_BYTES, deadline),
    close: () => {
      closed ??= agent.close()
      return closed
    },
  }
}
