import type { Deliveries } from '@almoner/domain/ports'

type Call = (...args: ReadonlyArray<never>) => () => Promise<unknown>

/**
 * Wraps the deliveries of a process that the test kills: calls before the kill are done, later ones are not, and never resolve.
 */
export const mortal = (deliveries: Deliveries) => {
  const open = new Set<Promise<unknown>>()
  let isDead = false

  const asked =
    (call: Call): Call =>
    (...args) =>
    async () => {
      if (isDead) return new Promise(() => {})
      const answer = call(...args)()
      open.add(answer)
      return answer.finally(() => open.delete(answer))
    }

  const calls = Object.entries(deliveries).map(([name, call]) => [name, asked(call as Call)])
  return {
    deliveries: Object.fromEntries(calls) as Deliveries,
    /** Resolves when all its work has stopped. */
    kill: async (): Promise<void> => {
      isDead = true
      await Promise.allSettled(open)
    },
  }
}
