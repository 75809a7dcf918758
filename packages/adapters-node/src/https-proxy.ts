import * as E from 'fp-ts/lib/Either.js'

/** The proxy through which https requests go out. */
export interface HttpsProxy {
  /** Its URL, with user and password if it wants them: a secret. */
  readonly url: string
  /** The hosts that are reached directly, as NO_PROXY lists them, in a form that Node and undici read alike. */
  readonly except: string
}

/** Environment variables, as a process has them. */
type Environment = Readonly<Record<string, string | undefined>>

/** Reads a variable of which the name in lower case counts first, as in curl. */
const readVariable = (environment: Environment, name: string): string =>
  (environment[name.toLowerCase()] ?? environment[name] ?? '').trim()

/** Returns a URL, or undefined if it is no proxy's. Without a scheme it is http, as for curl. */
const proxyUrl = (text: string): string | undefined => {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  try {
    decodeURIComponent(url.username + url.password)
    return url.href
  } catch {
    return undefined
  }
}

/** Names a host and all hosts below it. Node takes `example.org` for that host alone, and `.example.org` for both. */
const withSubdomains = (entry: string): ReadonlyArray<string> => {
  const host = entry.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return /^[.*]/.test(host) ? [host] : [host, `.${host}`]
}

/**
 * Reads HTTPS_PROXY and NO_PROXY (operations.md).
 * @returns undefined without a proxy, or a sentence that does not repeat the value
 */
export const readHttpsProxy = (environment: Environment): E.Either<string, HttpsProxy | undefined> => {
  const text = readVariable(environment, 'HTTPS_PROXY')
  if (text === '') return E.right(undefined)
  const url = proxyUrl(text)
  if (url === undefined)
    return E.left(
      'HTTPS_PROXY must be the http or https URL of a proxy, such as http://proxy.example.org:3128; percent-encode its user and password',
    )
  const entries = readVariable(environment, 'NO_PROXY')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
  return E.right({ url, except: entries.flatMap(withSubdomains).join(',') })
}

/** Options of an agent of Node for https requests through a proxy. Node 22.20 and earlier pass over them. */
export const agentOptionsFor = (proxy: HttpsProxy | undefined) =>
  proxy === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxy.url, NO_PROXY: proxy.except } }

/** Milliseconds within which a server has to answer. */
const TIMEOUT = 8000

/** How to reach a server. */
export interface Route {
  /** An authority to trust beside the usual ones, PEM. */
  readonly ca?: string | undefined
  readonly proxy?: HttpsProxy | undefined
}

/**
 * Resolves to the time of an https server in epoch milliseconds, to a second, which any response of it holds (RFC 9110 §6.6.1); undefined
 * without a response.
 */
export const serverTime = async (origin: string, { ca, proxy }: Route): Promise<number | undefined> => {
  // Loaded here, so that a server, whose program holds the doctor too, need not hold TLS in memory.
  const [{ Agent, request }, { rootCertificates }] = await Promise.all([
    import('node:https'),
    import('node:tls'),
  ])
  const authorities = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
  const agent = new Agent(agentOptionsFor(proxy))
  return new Promise((resolve) => {
    const asked = request(origin, { method: 'HEAD', timeout: TIMEOUT, agent, ...authorities })
    asked.on('response', ({ headers }) => {
      const time = Date.parse(headers.date ?? '')
      resolve(Number.isNaN(time) ? undefined : time)
      asked.destroy()
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.on('close', () => resolve(undefined))
    asked.end()
  })
}
