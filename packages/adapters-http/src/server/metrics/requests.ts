import { Histogram, type Registry } from 'prom-client'

/** Adds an answer that took so many milliseconds. */
export type AddAnswer = (method: string, route: string, status: number, milliseconds: number) => void

/** How long answers take, and so how many there are. Routes are named by their patterns, never by addresses. */
export const countRequests = (registry: Registry): AddAnswer => {
  const durations = new Histogram({
    name: 'almoner_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // Finding the figures of some labels takes longer than adding to them.
  const known = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  const figuresOf = (method: string, route: string, status: number) => {
    const key = `${method} ${route} ${status}`
    const found = known.get(key) ?? durations.labels({ method, route, status })
    known.set(key, found)
    return found
  }
  return (method, route, status, milliseconds) =>
    figuresOf(method, route, status).observe(milliseconds / 1000)
}
