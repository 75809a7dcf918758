import { Agent, type IncomingMessage, request } from 'node:http'
import type { Target } from './target.ts'

/** Times of calls, in milliseconds. */
interface Times {
  readonly median: number
  readonly p99: number
  readonly longest: number
}

/** How well-behaved callers fared. */
export interface Fared {
  readonly requests: number
  /** On connections that were there before, as a reverse proxy has them. */
  readonly known: Times
  /** On connections of their own. */
  readonly newcomers: Times
  /** Answers that told to come again. */
  readonly busy: number
  /** Any other answer but 200, and connections that broke. */
  readonly failed: number
  /** Health that was not green. */
  readonly unhealthy: number
}

/** Calls a second on known connections, of which one in fifty writes and one in ten asks for health. */
const PER_SECOND = 50
/** Of so many calls, one more is made on a connection of its own. */
const NEWCOMERS = 25
const CONNECTIONS = 32

const POST = new URLSearchParams({
  itemType: 'photo',
  itemTitle: 'A well',
  itemDescription: 'Water.',
}).toString()

const askOf = (turn: number) => {
  if (turn % 50 === 0) return { method: 'POST', path: '/feed/', body: POST }
  if (turn % 10 === 0) return { method: 'GET', path: '/health/ready', body: '' }
  return { method: 'GET', path: `/library/?lim=20&offset=${turn % 4000}`, body: '' }
}

const timesOf = (times: ReadonlyArray<number>): Times => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), p99: at(0.99), longest: at(1) }
}

/** Calls at a steady rate, whether or not the last call has been answered, until told to stop. */
export const startCaller = async ({ host, port, token }: Target) => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const [known, newcomers]: [Array<number>, Array<number>] = [[], []]
  const counts = { busy: 0, failed: 0, unhealthy: 0 }
  const calls = new Set<Promise<void>>()
  const ask = (by: Agent | false, { method, path, body }: ReturnType<typeof askOf>): Promise<number> =>
    new Promise((resolve) => {
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const headers = { Authorization: `Bearer ${token}`, ...(body === '' ? {} : form) }
      const sent = request({ host, port, agent: by, method, path, headers, timeout: 30_000 })
      sent.on('timeout', () => sent.destroy(new Error('too slow')))
      sent.on('error', () => resolve(0))
      sent.on('response', (answer: IncomingMessage) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      })
      sent.end(body)
    })
  const call = async (by: Agent | false, asked: ReturnType<typeof askOf>): Promise<void> => {
    const begun = performance.now()
    const status = await ask(by, asked)
    const times = by === false ? newcomers : known
    times.push(performance.now() - begun)
    if (status === 200) return
    if (asked.path.startsWith('/health')) counts.unhealthy += 1
    else if (status === 503) counts.busy += 1
    else counts.failed += 1
  }
  const begin = (by: Agent | false, turn: number): void => {
    const made = call(by, askOf(turn))
    calls.add(made)
    void made.finally(() => calls.delete(made))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(agent, askOf(1))))
  let turn = 0
  const timer = setInterval(() => {
    turn += 1
    begin(agent, turn)
    if (turn % NEWCOMERS === 0) begin(false, turn + 1)
  }, 1000 / PER_SECOND)
  return async (): Promise<Fared> => {
    clearInterval(timer)
    await Promise.all(calls)
    agent.destroy()
    const requests = known.length + newcomers.length
    return { requests, known: timesOf(known), newcomers: timesOf(newcomers), ...counts }
  }
}
