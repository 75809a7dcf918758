import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Settings } from '../config/definitions.ts'
import { readSettings } from '../config/read.ts'
import { PRINTED, type Work } from './command.ts'
import { EXIT_CODES, type ExitCode, type Failure, failed } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** The settings of the environment; their faults are a failure of every command. */
export const settingsOf = ({ environment }: Terminal): E.Either<Failure, Settings> =>
  pipe(
    readSettings(environment),
    E.mapLeft(([first, ...rest]) => failed(first, ...rest)),
  )

/** Tells a failure, a line each, and gives its exit code. */
export const tell = ({ err }: Terminal, { _tag, lines }: Failure): ExitCode => {
  for (const line of lines) err(`almoner: ${line}\n`)
  return EXIT_CODES[_tag]
}

/** Does a command's work and prints what it gives. */
export const perform = async (terminal: Terminal, work: Work, asJson: boolean): Promise<ExitCode> => {
  const done = await pipe(TE.fromEither(settingsOf(terminal)), TE.flatMap(work))()
  if (E.isLeft(done)) return tell(terminal, done.left)
  if (done.right === PRINTED) return 0
  const { text, json, failure } = done.right
  await terminal.out(`${asJson ? JSON.stringify(json) : text}\n`)
  return failure === undefined ? 0 : tell(terminal, failure)
}
