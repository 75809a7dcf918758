import { decode, Email } from '@almoner/domain'
import { makeImportUsers, type PreferenceChange, type User } from '@almoner/domain/people'
import { isUnavailable } from '@almoner/domain/ports'
import { BooleanParameter, Language, parameters } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { actedBy, type Command, firstOf } from '../cli/command.ts'
import { printBatches } from '../cli/print-batches.ts'
import { table } from '../cli/table.ts'
import { readUserFile } from '../composition/files.ts'
import { databaseNotAvailable, fromDatabase, misused, orFail } from '../failure.ts'

const userDocument = ({ email, lang, subscribed }: User) => ({ email, lang, subscribed })

const userTable = (users: ReadonlyArray<User>): string =>
  table(
    ['LANG', 'SUBSCRIBED', 'EMAIL'],
    users.map(({ email, lang, subscribed }) => [lang, String(subscribed), email]),
  )

const listUsers: Command = {
  usage: 'user list',
  summary: 'list users',
  async run(call) {
    const { users } = await call.service.ports()
    return printBatches(users.all(), { table: userTable, document: userDocument }, call)
  },
}

interface UserOptions {
  readonly lang?: string
  readonly subscribed?: string
}

const Typed = parameters({
  name: 'UserOptions',
  required: { email: Email },
  optional: { lang: Language, subscribed: BooleanParameter },
})

/** The names of the arguments on the command line. */
const NAMES: Readonly<Record<string, string>> = { email: 'EMAIL', lang: '--lang', subscribed: '--subscribed' }

/** Reads the arguments, or throws one line that names everything wrong with them. */
const readChange = (
  typed: string,
  options: UserOptions,
): { readonly email: Email; readonly change: PreferenceChange } => {
  const read = decode(Typed)({ ...options, email: typed })
  if (E.isLeft(read))
    throw misused(read.left.errors.map(({ field, message }) => `${NAMES[field]} ${message}`).join('; '))
  const { email, lang, subscribed } = read.right
  if (lang === undefined && subscribed === undefined) throw misused('give --lang, --subscribed or both')
  return { email, change: { ...(lang && { lang }), ...(subscribed === undefined ? {} : { subscribed }) } }
}

/** `user set EMAIL [--lang LANG] [--subscribed YES]`: changes a user, and creates an unknown one (F2). Omitted fields stay. */
const setUser: Command<UserOptions> = {
  usage: 'user set <EMAIL>',
  summary: "change a user's preference; creates an unknown user",
  options: [
    ['--lang <lang>', 'language: en or fr'],
    ['--subscribed <yes>', 'whether the user gets notifications: true or false'],
  ],
  async run({ args, options, service }) {
    const { email, change } = readChange(firstOf(args), options)
    const ports = await service.ports()
    const act = { ...actedBy('user set', ports), action: 'set-preference' } as const
    const user = await orFail(ports.users.prefer(email, change, act), (failure) =>
      isUnavailable(failure) ? databaseNotAvailable(failure) : new Error('a command is bound to no user'),
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
    const all = await readUserFile(firstOf(args), (rows) => {
      if (rows % STEP === 0) progress(`${rows} rows read`)
    })
    progress(`${all.length} users being written`)
    const ports = await service.ports()
    const count = await fromDatabase(makeImportUsers(ports)(all, actedBy('user import', ports)))
    return { text: `${count} users`, json: { users: count } }
  },
}

export const USER_COMMANDS: ReadonlyArray<Command> = [listUsers, setUser, importUsers]
