import type { ScriptedResponse } from './answer.ts'

/** An answer that a test keeps back. */
export interface Deferred {
  /** What to put into a script. */
  readonly answer: () => Promise<ScriptedResponse>
  /** Settles when the first request for it has come in. */
  readonly arrived: Promise<void>
  /** Resolves all current and later waiters. */
  release(): void
}

/** Keeps an answer back until it is released, so that a slow provider needs no timer. */
export const deferred = (answer: ScriptedResponse): Deferred => {
  const arrival = Promise.withResolvers<void>()
  const end = Promise.withResolvers<ScriptedResponse>()
  return {
    answer: () => {
      arrival.resolve()
      return end.promise
    },
    arrived: arrival.promise,
    release: () => end.resolve(answer),
  }
}
