import { lengthOf, makeAsker } from './asker.ts'
import type { Ask } from './volley.ts'

/** Requests that come when they come, whether or not the last one has been answered. */
export interface Pace {
  readonly url: string
  readonly ask: Ask
  readonly status: number
  readonly connections: number
  readonly perSecond: number
  /** Milliseconds that are not counted: generator and server are quick only once their code has been compiled for such a rate. */
  readonly warming: number
  readonly seconds: number
  /** The server's processes, and others that belong to the measurement. */
  readonly server: ReadonlyArray<number>
  readonly known: ReadonlyArray<number>
}

const bytesOf = ({ method, path, headers = {} }: Ask): Buffer => {
  const fields = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`)
}

/**
 * Milliseconds that each request took, from the moment when it was due: one that has to wait for a free connection, or for a generator
 * that is late, has waited. Requests are due at random, as those of many people are (exponential gaps), so many a second on average.
 *
 * autocannon's own `overallRate` does not do this. Each of its connections sends its share of a second's requests as fast as it can and
 * pauses for the rest of the second, so that the server meets its top rate for most of it; and its correction for coordinated omission
 * counts a request of n milliseconds as n requests of n, n - 1, … 1.
 */
export const pace = async (paced: Pace): Promise<ReadonlyArray<number>> => {
  const { perSecond, warming, seconds, connections, status } = paced
  const [url, request] = [new URL(paced.url), bytesOf(paced.ask)]
  const length = await lengthOf(url, request, status)
  const times: Array<number> = []
  const waiting: Array<number> = []
  const free: Array<() => void> = []
  const begun = performance.now()
  const counted = begun + warming
  const end = counted + seconds * 1000
  let dueOfNext = begun
  const open = Array.from({ length: connections }, () => {
    let due = 0
    const take = () => {
      due = waiting.shift() ?? Number.NaN
      asker.ask()
    }
    const asker = makeAsker(url, { request, length }, () => {
      if (due >= counted) times.push(performance.now() - due)
      if (waiting.length > 0) take()
      else free.push(take)
    })
    free.push(take)
    return asker
  })
  const send = () => {
    const now = Math.min(performance.now(), end)
    for (; dueOfNext <= now && dueOfNext < end; dueOfNext -= (Math.log(1 - Math.random()) / perSecond) * 1000)
      waiting.push(dueOfNext)
    while (waiting.length > 0 && free.length > 0) free.pop()?.()
  }
  // Timers are a millisecond late at best: the generator has a core of its own and spins. It does so without promises, which would be
  // garbage to collect while answers wait.
  await new Promise<void>((resolve) => {
    const turn = () => {
      send()
      if (performance.now() < end || free.length < connections) setImmediate(turn)
      else resolve()
    }
    turn()
  })
  for (const asker of open) asker.end()
  return times
}
