import { Command, CommanderError } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addArchiveCommands } from '../commands/archive/commands.ts'
import { checkTexts } from '../commands/check/texts.ts'
import { addClient } from '../commands/client/add.ts'
import { listClients } from '../commands/client/list.ts'
import type { ClientOptions } from '../commands/client/read-client.ts'
import { rotateClient } from '../commands/client/rotate.ts'
import { switchClient } from '../commands/client/switch.ts'
import { listDeadDevices } from '../commands/devices/dead.ts'
import { restoreDevices } from '../commands/devices/restore.ts'
import type { DeadOptions } from '../commands/devices/which.ts'
import { type DoctorOptions, doctor } from '../commands/doctor/doctor.ts'
import { loadLabels } from '../commands/labels-load.ts'
import { addMaintenance } from '../commands/maintenance.ts'
import { adoptMedia, sweepMedia } from '../commands/media.ts'
import { migrate, planMigration } from '../commands/migrate.ts'
import { previewNotification } from '../commands/notification/preview.ts'
import { reviewNotifications } from '../commands/notification/review.ts'
import { testNotification } from '../commands/notification/test.ts'
import { printOpenApi } from '../commands/openapi.ts'
import { loadPortfolio } from '../commands/portfolio/load.ts'
import { resumePush } from '../commands/push/resume.ts'
import { showPushStatus } from '../commands/push/status.ts'
import { printRoutes } from '../commands/routes.ts'
import { showStats } from '../commands/stats/stats.ts'
import { importUsers } from '../commands/user/import.ts'
import { listUsers } from '../commands/user/list.ts'
import { setUser, type UserOptions } from '../commands/user/set.ts'
import { settingsHelp } from '../config/help.ts'
import { nearest } from '../config/nearest.ts'
import { serve } from '../serve/serve.ts'
import { type Act, command, type Json } from './command-line.ts'
import type { ExitCode } from './failure.ts'
import { perform } from './perform.ts'
import type { Terminal } from './terminal.ts'

/** An option that may be given more than once. */
const collect = (value: string, earlier: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...earlier,
  value,
]

const addClientCommands = (program: Command, act: Act): void => {
  const client = program.command('client').description('manage the clients of the API')
  command(client, 'add', 'register a client; the secret is printed once')
    .option('--id <id>', 'the client_id: letters, digits, dots, dashes, underscores')
    .option('--scope <scopes>', 'scopes: user, user-donor, content-manager', collect)
    .option('--role <role>', 'role: user-manager or super-admin; repeatable', collect)
    .option('--email <email>', 'the user for whom the client acts')
    .option('--name <name>', 'a display name')
    .action((options: ClientOptions & Json) => act(addClient(options), options))
  command(client, 'list', 'list clients, without secrets').action((options: Json) =>
    act(listClients, options),
  )
  command(client, 'rotate <ID>', 'give a client a new secret; its tokens stay valid')
    .option('--keep-old <time>', 'how long the old secret stays valid, such as 24h; default: not at all')
    .action((id: string, options: Json & { keepOld?: string }) => act(rotateClient(id, options), options))
  command(client, 'disable <ID>', 'reject a client and its tokens').action((id: string, options: Json) =>
    act(switchClient(id, true), options),
  )
  command(client, 'enable <ID>', 'accept a disabled client again').action((id: string, options: Json) =>
    act(switchClient(id, false), options),
  )
}

const addContentCommands = (program: Command, act: Act): void => {
  const labels = program.command('labels').description('manage the labels of items')
  command(labels, 'load <FILE>', 'replace all labels with those in a JSON file').action(
    (file: string, options: Json) => act(loadLabels(file), options),
  )
}

const addMediaCommands = (program: Command, act: Act): void => {
  const media = program.command('media').description('manage the image storage')
  command(media, 'sweep', 'delete images that nothing references and that are older than an hour')
    .option('--confirm', 'delete them even if they are many; never images of another database')
    .action((options: Json & { confirm?: true }) => act(sweepMedia(options), options))
  command(media, 'adopt', 'assign the image storage to this database').action((options: Json) =>
    act(adoptMedia, options),
  )
}

const addPortfolioCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const portfolio = program.command('portfolio').description('manage the portfolio of organizations')
  command(portfolio, 'load <FILE|FOLDER>', 'replace the portfolio with that in the files')
    .option('--dry-run', 'only list the changes')
    .action((path: string, options: Json & { dryRun?: true }) =>
      act(loadPortfolio(path, options, terminal), options),
    )
  const check = program.command('check').description('find problems for editors to fix')
  command(
    check,
    'texts',
    'list texts that lack a language, and highlights that are not in their text',
  ).action((options: Json) => act(checkTexts, options))
}

const addUserCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const user = program.command('user').description('manage users and their preferences')
  command(user, 'list', 'list users').action((options: Json) =>
    act(listUsers(terminal, options.json === true), options),
  )
  command(user, 'set <EMAIL>', "change a user's preference; creates an unknown user")
    .option('--lang <lang>', 'language: en or fr')
    .option('--subscribed <yes>', 'whether the user gets notifications: true or false')
    .action((email: string, options: UserOptions & Json) => act(setUser(email, options), options))
  command(user, 'import <FILE>', 'create or replace users from a CSV file').action(
    (file: string, options: Json) => act(importUsers(file, terminal), options),
  )
}

const addNotificationCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const notification = program.command('notification').description('send, preview and test notifications')
  command(notification, 'review', 'send all due notifications now, and print a summary')
    .option('--force', 'run even if another node has a different ALMONER_PUSH')
    .action((options: Json & { force?: true }) => act(reviewNotifications(terminal, options), options))
  command(notification, 'preview <ID>', 'show who would get a notification now, and its content').action(
    (id: string, options: Json) => act(previewNotification(id), options),
  )
  command(notification, 'test [ID]', 'send one push now, of a notification or a sample; records nothing')
    .requiredOption('--device <token>', 'the device token, as an app would attach it; - reads it from stdin')
    .action(async (id: string | undefined, options: Json & { device: string }) => {
      const device = options.device === '-' ? (await terminal.input()).trim() : options.device
      await act(testNotification({ device, id, asJson: options.json === true }, terminal), options)
    })
}

const addPushCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const push = program.command('push').description('show and resume push providers')
  command(push, 'status', 'show which providers are paused, and why').action((options: Json) =>
    act(showPushStatus, options),
  )
  command(push, 'resume <PROVIDER>', 'resume a paused provider: fcm, apns or webpush')
    .option('--believe <time>', 'for how long no number of dead tokens pauses it again, such as 1h')
    .action((provider: string, options: Json & { believe?: string }) =>
      act(resumePush(provider, options), options),
    )
  const devices = program
    .command('devices')
    .description('list and restore devices that providers reported dead')
  const some = (usage: string, description: string) =>
    command(devices, usage, description)
      .option('--provider <provider>', 'only devices of fcm, apns or webpush')
      .option('--last <time>', 'only devices detached within this time, such as 12h')
  some('dead', 'list devices that were detached as dead within a week').action(
    (options: DeadOptions & Json) => act(listDeadDevices(options, terminal, options.json === true), options),
  )
  some('restore', 'attach dead devices again').action((options: DeadOptions & Json) =>
    act(restoreDevices(options), options),
  )
}

const addMigrate = (program: Command, act: Act, terminal: Terminal): void => {
  command(program, 'migrate', "bring the database's schema up to date")
    .option('--plan', 'only list the pending migrations')
    .action((options: Json & { plan?: true }) =>
      act(options.plan ? planMigration : migrate(terminal), options),
    )
}

const addStats = (program: Command, act: Act, terminal: Terminal): void => {
  command(program, 'stats', 'count content, devices and the deliveries of 30 days').action((options: Json) =>
    act(showStats(terminal), options),
  )
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
    .description('migrate the database, then serve until SIGTERM or SIGINT')
    .option('--demo', 'fill an empty database with demonstration content and clients')
    .addHelpText('after', settingsHelp)
    .action(({ demo }: { demo?: true }) => start(demo === true))
}

const addDoctor = (program: Command, examine: (options: DoctorOptions) => Promise<void>): void => {
  command(program, 'doctor', 'check everything that the service needs, and name a fix for each problem')
    .option('--push', 'also contact the providers; sends nothing to any device')
    .action(examine)
}

const unknownCommand = (name: string, { commands }: Command): string => {
  const known = nearest(
    name,
    commands.map((command) => command.name()),
  )
  return `error: unknown command '${name}'${known === undefined ? '' : `; did you mean ${known}?`}`
}

/** Rejects an unknown command with the nearest known one, even before `--help`: commander would show the help of the parent. */
const refuseUnknown = (program: Command, args: ReadonlyArray<string>): void => {
  let command = program
  for (const name of args) {
    if (command.commands.length === 0 || name.startsWith('-') || name === 'help') return
    const next = command.commands.find((candidate) => candidate.name() === name)
    if (next === undefined) command.error(unknownCommand(name, command))
    else command = next
  }
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
  addPushCommands(program, act, terminal)
  addMigrate(program, act, terminal)
  addClientCommands(program, act)
  addContentCommands(program, act)
  addMediaCommands(program, act)
  addPortfolioCommands(program, act, terminal)
  addUserCommands(program, act, terminal)
  addNotificationCommands(program, act, terminal)
  addArchiveCommands(program, act, terminal)
  addDoctor(program, async (options) => {
    code = await doctor(terminal, options)
  })
  addMaintenance(program, act)
  addStats(program, act, terminal)
  addReaders(program, act)
  try {
    refuseUnknown(program, args)
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : 2
  }
  return code
}
