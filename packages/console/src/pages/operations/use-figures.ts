import { useEffect, useState } from 'react'
import { type Figures, showFigures } from './operations-api.ts'

/** Milliseconds between two looks while the page is visible. */
const INTERVAL = 2000

/** What the service does now, and its rates since the look before. */
export interface LiveFigures {
  readonly figures: Figures
  /** Undefined before the second look, and after a restart of the service. */
  readonly requestsPerSecond: number | undefined
  readonly operationsPerSecond: number | undefined
}

/** Returns the growth of a count per second; undefined where it is unknown or has begun again. */
const rateOf = (before: number | null | undefined, after: number | null, seconds: number) =>
  before == null || after === null || after < before || seconds <= 0 ? undefined : (after - before) / seconds

const following = (before: LiveFigures | undefined, figures: Figures): LiveFigures => {
  const earlier = before?.figures
  const seconds = earlier === undefined ? 0 : (Date.parse(figures.at) - Date.parse(earlier.at)) / 1000
  // Two looks may get the same answer of the server.
  if (before !== undefined && seconds === 0) return { ...before, figures }
  return {
    figures,
    requestsPerSecond: rateOf(earlier?.requests, figures.requests, seconds),
    operationsPerSecond: rateOf(earlier?.operations, figures.operations, seconds),
  }
}

/** Looks at the service again and again while the page is visible. */
export const useFigures = (): { readonly live: LiveFigures | undefined; readonly error: unknown } => {
  const [live, setLive] = useState<LiveFigures>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const look = () => {
      if (document.hidden) return
      showFigures(signal).then(
        (figures) => {
          if (signal.aborted) return
          setLive((before) => following(before, figures))
          setError(undefined)
        },
        (cause: unknown) => {
          if (!signal.aborted) setError(cause)
        },
      )
    }
    look()
    const timer = setInterval(look, INTERVAL)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [])
  return { live, error }
}
