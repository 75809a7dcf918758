import type { Ports } from '@almoner/domain'
import { type ActedBy, commandActor } from '@almoner/domain/access'
import type { Service } from '../composition/service.ts'
import type { Settings } from '../config/definitions.ts'
import type { CommandFailed, ExitCode } from '../failure.ts'
import type { ShowProgress, Terminal } from '../terminal.ts'

/** The output of a command: the same for a person and, with `--json`, for a program. */
export interface CommandOutput {
  readonly text: string
  readonly json: unknown
  /** What could not be done although the rest was; it decides the exit code. */
  readonly failure?: CommandFailed | undefined
  /** For an output with a secret that is shown once: takes back what was made if it cannot be printed, and resolves to what to say. */
  readonly unprinted?: () => Promise<CommandFailed>
}

/** An option, with flags as commander reads them. The value of a repeatable one is a list. */
export type CommandOption = readonly [flags: string, description: string, kind?: 'required' | 'repeatable']

interface Described {
  /** The words of the command, its arguments in `<>`, or in `[]` where they may be left out. */
  readonly usage: string
  readonly summary: string
  readonly options?: ReadonlyArray<CommandOption>
}

/** A call of a command, with valid settings. */
export interface Call<Options> {
  readonly args: ReadonlyArray<string>
  /** The options by their names in camel case. */
  readonly options: Options
  readonly settings: Settings
  /** Opens its parts when they are first used, and is closed when the command has ended. */
  readonly service: Service
  readonly terminal: Terminal
  /** Shows progress; it is cleared when the command has ended. */
  readonly progress: ShowProgress
  readonly asJson: boolean
}

/** A command. */
export interface Command<Options = object> extends Described {
  /** Does the work. Resolves to the output, or to undefined when it has printed all itself; rejects with a `CommandFailed`. */
  run(call: Call<Options>): Promise<CommandOutput | undefined>
}

/** A command that reads the settings and prints by itself. */
export interface ProcessCommand<Options = object> extends Described {
  /** Added to the help. */
  readonly help?: () => string
  start(terminal: Terminal, options: Options): Promise<ExitCode>
}

/** Returns under whose name a command's changes are recorded: its words (K1). */
export const actedBy = (words: string, { clock }: Pick<Ports, 'clock'>): ActedBy => ({
  actor: commandActor(words),
  at: clock.now(),
})

/** Makes an output that is the same JSON for both. */
export const jsonOnly = (json: unknown): CommandOutput => ({ text: JSON.stringify(json), json })

/** Returns the first argument, which commander has required. */
export const firstOf = ([first = '']: ReadonlyArray<string>): string => first
