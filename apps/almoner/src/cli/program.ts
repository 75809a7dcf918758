import { Command as Commander, CommanderError, Option } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { COMMANDS, GROUPS } from '../commands/index.ts'
import { makeLogger } from '../composition/logger.ts'
import { makeService } from '../composition/service.ts'
import { nearest, settingsOf } from '../config/read.ts'
import { CommandFailed, type ExitCode, outageOf } from '../failure.ts'
import { progressOn, reportFailure, type Terminal } from '../terminal.ts'
import type { Command, CommandOption, CommandOutput, ProcessCommand } from './command.ts'

type Options = Readonly<Record<string, unknown>>

/** Prints an output, and its failure. */
const print = async (
  terminal: Terminal,
  { text, json, failure, unprinted }: CommandOutput,
  asJson: boolean,
): Promise<ExitCode> => {
  const fault = await terminal.out(`${asJson ? JSON.stringify(json) : text}\n`)
  if (fault instanceof Error && unprinted !== undefined) return reportFailure(terminal, await unprinted())
  return failure === undefined ? 0 : reportFailure(terminal, failure)
}

/** Opens a service for a command, runs it, prints its output, and closes the service and clears the progress however it ends. */
const runOn = async (
  terminal: Terminal,
  command: Command,
  args: ReadonlyArray<string>,
  options: Options,
): Promise<ExitCode> => {
  const settings = settingsOf(terminal.environment)
  const logger = () => makeLogger(settings.logLevel)
  const service = makeService(settings, logger, { leavesErasure: true })
  let isShown = false
  const show = progressOn(terminal)
  const progress = (text: string) => {
    isShown = text !== ''
    show(text)
  }
  const asJson = options['json'] === true
  const clear = () => isShown && progress('')
  try {
    const output = await command.run({ args, options, settings, service, terminal, progress, asJson })
    clear()
    return output === undefined ? 0 : await print(terminal, output, asJson)
  } finally {
    clear()
    await service.close()
  }
}

/** Runs a command, which prints its output, and prints its failure. */
const runCommand = async (
  terminal: Terminal,
  command: Command | ProcessCommand,
  args: ReadonlyArray<string>,
  options: Options,
): Promise<ExitCode> => {
  try {
    if ('start' in command) return await command.start(terminal, options)
    return await runOn(terminal, command, args, options)
  } catch (error) {
    const failure = error instanceof CommandFailed ? error : outageOf(error)
    if (failure === undefined) throw error
    return reportFailure(terminal, failure)
  }
}

const optionOf = ([flags, description, kind]: CommandOption): Option => {
  const option = new Option(flags, description).makeOptionMandatory(kind === 'required')
  return kind === 'repeatable'
    ? option.argParser<ReadonlyArray<string>>((value, earlier = []) => [...earlier, value])
    : option
}

/** Adds a command, in a group where its usage has two words. */
const addCommand = (
  program: Commander,
  command: Command | ProcessCommand,
  act: (args: ReadonlyArray<string>, options: Options) => Promise<void>,
): void => {
  const [, group, usage = ''] = /^(?:([a-z]+) )?([a-z]+.*)$/.exec(command.usage) ?? []
  const known = program.commands.find((one) => one.name() === group)
  const parent =
    group === undefined ? program : (known ?? program.command(group).description(GROUPS[group] ?? ''))
  const added = parent.command(usage).description(command.summary)
  if (!('start' in command)) added.option('--json', 'print one JSON document')
  for (const option of command.options ?? []) added.addOption(optionOf(option))
  if ('help' in command && command.help !== undefined) added.addHelpText('after', command.help)
  added.action(() =>
    act(
      added.processedArgs.filter((arg) => arg !== undefined),
      added.opts(),
    ),
  )
}

const unknownCommand = (name: string, { commands }: Commander): string => {
  const known = nearest(
    name,
    commands.map((command) => command.name()),
  )
  return `error: unknown command '${name}'${known === undefined ? '' : `; did you mean ${known}?`}`
}

/** Rejects an unknown command with the nearest known one, even before `--help`: commander would show the help of the parent. */
const rejectUnknown = (program: Commander, args: ReadonlyArray<string>): void => {
  let command = program
  for (const name of args) {
    if (command.commands.length === 0 || name.startsWith('-') || name === 'help') return
    const next = command.commands.find((candidate) => candidate.name() === name)
    if (next === undefined) command.error(unknownCommand(name, command))
    else command = next
  }
}

/** Runs a command line and returns its exit code: 2 for what commander rejects. */
export const run = async (args: ReadonlyArray<string>, terminal: Terminal): Promise<ExitCode> => {
  let code: ExitCode = 0
  const program = new Commander('almoner')
    .description('The content service of a foundation.')
    .version(manifest.version)
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride()
  // All are of use only for help and for what is misspelt.
  const named = COMMANDS.filter(({ usage }) => usage.split(' ', 1)[0] === args[0])
  for (const command of named.length > 0 ? named : COMMANDS)
    addCommand(program, command, async (given, options) => {
      code = await runCommand(terminal, command, given, options)
    })
  try {
    rejectUnknown(program, args)
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : 2
  }
  return code
}
