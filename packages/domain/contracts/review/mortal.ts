import type { Deliveries } from '../../src/all.ts'

type Call = (...args: ReadonlyArray<never>) => () => Promise<unknown>

/**
 * Deliveries as a process has them that will be killed: what it has asked for by then is done, what it asks for afterwards is not, and
 * never answered.
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
    /** Resolves when nothing of it goes on any more. */
    kill: async (): Promise<void> => {
      isDead = true
      await Promise.allSettled(open)
    },
  }
}
