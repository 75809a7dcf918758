import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addClient } from './commands/client/add.ts'
import { listClients } from './commands/client/list.ts'
import type { ClientOptions } from './commands/client/read-client.ts'
import { rotateClient } from './commands/client/rotate.ts'
import { switchClient } from './commands/client/switch.ts'
import type { Work } from './commands/command.ts'
import { loadLabels } from './commands/labels-load.ts'
import { migrate, planMigration } from './commands/migrate.ts'
import { printOpenApi } from './commands/openapi.ts'
import { perform } from './commands/perform.ts'
import { printRoutes } from './commands/routes.ts'
import type { ExitCode } from './failure.ts'
import { serve } from './serve/serve.ts'
import { settingsHelp } from './settings/listing.ts'
import type { Terminal } from './terminal.ts'

interface Json {
  readonly json?: true
}

/** Runs a command's work and keeps its exit code. */
type Act = (work: Work, options: Json) => Promise<void>

const command = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description).option('--json', 'print one JSON document')

/** An option that may be given more than once. */
const collect = (value: string, earlier: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...earlier,
  value,
]

const addClientCommands = (program: Command, act: Act): void => {
  const client = program.command('client').description('the machine credentials that may call the service')
  command(client, 'add', 'register a client; its secret is shown this once')
    .option('--id <id>', 'its client_id: letters, digits, dots, dashes, underscores')
    .option('--scope <scopes>', 'what it may do: user, user-donor, content-manager', collect)
    .option('--role <role>', 'user-manager or super-admin; may be given more than once', collect)
    .option('--email <email>', 'the user it acts for')
    .option('--name <name>', 'a name for people')
    .action((options: ClientOptions & Json) => act(addClient(options), options))
  command(client, 'list', 'every client, without secrets').action((options: Json) =>
    act(listClients, options),
  )
  command(client, 'rotate <ID>', 'give a client a fresh secret; its tokens live on')
    .option('--keep-old <time>', 'how long the old secret still counts, as 24h; not at all when left out')
    .action((id: string, options: Json & { keepOld?: string }) => act(rotateClient(id, options), options))
  command(client, 'disable <ID>', 'refuse a client and its tokens').action((id: string, options: Json) =>
    act(switchClient(id, true), options),
  )
  command(client, 'enable <ID>', 'accept a disabled client again').action((id: string, options: Json) =>
    act(switchClient(id, false), options),
  )
}

const addContentCommands = (program: Command, act: Act): void => {
  const labels = program.command('labels').description('the words that items carry')
  command(labels, 'load <FILE>', 'make the set of labels that of a JSON file').action(
    (file: string, options: Json) => act(loadLabels(file), options),
  )
}

const addMigrate = (program: Command, act: Act): void => {
  command(program, 'migrate', "bring the database's schema up to date")
    .option('--plan', 'only tell what would be applied')
    .action((options: Json & { plan?: true }) => act(options.plan ? planMigration : migrate, options))
}

const addReaders = (program: Command, act: Act): void => {
  command(program, 'routes', 'list the routes of the API').action((options: Json) =>
    act(printRoutes, options),
  )
  command(program, 'openapi', 'print the OpenAPI document').action((options: Json) =>
    act(printOpenApi, options),
  )
}

const addServe = (program: Command, start: (demo: boolean) => Promise<void>): void => {
  program
    .command('serve')
    .description('bring the schema up to date, then serve until told to stop (SIGTERM, SIGINT)')
    .option('--demo', 'fill an empty database with demonstration content and clients')
    .addHelpText('after', settingsHelp)
    .action(({ demo }: { demo?: true }) => start(demo === true))
}

/** Runs a command line and gives its exit code. Wrong usage, as commander sees it, is 2. */
export const run = async (args: ReadonlyArray<string>, terminal: Terminal): Promise<ExitCode> => {
  let code: ExitCode = 0
  const act: Act = async (work, options) => {
    code = await perform(terminal, work, options.json === true)
  }
  const program = new Command('almoner')
    .description('The content service of a foundation.')
    .version(manifest.version)
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride()
  addServe(program, async (demo) => {
    code = await serve(terminal, demo)
  })
  addMigrate(program, act)
  addClientCommands(program, act)
  addContentCommands(program, act)
  addReaders(program, act)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : 2
  }
  return code
}
