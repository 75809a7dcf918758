import { Histogram, type Registry } from '@prometheus-io/client'
import type { FastifyInstance } from 'fastify'
import { patternOf } from '../request-context.ts'

/** Adds a response that took some milliseconds. */
export type AddResponse = (method: string, route: string, status: number, milliseconds: number) => void

type Series = Histogram.Internal<'method' | 'route' | 'status'>

/** Returns the value of a key, which is made if it is not there. */
const getOrMake = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** Makes the histogram of response times. Routes are named by their patterns, never by URLs. */
export const countRequests = (registry: Registry): AddResponse => {
  const durations = new Histogram({
    name: 'almoner_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // Finding the series of some labels takes longer than adding to it; so does hashing a text that names all three.
  const known = new Map<string, Map<string, Map<number, Series>>>()
  const seriesOf = (method: string, route: string, status: number): Series => {
    const ofMethod = getOrMake(known, method, () => new Map<string, Map<number, Series>>())
    const ofRoute = getOrMake(ofMethod, route, () => new Map<number, Series>())
    return getOrMake(ofRoute, status, () => durations.labels({ method, route, status }))
  }
  return (method, route, status, milliseconds) => seriesOf(method, route, status).observe(milliseconds / 1000)
}

/** Adds every response of an application. */
export const watchResponses = (app: FastifyInstance, add: AddResponse): void => {
  app.addHook('onResponse', (request, reply, done) => {
    add(request.method, patternOf(request) ?? 'unknown', reply.statusCode, reply.elapsedTime)
    done()
  })
}
