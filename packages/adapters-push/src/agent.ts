import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { trustContext } from './trust.ts'

/** A proxy of https requests. */
export interface HttpsProxy {
  /** Its URL, with user and password if it wants them. */
  readonly url: string
  /** The hosts that are reached directly, as NO_PROXY lists them. */
  readonly except: string
}

/** How to connect to providers. */
export interface AgentOptions extends Omit<Agent.Options, 'connect'> {
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
