import { Histogram, type Registry } from 'prom-client'

/** Adds an answer that took so many milliseconds. */
export type AddAnswer = (method: string, route: string, status: number, milliseconds: number) => void

type Figures = Histogram.Internal<'method' | 'route' | 'status'>

/** What a map has for a key, which is made if it is not there. */
const within = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** How long answers take, and so how many there are. Routes are named by their patterns, never by addresses. */
export const countRequests = (registry: Registry): AddAnswer => {
  const durations = new Histogram({
    name: 'almoner_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // Finding the figures of some labels takes longer than adding to them; so does hashing a text that names all three.
  const known = new Map<string, Map<string, Map<number, Figures>>>()
  const figuresOf = (method: string, route: string, status: number): Figures => {
    const ofMethod = within(known, method, () => new Map<string, Map<number, Figures>>())
    const ofRoute = within(ofMethod, route, () => new Map<number, Figures>())
    return within(ofRoute, status, () => durations.labels({ method, route, status }))
  }
  return (method, route, status, milliseconds) =>
    figuresOf(method, route, status).observe(milliseconds / 1000)
}
