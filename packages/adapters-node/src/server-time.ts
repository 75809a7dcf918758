import { agentOptionsFor, type HttpsProxy } from './https-proxy.ts'

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
