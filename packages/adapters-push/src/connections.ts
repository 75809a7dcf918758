import type { LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { type Deadline, type Posting, type PostResponse, post } from './post.ts'

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
