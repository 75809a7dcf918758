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

/** Work under way. */
class Timed implements Deadline {
  readonly since = performance.now()
  #isOver = false
  #stop = nothing
  readonly #onEnd: () => void
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }
  onTimeout(stop: () => void): void {
    this.#stop = stop
    if (this.#isOver) stop()
  }
  end(): void {
    this.#isOver = true
    this.#stop()
    this.#onEnd()
  }
}

/** Gives work a limited time. */
export interface TimeLimit {
  /** Runs work with a deadline. After that the result is `late`; the later result of the work is ignored. */
  run<A>(late: A, work: (deadline: Deadline) => Promise<A>): Promise<A>
  /** Resolves when all work under way has a result. */
  idle(): Promise<void>
}

/** Milliseconds within which work must have begun to end together. */
const TOGETHER = 10

/**
 * Gives each work at most this number of milliseconds. One timer serves all, because the oldest is over first: a timer for each would cost a
 * twentieth of a push, an AbortSignal a tenth.
 * @param startTimer the machine's timers when left out
 */
export const makeTimeLimit = (milliseconds: number, startTimer: StartTimer = startSystemTimer): TimeLimit => {
  /** From the oldest to the youngest. */
  const underWay = new Set<Timed>()
  const idle = new Set<() => void>()
  let cancel = nothing

  const onIdle = (): void => {
    for (const resolve of idle) resolve()
    idle.clear()
  }

  const watch = (oldest: number, left: number): void => {
    cancel = startTimer(left, () => {
      const now = performance.now()
      const latest = Math.max(oldest + TOGETHER, now - milliseconds)
      for (const timed of underWay) {
        if (timed.since > latest) return watch(timed.since, Math.max(0, timed.since + milliseconds - now))
        underWay.delete(timed)
        timed.end()
      }
      onIdle()
    })
  }

  const leave = (timed: Timed): void => {
    if (!underWay.delete(timed) || underWay.size > 0) return
    cancel()
    onIdle()
  }

  return {
    run: (late, work) =>
      new Promise((resolve, reject) => {
        const timed = new Timed(() => resolve(late))
        if (underWay.size === 0) watch(timed.since, milliseconds)
        underWay.add(timed)
        work(timed).then(
          (result) => {
            leave(timed)
            resolve(result)
          },
          (error) => {
            leave(timed)
            reject(error)
          },
        )
      }),
    idle: () => (underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.add(resolve))),
  }
}

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
  header(name: string): string | undefined
  /** The beginning of it. */
  readonly body: string
  /** Whether that is all of it. */
  readonly isWhole: boolean
}

type Headers = Readonly<Record<string, string | Array<string> | undefined>>

const NO_HEADERS: Headers = {}

/** How an answer is read. */
export interface Reading<A> {
  /** Bytes of its body at most. */
  readonly most: number
  /** Whether the beginning of an answer with this status is enough if the rest of it does not come. */
  readonly isEnough: (status: number) => boolean
  readonly answered: (answer: PostResponse) => A
  readonly unanswered: (error: Error) => A | Promise<A>
}

/** A request under way, and the answer to it. One object instead of a closure for each event, because ten thousand a second are made. */
class Exchange<A> implements Dispatcher.DispatchHandler, PostResponse {
  status = 0
  isWhole = false
  #headers = NO_HEADERS
  readonly #chunks: Array<Buffer> = []
  #length = 0
  readonly #deadline: Deadline
  readonly #reading: Reading<A>
  readonly #resolve: (result: A | Promise<A>) => void

  constructor(deadline: Deadline, reading: Reading<A>, resolve: (result: A | Promise<A>) => void) {
    this.#deadline = deadline
    this.#reading = reading
    this.#resolve = resolve
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#deadline.onTimeout(() => controller.abort(new Error('too late')))
  }

  onResponseStart(_controller: unknown, status: number, headers: Headers): void {
    // What only says that an answer will follow.
    if (status < 200) return
    this.status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length >= this.#reading.most) controller.abort(new Error('too long'))
  }

  onResponseEnd(): void {
    this.isWhole = true
    this.#resolve(this.#reading.answered(this))
  }

  onResponseError(_controller: unknown, error: Error): void {
    const isEnough = this.status > 0 && this.#reading.isEnough(this.status)
    this.#resolve(isEnough ? this.#reading.answered(this) : this.#reading.unanswered(error))
  }

  header(name: string): string | undefined {
    const header = this.#headers[name]
    return typeof header === 'object' ? header[0] : header
  }

  get retryAfter(): string | undefined {
    return this.header('retry-after')
  }

  get date(): string | undefined {
    return this.header('date')
  }

  /** Decoded when it is asked for, since most pushes are accepted. */
  get body(): string {
    return Buffer.concat(this.#chunks).subarray(0, this.#reading.most).toString()
  }
}

/**
 * Posts, and reads the response. Uses undici's dispatcher directly: `request` creates a stream for each response and an abort signal
 * for each deadline, which together cost as much as the request.
 */
export const post = <A>(
  dispatcher: Dispatcher,
  { url, headers, body }: Posting,
  deadline: Deadline,
  reading: Reading<A>,
): Promise<A> =>
  new Promise((resolve) => {
    const path = url.pathname + url.search
    const exchange = new Exchange(deadline, reading, resolve)
    dispatcher.dispatch({ origin: url.origin, path, method: 'POST', headers, body }, exchange)
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
export const openAgent = ({
  ca,
  proxy,
  limit,
  preferH2 = false,
  lookup,
  ...options
}: AgentOptions): Dispatcher => {
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
  /** Posts, and reads the answer. */
  post<A>(posting: Posting, deadline: Deadline, reading: Reading<A>): Promise<A>
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

/** Reads the whole of an answer, with room for any. The beginning of one that is no success is not enough: the rest may change what it means. */
export const WHOLE: Pick<Reading<unknown>, 'most' | 'isEnough'> = {
  most: 65_536,
  isEnough: (status) => status < 300,
}

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
    post: (posting, deadline, reading) => post(agent, posting, deadline, reading),
    close: () => agent.destroy(),
  }
}
