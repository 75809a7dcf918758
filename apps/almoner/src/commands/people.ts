import { decode, Email, type Ports, type Unavailable } from '@almoner/domain'
import type { InsufficientRole } from '@almoner/domain/access'
import { discard } from '@almoner/domain/content'
import type { LastOperator, NoSession } from '@almoner/domain/managers'
import {
  type DeadDevice,
  type DeadDeviceFilter,
  makeImportUsers,
  type PreferenceChange,
  Topics,
  type User,
  type UserNotFound,
} from '@almoner/domain/people'
import { isNothing, personalDocument } from '@almoner/domain/personal-data'
import { type ErasureUnfinished, isUnavailable } from '@almoner/domain/ports'
import { BooleanParameter, instant, Language, parameters, toRfc3339 } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  actedBy,
  after,
  argument,
  type Command,
  type CommandOption,
  durationOption,
  firstOf,
  jsonOnly,
  printBatches,
  providerArgument,
  table,
} from '../cli/command.ts'
import { readUserFile } from '../composition/archives.ts'
import {
  type CommandFailed,
  databaseNotAvailable,
  failed,
  fromDatabase,
  messageOf,
  misused,
  orFail,
} from '../failure.ts'

const userDocument = ({ email, lang, subscribed, topics }: User) => ({ email, lang, subscribed, topics })

const userTable = (users: ReadonlyArray<User>): string =>
  table(
    ['LANG', 'SUBSCRIBED', 'EMAIL', 'TOPICS'],
    users.map(({ email, lang, subscribed, topics }) => [lang, String(subscribed), email, topics.join(' ')]),
  )

const listUsers: Command = {
  usage: 'user list',
  summary: 'list users',
  async run(call) {
    const { users } = await call.service.ports()
    return printBatches(users.all(), { table: userTable, document: userDocument }, call)
  },
}

type UserOptions = Readonly<Partial<Record<'lang' | 'subscribed' | 'topics', string>>>

const Typed = parameters({
  name: 'UserOptions',
  required: { email: Email },
  optional: { lang: Language, subscribed: BooleanParameter, topics: Topics },
})

const nameOf = (field: string): string => (field === 'email' ? 'EMAIL' : `--${field}`)

/** Reads the arguments, or throws one line that names everything wrong with them. */
const readChange = (
  typed: string,
  options: UserOptions,
): { readonly email: Email; readonly change: PreferenceChange } => {
  const read = decode(Typed)({ ...options, email: typed })
  if (E.isLeft(read))
    throw misused(read.left.errors.map(({ field, message }) => `${nameOf(field)} ${message}`).join('; '))
  const { email, ...change } = read.right
  if (Object.keys(change).length > 0) return { email, change: change as PreferenceChange }
  throw misused('give --lang, --subscribed or --topics')
}

/** `user set EMAIL [--lang LANG] [--subscribed YES] [--topics IDS]`: changes a user, and creates an unknown one (F2, F6). Omitted fields stay. */
const setUser: Command<UserOptions> = {
  usage: 'user set <EMAIL>',
  summary: "change a user's preference; creates an unknown user",
  options: [
    ['--lang <lang>', 'language: en or fr'],
    ['--subscribed <yes>', 'whether the user gets notifications: true or false'],
    ['--topics <ids>', "labels that the user follows, separated by commas; '' for everything"],
  ],
  async run({ args, options, service }) {
    const { email, change } = readChange(firstOf(args), options)
    const ports = await service.ports()
    const user = await orFail(
      ports.users.prefer(email, change, { ...actedBy('user set', ports), action: 'set-preference' }),
      (failure) =>
        isUnavailable(failure)
          ? databaseNotAvailable(failure)
          : failure._tag === 'UnknownTopics'
            ? misused(`--topics names no labels: ${failure.labelIds.join(', ')}`)
            : new Error('a command is bound to no user'),
    )
    return { text: userTable([user]), json: userDocument(user) }
  },
}

/** Rows between two updates of the progress. */
const STEP = 1000

/** `user import FILE.csv`: creates or replaces the users of the file, or names everything that is wrong with it and changes nothing (F2). */
const importUsers: Command = {
  usage: 'user import <FILE>',
  summary: 'create or replace users from a CSV file',
  async run({ args, service, progress }) {
    const { users, refusal } = await readUserFile(firstOf(args), (rows) => {
      if (rows % STEP === 0) progress(`${rows} rows read`)
    })
    progress(`${users.length} users being written`)
    const ports = await service.ports()
    const count = await orFail(makeImportUsers(ports)(users, actedBy('user import', ports)), (failure) =>
      failure._tag === 'BadRows' ? refusal(failure) : databaseNotAvailable(failure),
    )
    return { text: `${count} users`, json: { users: count } }
  },
}

export const USER_COMMANDS: ReadonlyArray<Command> = [listUsers, setUser, importUsers]

interface DeadOptions {
  readonly provider?: string
  readonly last?: string
}

const OPTIONS: ReadonlyArray<CommandOption> = [
  ['--provider <provider>', 'only devices of fcm, apns or webpush'],
  ['--last <time>', 'only devices detached within this time, such as 12h'],
]

/** Reads which dead devices are meant, as a function of the present time. */
const readOptions = ({
  provider,
  last,
}: DeadOptions): ((ports: Pick<Ports, 'clock'>) => DeadDeviceFilter) => {
  const known = O.map((name: string) => providerArgument('--provider', name))(O.fromNullable(provider))
  const time = O.map((milliseconds: number) => -milliseconds)(durationOption('--last', last))
  return ({ clock }) => ({ provider: known, since: after(clock.now(), time) })
}

const HEADS = ['DETACHED'.padEnd(toRfc3339(instant(0)).length), 'PROVIDER', 'EMAIL']

/** Omits the token, which is the address of the device. */
const document = ({ device: { email, kind, attachedAt }, detachedAt }: DeadDevice) => ({
  email,
  provider: kind,
  attachedAt: toRfc3339(attachedAt),
  detachedAt: toRfc3339(detachedAt),
})

const rowOf = ({ device: { email, kind }, detachedAt }: DeadDevice) => [toRfc3339(detachedAt), kind, email]

/** `devices dead [--provider P] [--last TIME]`: lists the devices that can be restored, oldest first (G5). */
const listDeadDevices: Command<DeadOptions> = {
  usage: 'devices dead',
  summary: 'list devices that were detached as dead within a week',
  options: OPTIONS,
  async run(call) {
    const which = readOptions(call.options)
    const ports = await call.service.ports()
    const shown = { document, table: (rows: ReadonlyArray<DeadDevice>) => table(HEADS, rows.map(rowOf)) }
    return printBatches(ports.deadDevices.list(which(ports)).batches, shown, call)
  },
}

/** `devices restore [--provider P] [--last TIME]`: attaches dead devices to their users again (G5). */
const restoreDevices: Command<DeadOptions> = {
  usage: 'devices restore',
  summary: 'attach dead devices again',
  options: OPTIONS,
  async run({ options, service }) {
    const which = readOptions(options)
    const ports = await service.ports()
    const some = which(ports)
    const act = { ...actedBy('devices restore', ports), action: 'restore-devices' } as const
    let restored = 0
    // Each step restores some, so that others need not wait long for the database.
    for (;;) {
      const step = await fromDatabase(ports.deadDevices.restore(some, act))
      if (step === 0) return { text: `restored: ${restored}`, json: { restored } }
      restored += step
    }
  },
}

export const DEVICE_COMMANDS: ReadonlyArray<Command> = [listDeadDevices, restoreDevices]

type EraseFailure =
  | UserNotFound
  | InsufficientRole
  | LastOperator
  | NoSession
  | ErasureUnfinished
  | Unavailable

const unknownUser = (): CommandFailed => failed('nothing is stored about this address')

const notErased = (failure: EraseFailure): CommandFailed => {
  if (failure._tag === 'ErasureUnfinished')
    return failed(
      `the rows are erased, and remains may still be in the files of the database: ${failure.isDiskFull ? 'the disk is full' : messageOf(failure.cause)}`,
      failure.isDiskFull ? 'make room beside the database, and repeat this command' : 'repeat this command',
    )
  if ('cause' in failure) return databaseNotAvailable(failure)
  if (failure._tag === 'UserNotFound') return unknownUser()
  return failed(
    failure._tag === 'LastOperator'
      ? 'this is the last operator who is enabled; make another manager an operator first'
      : 'this person may not be erased',
  )
}

/** `user export EMAIL`: prints everything that the service holds about a person (L2). */
const exportUser: Command = {
  usage: 'user export <EMAIL>',
  summary: 'print everything that is stored about a person, as one JSON document',
  async run({ args, service }) {
    const email = argument('EMAIL', Email, firstOf(args))
    const { personalData } = await service.ports()
    const record = await fromDatabase(personalData.find(email))
    if (isNothing(record)) throw unknownUser()
    return jsonOnly(personalDocument({ email, record }))
  },
}

/** `user erase EMAIL`: erases everything that the service holds about a person (L1). The output does not repeat the address. */
const eraseUser: Command = {
  usage: 'user erase <EMAIL>',
  summary: 'erase everything that is stored about a person',
  async run({ args, service }) {
    const email = argument('EMAIL', Email, firstOf(args))
    const ports = await service.ports()
    const { at, actor } = actedBy('user erase', ports)
    const erased = ports.personalData.erase(email, at, { actor, action: 'erase-user' })
    const images = await orFail(erased, notErased)
    // The sweep deletes images that cannot be deleted now (D5).
    const media = images.length > 0 && (await service.media().catch(() => undefined))
    if (media) await discard(media.mediaStore, images)()
    return { text: 'erased', json: 'success' }
  },
}

export const PERSONAL_DATA_COMMANDS: ReadonlyArray<Command> = [exportUser, eraseUser]
