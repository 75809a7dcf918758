import { decode, Email, type Unavailable } from '@almoner/domain'
import { Duty } from '@almoner/domain/access'
import {
  LINK_LIFE,
  type Manager,
  ManagerName,
  makeAddManager,
  makeCreateSignInLink,
  managerDocument,
  PasskeyId,
  passkeyDocument,
  type SignInLink,
} from '@almoner/domain/managers'
import { Language, parameters } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { argument } from '../../cli/arguments.ts'
import { actedBy, type Call, type Command, type CommandOutput, firstOf } from '../../cli/command.ts'
import { table } from '../../cli/table.ts'
import { rejectUnknownAddress } from '../../composition/address.ts'
import type { StorePorts } from '../../composition/ports.ts'
import {
  type CommandFailed,
  databaseNotAvailable,
  failed,
  fromDatabase,
  misused,
  orFail,
} from '../../failure.ts'
import { linkDocument, sessionDocument } from './document.ts'

type Refused =
  | { readonly _tag: 'ManagerExists' | 'ManagerNotFound' | 'ManagerDisabled' | 'LastOperator' | 'NoSession' }
  | { readonly _tag: 'PasskeyNotFound' }
  | Unavailable

const REASONS = {
  ManagerExists: 'there is a manager with this address already',
  ManagerNotFound: 'there is no manager with this address',
  LastOperator: 'this is the last operator who is enabled; make another manager an operator first',
  // Commands have no session.
  NoSession: 'the session has ended',
  PasskeyNotFound: 'this manager has no such passkey; almoner manager passkeys lists them',
  ManagerDisabled: 'this manager is disabled; enable it first with almoner manager enable',
}

const refusal = (failure: Refused): CommandFailed =>
  failure._tag in REASONS
    ? failed(REASONS[failure._tag as keyof typeof REASONS])
    : databaseNotAvailable(failure as Unavailable)

const linkOutput = ({ service }: Pick<Call<object>, 'service'>, link: SignInLink): CommandOutput => {
  const json = linkDocument(service.address.baseUrl(), link)
  const lost = `the link could not be printed and is lost: run almoner manager link ${json.email}`
  const text = `${json.link}\nOpen this link once, until ${json.expiresAt}.`
  return { text, json, unprinted: async () => failed(lost) }
}

const emailOf = (args: ReadonlyArray<string>): Email => argument('EMAIL', Email, firstOf(args))

interface NewManager {
  readonly name?: string
  readonly duty?: string
  readonly lang?: string
}

const Typed = parameters({
  name: 'NewManager',
  required: { email: Email, name: ManagerName, duty: Duty, lang: Language },
  optional: {},
})

/** Reads the options, or throws one line that names everything wrong with them. */
const readManager = (email: string, options: NewManager): Manager => {
  const read = decode(Typed)({ ...options, email })
  if (E.isRight(read)) return { ...read.right, disabled: false }
  const nameOf = (field: string) => (field === 'email' ? 'EMAIL' : `--${field}`)
  throw misused(read.left.errors.map(({ field, message }) => `${nameOf(field)} ${message}`).join('; '))
}

/** `manager add EMAIL`: adds a manager and prints a link that signs in once within 24 hours (M2). */
const addManager: Command<NewManager> = {
  usage: 'manager add <EMAIL>',
  summary: 'add a manager of the console; prints a link that signs in once within 24 hours',
  options: [
    ['--name <name>', 'the name that the console shows', 'required'],
    ['--duty <duty>', 'duty: editor or operator', 'required'],
    ['--lang <lang>', 'language of the console: en or fr', 'required'],
  ],
  async run(call) {
    const manager = readManager(firstOf(call.args), call.options)
    rejectUnknownAddress(call.settings)
    const ports = await call.service.ports()
    const added = makeAddManager(ports)(manager, actedBy('manager add', ports))
    return linkOutput(call, await orFail(added, refusal))
  },
}

const listManagers: Command = {
  usage: 'manager list',
  summary: 'list the managers of the console',
  async run({ service }) {
    const { managers } = await service.ports()
    const all = await fromDatabase(managers.all())
    const rows = all.map(({ email, name, lang, duty, disabled }) => [
      ...[duty, lang, disabled ? 'disabled' : 'enabled', email, name],
    ])
    return { text: table(['DUTY', 'LANG', 'STATE', 'EMAIL', 'NAME'], rows), json: all.map(managerDocument) }
  },
}

const linkManager: Command = {
  usage: 'manager link <EMAIL>',
  summary: 'print a link that signs a manager in once within 24 hours',
  async run(call) {
    rejectUnknownAddress(call.settings)
    const ports = await call.service.ports()
    const link = makeCreateSignInLink(ports)(emailOf(call.args), LINK_LIFE, actedBy('manager link', ports))
    return linkOutput(call, await orFail(link, refusal))
  },
}

/** `manager disable EMAIL` ends the sessions of a manager and admits no more, `manager enable EMAIL` admits them again (M4). */
const switchManager = (name: 'disable' | 'enable', summary: string): Command => ({
  usage: `manager ${name} <EMAIL>`,
  summary,
  async run({ args, service }) {
    const ports = await service.ports()
    const act = { ...actedBy(`manager ${name}`, ports), action: 'change-manager' } as const
    const changed = ports.managers.change(emailOf(args), { disabled: name === 'disable' }, { act })
    const json = managerDocument(await orFail(changed, refusal))
    return { text: `${json.email} is ${json.disabled ? 'disabled' : 'enabled'}`, json }
  },
})

const changeDuty: Command = {
  usage: 'manager duty <EMAIL> <DUTY>',
  summary: "change a manager's duty to editor or operator; ends the manager's sessions",
  async run({ args, service }) {
    const duty = argument('DUTY', Duty, args[1])
    const ports = await service.ports()
    const act = { ...actedBy('manager duty', ports), action: 'change-manager' } as const
    const json = managerDocument(
      await orFail(ports.managers.change(emailOf(args), { duty }, { act }), refusal),
    )
    return { text: `${json.email} is ${json.duty}`, json }
  },
}

/** Throws if there is no such manager. */
const requireManager = async ({ managers }: Pick<StorePorts, 'managers'>, email: Email): Promise<void> => {
  if (O.isNone(await fromDatabase(managers.find(email)))) throw failed(REASONS.ManagerNotFound)
}

const showSessions: Command<{ readonly end?: boolean }> = {
  usage: 'manager sessions <EMAIL>',
  summary: 'list the sessions of a manager, or end them all',
  options: [['--end', 'end all sessions']],
  async run({ args, options, service }) {
    const email = emailOf(args)
    const ports = await service.ports()
    const { sessions, clock } = ports
    await requireManager(ports, email)
    if (options.end === true) {
      const act = { ...actedBy('manager sessions', ports), action: 'end-sessions' } as const
      const ended = await fromDatabase(sessions.endAll(email, { act }))
      return { text: `${ended} sessions ended`, json: { ended } }
    }
    const json = (await fromDatabase(sessions.of(email, clock.now()))).map(sessionDocument)
    const rows = json.map(({ openedAt, lastSeenAt, endsAt, browser }) => [
      openedAt,
      lastSeenAt,
      endsAt,
      browser,
    ])
    return { text: table(['OPENED', 'LAST SEEN', 'ENDS', 'BROWSER'], rows), json }
  },
}

const managePasskeys: Command<{ readonly remove?: string }> = {
  usage: 'manager passkeys <EMAIL>',
  summary: 'list the passkeys of a manager, or remove one',
  options: [
    ['--remove <id>', "remove the passkey with this id, as after a theft; ends the manager's sessions"],
  ],
  async run({ args, options, service }) {
    const email = emailOf(args)
    const ports = await service.ports()
    if (options.remove !== undefined) {
      const id = argument('--remove', PasskeyId, options.remove)
      const act = { ...actedBy('manager passkeys', ports), action: 'remove-passkey' } as const
      await orFail(ports.passkeys.remove({ email, id }, { act }), refusal)
      return { text: 'removed', json: 'success' }
    }
    await requireManager(ports, email)
    const all = await fromDatabase(ports.passkeys.of(email))
    const json = all.map((passkey) => ({ id: passkey.id, ...passkeyDocument(passkey) }))
    const rows = json.map(({ id, name, createdAt, lastUsedAt }) => [
      createdAt,
      lastUsedAt ?? 'never',
      name,
      id,
    ])
    return { text: table(['ADDED', 'LAST USED', 'NAME', 'ID'], rows), json }
  },
}

export const MANAGER_COMMANDS: ReadonlyArray<Command> = [
  addManager,
  listManagers,
  linkManager,
  switchManager('disable', 'end the sessions of a manager, and admit no more'),
  switchManager('enable', 'admit a disabled manager again'),
  changeDuty,
  showSessions,
  managePasskeys,
]
