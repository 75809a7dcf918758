import type { Task } from 'fp-ts/lib/Task.js'

/** Waiting, between the tries of a push. */
export interface Timer {
  /** Resolves after so many milliseconds. Never rejects. */
  wait(milliseconds: number): Task<void>
}
