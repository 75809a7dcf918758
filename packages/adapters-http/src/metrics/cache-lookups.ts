import { Counter, type Registry } from 'prom-client'

/** Counts lookups in the response cache by result. */
export interface CacheLookups {
  /** Found before Fastify saw the request. */
  front: number
  /** Found for a caller of the same kind. */
  kept: number
  /** Not found. */
  made: number
}

export const noLookups = (): CacheLookups => ({ front: 0, kept: 0, made: 0 })

/** Shows how often the response cache had a response. The counts are read by each scrape, so that counting is a single addition. */
export const showLookups = (registry: Registry): CacheLookups => {
  const lookups = noLookups()
  new Counter({
    name: 'almoner_cache_lookups_total',
    help: 'Answers looked for among those kept: found in front of the routes, found for another caller, or made.',
    labelNames: ['result'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(lookups)) this.inc({ result }, count)
    },
  })
  return lookups
}
