import type { Environment } from '../config/read.ts'

/** What a command line has of the world. */
export interface Terminal {
  readonly environment: Environment
  /** All that comes in, once it has come to its end. */
  readonly input: () => Promise<string>
  /** Results. Whoever has more of them than memory should hold waits until each part is out. */
  readonly out: (text: string) => Promise<void> | void
  /** Faults, as lines. Logs go the same way. */
  readonly err: (text: string) => void
  /** Whether somebody watches the faults on a screen. */
  readonly isTerminal: boolean
}

/** Shows how far something has come: on one line, over what it showed before, where somebody watches. Empty text ends it. */
export const progressOn =
  ({ isTerminal, err }: Pick<Terminal, 'isTerminal' | 'err'>) =>
  (text: string): void => {
    if (isTerminal) err(`\r${text}\u001b[K`)
  }
