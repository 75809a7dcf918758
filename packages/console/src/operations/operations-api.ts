import { useEffect, useState } from 'react'
import { consoleApi, proof, sessionEnd } from '../session/api.ts'

/** Runs the checks of the service, and returns what they found. */
export const listFindings = (signal: AbortSignal) => consoleApi.get('/findings', { signal })

/** One thing that a check found. */
export type Finding = Awaited<ReturnType<typeof listFindings>>['data']['findings'][number]['finding']

/** Returns the states of the push providers. */
export const listProviders = (signal: AbortSignal) => consoleApi.get('/providers', { signal })

/** The state of a push provider. */
export type ProviderState = Awaited<ReturnType<typeof listProviders>>['data']['providers'][number]['provider']

/** Pauses a provider until an operator resumes it. */
export const pauseProvider = (provider: string) =>
  consoleApi.put('/providers/{provider}/pause', { path: { provider }, body: {} })

/** Ends the pause of a provider. For these hours, no number of unregistered devices starts another one. */
export const resumeProvider = (provider: string, ignoreUnregisteredHours?: number) =>
  consoleApi.delete('/providers/{provider}/pause', {
    path: { provider },
    query: ignoreUnregisteredHours === undefined ? {} : { ignoreUnregisteredHours },
  })

/** Returns content, devices and 30 days of deliveries in numbers. */
export const showStatistics = (signal: AbortSignal) => consoleApi.get('/statistics', { signal })

/** A service in numbers. */
export type Statistics = Awaited<ReturnType<typeof showStatistics>>['data']['statistics']

/** Returns what the service does now. */
const showFigures = async (signal: AbortSignal) => (await consoleApi.get('/figures', { signal })).data.figures

/** What the service does at a moment. */
type Figures = Awaited<ReturnType<typeof showFigures>>

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

/** Looks at the service again and again while the page is visible and the person is not asked to sign in. */
export const useFigures = (): { readonly live: LiveFigures | undefined; readonly error: unknown } => {
  const [live, setLive] = useState<LiveFigures>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const look = () => {
      // Signing in ends the session before: a look with that would be refused, and looks without one would wait by the hundred.
      if (document.hidden || proof.isAsked() || sessionEnd.isEnded()) return
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
