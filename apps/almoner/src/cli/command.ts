import { decode, type Instant, type Ports } from '@almoner/domain'
import { type ActedBy, commandActor } from '@almoner/domain/access'
import { PROVIDERS, type Provider } from '@almoner/domain/people'
import { addMillis, type Refined } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Service } from '../composition/service.ts'
import type { Settings } from '../config/definitions.ts'
import { type CommandFailed, type ExitCode, misused, orThrow } from '../failure.ts'
import type { ShowProgress, Terminal } from '../terminal.ts'

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const
const LONGEST = 365 * SECONDS.d

/** Reads a duration such as `90s`, `30m`, `24h` or `7d`, in milliseconds; none when the option is left out. */
export const durationOption = (option: string, text: string | undefined): O.Option<number> => {
  if (text === undefined) return O.none
  const [, count, unit = ''] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS]
  if (seconds <= LONGEST) return O.some(seconds * 1000)
  throw misused(`${option} must be a time such as 90s, 30m, 24h or 7d, at most 365d`)
}

/** Returns the instant that lies a number of milliseconds after another. */
export const after = (now: Instant, time: O.Option<number>): O.Option<Instant> =>
  O.map((milliseconds: number) => addMillis(now, milliseconds))(time)

/** Reads an argument by a codec of the domain. */
export const argument = <A>(name: string, codec: Refined<A>, text: string | undefined): A =>
  orThrow(decode(codec)(text), ({ errors: [first] }) => misused(`${name} ${first.message}`))

const isProvider = (name: string): name is Provider => (PROVIDERS as ReadonlyArray<string>).includes(name)

/** Reads the name of a provider. */
export const providerArgument = (argument: string, name: string): Provider => {
  if (isProvider(name)) return name
  throw misused(`${argument} must be one of ${PROVIDERS.join(', ')}`)
}

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

/** A table for a person, in which no cell but the last is wider than its head, so that all batches align; JSON for a program. */
type Shown<A> = {
  readonly table: (rows: ReadonlyArray<A>) => string
  readonly document: (row: A) => unknown
}

type Batches<A> = AsyncIterable<ReadonlyArray<A>>

const lines = async function* <A>(batches: Batches<A>, { table }: Shown<A>) {
  yield `${table([])}\n`
  for await (const batch of batches) if (batch.length > 0) yield `${table(batch)}\n`.replace(/^.*\n/, '')
}

const json = async function* <A>(batches: Batches<A>, { document }: Shown<A>) {
  let before = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield before + batch.map((row) => JSON.stringify(document(row))).join(',')
    before = ','
  }
  yield before === '[' ? '[]\n' : ']\n'
}

/** Prints a list while it is read from the database: it may not fit into memory. */
export const printBatches = async <A>(
  batches: Batches<A>,
  shown: Shown<A>,
  { terminal: { out }, asJson }: { readonly terminal: Terminal; readonly asJson: boolean },
): Promise<undefined> => {
  for await (const part of (asJson ? json : lines)(batches, shown)) await out(part)
}

/** Control characters would move the cursor of a terminal; names are free text. */
const shown = (cell: string): string => (cell === '' ? '-' : cell.replaceAll(/\p{Cc}/gu, '?'))

/**
 * Formats columns as wide as their widest cell, two spaces apart; an empty cell shows a dash.
 * @param align 'numbers' aligns all columns but the first on the right
 */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  align: 'text' | 'numbers' = 'text',
): string => {
  const cells = [heads, ...rows].map((row) => row.map(shown))
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const padded = (cell: string, column: number): string =>
    align === 'numbers' && column > 0 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return cells.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
}
