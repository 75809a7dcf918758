import type { Environment } from './config/read.ts'
import type { CommandFailed, ExitCode } from './failure.ts'

/** The input and output of a command. */
export interface Terminal {
  readonly environment: Environment
  /** Resolves to everything on stdin, once that has ended. */
  readonly input: () => Promise<string>
  /** Writes results. Resolves when they are written, so that large results need not fit into memory; to an Error if they cannot be. */
  readonly out: (text: string) => unknown
  /** The same for bytes; absent where only text can be written. */
  readonly outBytes?: (bytes: Uint8Array) => Promise<Error | undefined>
  /** Writes errors and logs. */
  readonly err: (text: string) => void
  /** Whether stderr is a screen. */
  readonly isTerminal: boolean
}

/** Shows progress on one line of a screen, over the last text. Empty text clears the line. */
export type ShowProgress = (text: string) => void

/** Makes a function that shows progress on a screen, and does nothing elsewhere. */
export const progressOn =
  ({ isTerminal, err }: Pick<Terminal, 'isTerminal' | 'err'>): ShowProgress =>
  (text) => {
    if (isTerminal) err(`\r${text}\u001b[K`)
  }

/** Writes the lines of an error, and returns its exit code. */
export const reportFailure = (
  { err }: Pick<Terminal, 'err'>,
  { lines, exitCode }: CommandFailed,
): ExitCode => {
  for (const line of lines) err(`almoner: ${line}\n`)
  return exitCode
}
