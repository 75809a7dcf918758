// The load generator: sends requests as fast as they are answered, in a separate process. Started by fixture.ts.
import autocannon from 'autocannon'

/** A request that is repeated. */
export interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** What the generator does at a time. */
export interface Burst {
  readonly url: string
  readonly request: Request
  readonly connections: number
  readonly seconds: number
  /** Ends after this many requests instead. */
  readonly amount?: number | undefined
  /** The only status that counts as an answer. */
  readonly status: number
}

/** The outcome of a burst. */
export interface BurstResult {
  readonly answers: number
  readonly seconds: number
  /** Answers with another status, and broken connections. */
  readonly refused: number
}

/** Milliseconds between two checks whether the time is over. */
const SAMPLE = 50

const fire = async ({ amount, seconds: duration, status, ...burst }: Burst): Promise<BurstResult> => {
  const { url, request } = burst
  const start = performance.now()
  const extent = amount === undefined ? { duration } : { amount }
  const connections = Math.min(burst.connections, amount ?? burst.connections)
  const result = await autocannon({ ...extent, url, connections, sampleInt: SAMPLE, requests: [request] })
  const seconds = (performance.now() - start) / 1000
  const answers = result.statusCodeStats?.[`${status}`]?.count ?? 0
  const total = Object.values(result.statusCodeStats ?? {}).reduce((sum, { count = 0 }) => sum + count, 0)
  return {
    answers,
    seconds,
    refused: total - answers + result.errors,
  }
}

process.on('message', async (burst: Burst) => process.send?.(await fire(burst)))
