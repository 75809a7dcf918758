import { once } from 'node:events'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { check } from './campaign.ts'

/** A request of Node's plain client, which tries nothing again. Without an agent it has a connection for itself. */
export interface PlainRequest {
  readonly agent: Agent | false
  readonly method?: string | undefined
  readonly headers: OutgoingHttpHeaders
  readonly body?: string | Buffer | undefined
}

/** Sends a request and resolves to the status once the answer is whole. */
export const statusOf = async (url: string, { body, ...options }: PlainRequest): Promise<number> => {
  const method = options.method ?? (body === undefined ? 'GET' : 'POST')
  const sent = request(url, { ...options, method, timeout: 30_000 })
  sent.on('timeout', () => sent.destroy(new Error('too slow'))).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  await buffer(answer)
  return answer.statusCode ?? 0
}

/** Calls at a steady rate, whether or not earlier calls have ended, until it is aborted. Then waits for all calls. */
export const atRate = async (
  perSecond: number,
  signal: AbortSignal,
  call: (n: number) => Promise<void>,
): Promise<void> => {
  const calls = new Set<Promise<void>>()
  const start = performance.now()
  for (let n = 0; !signal.aborted; await pause(5))
    for (; n < ((performance.now() - start) / 1000) * perSecond; n += 1) {
      const made = call(n)
      calls.add(made)
      void made.finally(() => calls.delete(made))
    }
  await Promise.all(calls)
}

/** Requests a second of {@link readMeanwhile}, and the connections that they share. */
const [RATE, CONNECTIONS] = [50, 16]

/** How long reads took, in milliseconds. */
export interface ReadTimes {
  readonly p99: number
  readonly longest: number
}

/** Reads pages of publications at a steady rate until it is aborted. Each must get 200. */
export const readMeanwhile = async (
  url: string,
  authorization: string,
  signal: AbortSignal,
): Promise<ReadTimes> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const times: Array<number> = []
  await atRate(RATE, signal, async (n) => {
    const start = performance.now()
    const read = statusOf(`${url}/library/?lim=20&offset=${n % 4000}`, { agent, headers: { authorization } })
    const status = await read.catch(String)
    times.push(performance.now() - start)
    check(status === 200, `a reader got ${status}`)
  })
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  return { p99: sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0, longest: sorted.at(-1) ?? 0 }
}

/** Reads for some seconds while nothing else happens. */
export const readQuietly = async (
  url: string,
  authorization: string,
  seconds: number,
): Promise<ReadTimes> => {
  const end = new AbortController()
  const reading = readMeanwhile(url, authorization, end.signal)
  await pause(seconds * 1000)
  end.abort()
  return reading
}
