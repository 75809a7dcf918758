import type { Task } from 'fp-ts/lib/Task.js'

/** Waiting, between the tries of a push. */
export interface Timer {
  /** Resolves after this number of milliseconds. Never rejects. */
  wait(milliseconds: number): Task<void>
}
