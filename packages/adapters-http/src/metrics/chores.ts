import { Counter, type Registry } from 'prom-client'

/** Adds a chore that was done, or failed. */
export type AddChore = (chore: string, failed: boolean) => void

/** What the server does by itself: reviews and upkeep. */
export const countChores = (registry: Registry): AddChore => {
  const chores = new Counter({
    name: 'almoner_chores_total',
    help: 'Reviews of notifications and other work that the server does by itself, done or failed.',
    labelNames: ['chore', 'outcome'] as const,
    registers: [registry],
  })
  // Both are there from the first on: of a count that appears with its first failure no growth can be seen.
  return (chore, failed) => {
    chores.inc({ chore, outcome: 'failed' }, failed ? 1 : 0)
    chores.inc({ chore, outcome: 'done' }, failed ? 0 : 1)
  }
}
