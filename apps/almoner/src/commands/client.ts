import { type Client, ClientId, type Unavailable } from '@almoner/domain'
import {
  type ClientAndSecret,
  type ClientOptions,
  type ClientOverview,
  clientDocument,
  isPublicClient,
  makeAddClient,
  makeRotateSecret,
  makeWithdrawClient,
  peopleDocument,
  peopleText,
  readClientOptions,
} from '@almoner/domain/access'
import type { ClientIsPublic, ClientNotFound } from '@almoner/domain/ports'
import { toRfc3339 } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  actedBy,
  after,
  argument,
  type Command,
  durationOption,
  firstOf,
  jsonOnly,
  table,
} from '../cli/command.ts'
import {
  type CommandFailed,
  databaseNotAvailable,
  failed,
  fromDatabase,
  misused,
  orFail,
  orThrow,
} from '../failure.ts'

/** Text that is absent is empty, as in the interface (C2). */
const emailText = ({ email }: Client): string => O.getOrElse(() => '')(email)

/** Returns a client with its secret, which is shown only once (A6), as JSON. */
export const credentialsDocument = ({ client, secret }: ClientAndSecret) => ({
  client_id: client.id,
  client_secret: secret,
  scope: client.scopes.join(' '),
  roles: client.roles,
  email: emailText(client),
  ...peopleDocument(client),
})

export type Credentials = ReturnType<typeof credentialsDocument>

/** Returns a client of the list as JSON. A client that was never used has an empty time. */
const listedDocument = ({ client, lastUsedAt }: ClientOverview) => ({
  ...clientDocument(client),
  lastUsedAt: O.getOrElse(() => '')(O.map(toRfc3339)(lastUsedAt)),
})

/** Reads the options, or throws one line that names everything wrong with them. */
export const readClient = (options: ClientOptions): Client => orThrow(readClientOptions(options), misused)

const clientFailure =
  (id: ClientId) =>
  (failure: ClientNotFound | ClientIsPublic | Unavailable): CommandFailed => {
    if (failure._tag === 'ClientIsPublic') return failed(`the client ${id} is public: it has no secret`)
    return failure._tag === 'ClientNotFound'
      ? failed(`there is no client ${id}`)
      : databaseNotAvailable(failure)
  }

const secretLost = (id: ClientId): CommandFailed =>
  failed(`the new secret of ${id} could not be printed and is lost: run almoner client rotate ${id}`)

/** `client add`: registers a client and prints its secret, this once (A6). */
const addClient: Command<ClientOptions> = {
  usage: 'client add',
  summary: 'register a client; the secret is printed once',
  options: [
    ['--id <id>', 'the client_id: letters, digits, dots, dashes, underscores'],
    ['--scope <scopes>', 'scopes: user, user-donor, content-manager', 'repeatable'],
    ['--role <role>', 'role: user-manager or super-admin; repeatable', 'repeatable'],
    ['--email <email>', 'the user for whom the client acts'],
    ['--name <name>', 'a display name'],
    ['--for-people', 'lets the client exchange ID tokens for tokens of people'],
    ['--public', 'for an app on phones: the client has no secret; implies --for-people'],
    ['--audience <id>', 'the only audience of ID tokens that the client may exchange'],
  ],
  async run({ options, service }) {
    const client = readClient(options)
    const ports = await service.ports()
    const add = makeAddClient(ports)(client, actedBy('client add', ports))
    const added = await orFail(add, (failure) =>
      failure._tag === 'ClientExists'
        ? failed(`there is a client ${client.id} already`)
        : databaseNotAvailable(failure),
    )
    if (isPublicClient(client)) return jsonOnly(credentialsDocument(added))
    const unprinted = async () =>
      E.isRight(await makeWithdrawClient(ports)(added, actedBy('client add', ports))())
        ? failed(`the client ${client.id} is not registered, because its secret could not be printed`)
        : secretLost(client.id)
    return { ...jsonOnly(credentialsDocument(added)), unprinted }
  },
}

const rowOf = (found: ClientOverview): ReadonlyArray<string> => {
  const { client_id, name, scope, roles, email, disabled, lastUsedAt } = listedDocument(found)
  const state = disabled ? 'disabled' : 'enabled'
  return [client_id, name, scope, roles.join(' '), email, peopleText(found.client), state, lastUsedAt]
}

const listClients: Command = {
  usage: 'client list',
  summary: 'list clients with their last use, without secrets',
  async run({ service }) {
    const { clients } = await service.ports()
    const all = await fromDatabase(clients.overview())
    const heads = ['ID', 'NAME', 'SCOPE', 'ROLES', 'EMAIL', 'PEOPLE', 'STATE', 'LAST USED']
    return { text: table(heads, all.map(rowOf)), json: all.map(listedDocument) }
  },
}

/** `client rotate ID [--keep-old TIME]`: makes a fresh secret; the old ones end now, or after that time (A6). */
const rotateClient: Command<{ readonly keepOld?: string }> = {
  usage: 'client rotate <ID>',
  summary: 'give a client a new secret; its tokens stay valid',
  options: [['--keep-old <time>', 'how long the old secret stays valid, such as 24h; default: not at all']],
  async run({ args, options, service }) {
    const id = argument('ID', ClientId, firstOf(args))
    const kept = durationOption('--keep-old', options.keepOld)
    const ports = await service.ports()
    const rotate = makeRotateSecret(ports)(
      id,
      after(ports.clock.now(), kept),
      actedBy('client rotate', ports),
    )
    const json = credentialsDocument(await orFail(rotate, clientFailure(id)))
    return { ...jsonOnly(json), unprinted: async () => secretLost(id) }
  },
}

/** `client disable ID` rejects a client and its tokens, `client enable ID` accepts it again (A6). Idempotent. */
const switchClient = (name: 'disable' | 'enable', summary: string): Command => ({
  usage: `client ${name} <ID>`,
  summary,
  async run({ args, service }) {
    const id = argument('ID', ClientId, firstOf(args))
    const ports = await service.ports()
    const act = { ...actedBy(`client ${name}`, ports), action: `${name}-client` } as const
    const change = ports.clients.setDisabled(id, name === 'disable', act)
    const client = await orFail(change, clientFailure(id))
    return {
      text: `${client.id} is ${client.disabled ? 'disabled' : 'enabled'}`,
      json: clientDocument(client),
    }
  },
})

export const CLIENT_COMMANDS: ReadonlyArray<Command> = [
  addClient,
  listClients,
  rotateClient,
  switchClient('disable', 'reject a client and its tokens'),
  switchClient('enable', 'accept a disabled client again'),
]
