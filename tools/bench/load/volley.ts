import autocannon from 'autocannon'
import { watch } from './watch.ts'

/** A request that is made again and again. */
export interface Ask {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** Requests by autocannon: each connection asks again as soon as it is answered. */
export interface Volley {
  readonly url: string
  /** Each connection makes them in turn. */
  readonly asks: ReadonlyArray<Ask>
  readonly connections: number
  readonly seconds: number
  /** Ends after so many instead. */
  readonly requests?: number | undefined
  /** The server's processes. */
  readonly server: ReadonlyArray<number>
  /** Others that belong to the measurement, so that they are not taken for strangers. */
  readonly known: ReadonlyArray<number>
  /** The one status that counts as an answer. */
  readonly status: number
}

/** What came of a volley. */
export interface Fired {
  readonly perSecond: number
  /** Milliseconds of processor time that the server needed for a request, all its threads together. */
  readonly cpu: number
  /** Shares of one core: of the generator, which cannot have more than one, and of the server. */
  readonly generator: number
  readonly server: number
  /** The share of the whole machine that went to strangers. */
  readonly others: number
  /** Answers with another status, and connections that broke. */
  readonly refused: number
}

/** Milliseconds between two looks whether the time is over. */
const SAMPLE = 50

/** Fires in this process. Its own processor time counts as the generator's. */
export const fire = async (volley: Volley): Promise<Fired> => {
  const { url, server, known, status } = volley
  const { requests: amount, seconds: duration } = volley
  const connections = Math.min(volley.connections, amount ?? volley.connections)
  const requests = volley.asks.map(({ method, path, headers = {}, body }) => ({
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body }),
  }))
  const watched = watch(server, known)
  const extent = amount === undefined ? { duration } : { amount }
  const result = await autocannon({ ...extent, url, connections, sampleInt: SAMPLE, requests })
  const { seconds, own, server: cpu, others } = watched()
  const stats = Object.entries(result.statusCodeStats ?? {})
  const countOf = (wanted: boolean): number =>
    stats
      .filter(([code]) => (Number(code) === status) === wanted)
      .reduce((sum, [, { count = 0 }]) => sum + count, 0)
  const answers = countOf(true)
  return {
    perSecond: answers / seconds,
    cpu: (cpu / answers) * 1000,
    generator: own / seconds,
    server: cpu / seconds,
    others,
    refused: countOf(false) + result.errors,
  }
}
