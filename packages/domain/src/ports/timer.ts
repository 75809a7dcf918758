import type { Task } from 'fp-ts/lib/Task.js'

export interface Timer {
  /** Resolves after so many milliseconds. Never rejects. */
  wait(milliseconds: number): Task<void>
}
