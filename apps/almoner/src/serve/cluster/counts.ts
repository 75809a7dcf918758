import type { Counted } from '@almoner/adapters-http'

/** The span in which requests are counted, in milliseconds. */
const SPAN = 60_000

/** Keys remembered at most; beyond that the ones that asked longest ago are forgotten. */
const CAPACITY = 5000

interface Span {
  readonly began: number
  requests: number
}

/**
 * Counts requests by key for the rate limit (A8): in spans of a minute, each from a key's first request on.
 * @param now milliseconds by a clock that nobody sets
 */
export const requestCounts = (now: () => number, capacity = CAPACITY): ((key: string) => Counted) => {
  const spans = new Map<string, Span>()
  return (key) => {
    const moment = now()
    const known = spans.get(key)
    const span = known !== undefined && moment < known.began + SPAN ? known : { began: moment, requests: 0 }
    span.requests += 1
    // Deleting first moves the key to the end of the map's order: the front is what to forget.
    spans.delete(key)
    spans.set(key, span)
    for (const oldest of spans.keys()) {
      if (spans.size <= capacity) break
      spans.delete(oldest)
    }
    return { requests: span.requests, left: span.began + SPAN - moment }
  }
}
