import { Counter, type Registry } from 'prom-client'
import type { Lookups } from './cache-lookups.ts'

/** How often what was asked for had been asked before. The counts are read when somebody looks, so that counting costs no more than adding one. */
export const countLookups = (registry: Registry, lookups: Lookups): void => {
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
}
