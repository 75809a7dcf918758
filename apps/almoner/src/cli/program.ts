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

const addMediaCommands = (program: Command, act: Act): void => {
  const media = program.command('media').description('the storage of images')
  command(media, 'sweep', 'delete the images that nothing references, if they are older than an hour')
    .option('--confirm', 'delete them although they are many; never those of another database')
    .action((options: Json & { confirm?: true }) => act(sweepMedia(options), options))
  command(media, 'adopt', 'make the image storage belong to this database').action((options: Json) =>
    act(adoptMedia, options),
  )
}

const addPortfolioCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const portfolio = program.command('portfolio').description('the organizations, their texts and figures')
  command(portfolio, 'load <FILE|FOLDER>', 'make the portfolio that of the files')
    .option('--dry-run', 'only tell what would change')
    .action((path: string, options: Json & { dryRun?: true }) =>
      act(loadPortfolio(path, options, terminal), options),
    )
  const check = program.command('check').description('what editors may want to mend')
  command(check, 'texts', 'texts that lack a language, highlights that do not occur in their text').action(
    (options: Json) => act(checkTexts, options),
  )
}

const addUserCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const user = program.command('user').description('whom notifications may reach')
  command(user, 'list', 'every user').action((options: Json) =>
    act(listUsers(terminal, options.json === true), options),
  )
  command(user, 'set <EMAIL>', "change a user's preference; an unknown user is made")
    .option('--lang <lang>', 'the language that the user reads: en or fr')
    .option('--subscribed <yes>', 'whether the user wants notifications: true or false')
    .action((email: string, options: UserOptions & Json) => act(setUser(email, options), options))
  command(user, 'import <FILE>', 'make or replace users from a CSV file').action(
    (file: string, options: Json) => act(importUsers(file, terminal), options),
  )
}

const addNotificationCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const notification = program.command('notification').description('messages to the devices of users')
  command(notification, 'review', 'send the notifications that are due now, and print a summary')
    .option('--force', 'review although a running node has another ALMONER_PUSH')
    .action((options: Json & { force?: true }) => act(reviewNotifications(terminal, options), options))
  command(notification, 'preview <ID>', 'show who would get a notification now, and what').action(
    (id: string, options: Json) => act(previewNotification(id), options),
  )
  command(
    notification,
    'test [ID]',
    'send one push now, of a notification or a sample; nothing is written down',
  )
    .requiredOption(
      '--device <token>',
      'the device token, as an app would attach it; - reads it from the input',
    )
    .action(async (id: string | undefined, options: Json & { device: string }) => {
      const device = options.device === '-' ? (await terminal.input()).trim() : options.device
      await act(testNotification({ device, id, asJson: options.json === true }, terminal), options)
    })
}

const addPushCommands = (program: Command, act: Act, terminal: Terminal): void => {
  const push = program.command('push').description('the providers that pushes go out by')
  command(push, 'status', 'which providers are paused, and why').action((options: Json) =>
    act(showPushStatus, options),
  )
  command(push, 'resume <PROVIDER>', 'send by a paused provider again: fcm, apns or webpush')
    .option('--believe <time>', 'how long it may call any number of tokens dead, as 1h')
    .action((provider: string, options: Json & { believe?: string }) =>
      act(resumePush(provider, options), options),
    )
  const devices = program.command('devices').description('the devices that providers called dead')
  const some = (usage: string, description: string) =>
    command(devices, usage, description)
      .option('--provider <provider>', 'only those of fcm, apns or webpush')
      .option('--last <time>', 'only those detached within this time, as 12h')
  some('dead', 'the devices detached as dead within a week').action((options: DeadOptions & Json) =>
    act(listDeadDevices(options, terminal, options.json === true), options),
  )
  some('restore', 'attach dead devices again').action((options: DeadOptions & Json) =>
    act(restoreDevices(options), options),
  )
}

const addMigrate = (program: Command, act: Act, terminal: Terminal): void => {
  command(program, 'migrate', "bring the database's schema up to date")
    .option('--plan', 'only tell what would be applied')
    .action((options: Json & { plan?: true }) =>
      act(options.plan ? planMigration : migrate(terminal), options),
    )
}

const addStats = (program: Command, act: Act, terminal: Terminal): void => {
  command(program, 'stats', 'content, devices and the deliveries of 30 days, in numbers').action(
    (options: Json) => act(showStats(terminal), options),
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
    .description('bring the schema up to date, then serve until told to stop (SIGTERM, SIGINT)')
    .option('--demo', 'fill an empty database with demonstration content and clients')
    .addHelpText('after', settingsHelp)
    .action(({ demo }: { demo?: true }) => start(demo === true))
}

const addDoctor = (program: Command, examine: (options: DoctorOptions) => Promise<void>): void => {
  command(program, 'doctor', 'look at all that the service needs, and say what to do')
    .option('--push', 'ask the providers too; nothing is sent to any device')
    .action(examine)
}

/** Refuses a command that there is not, even where `--help` follows: commander would show the help of what stands before it. */
const refuseUnknown = (program: Command, args: ReadonlyArray<string>): void => {
  let command = program
  for (const name of args) {
    if (command.commands.length === 0 || name.startsWith('-') || name === 'help') return
    const next = command.commands.find((candidate) => candidate.name() === name)
    if (next === undefined) command.error(`error: unknown command '${name}'`)
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
