import { ClientId, type Unavailable } from '@almoner/domain'
import {
  type ClientOverview,
  clientDocument,
  makeAddClient,
  makeRotateSecret,
  makeWithdrawClient,
} from '@almoner/domain/access'
import type { ClientNotFound } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { after, argument, durationOption } from '../../cli/arguments.ts'
import { actedBy, type Command, firstOf, jsonOnly } from '../../cli/command.ts'
import { table } from '../../cli/table.ts'
import { type CommandFailed, databaseNotAvailable, failed, fromDatabase, orFail } from '../../failure.ts'
import { credentialsDocument, listedDocument } from './document.ts'
import { type ClientOptions, readClient } from './read-client.ts'

const clientFailure =
  (id: ClientId) =>
  (failure: ClientNotFound | Unavailable): CommandFailed =>
    failure._tag === 'ClientNotFound' ? failed(`there is no client ${id}`) : databaseNotAvailable(failure)

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
    const unprinted = async () =>
      E.isRight(await makeWithdrawClient(ports)(added, actedBy('client add', ports))())
        ? failed(`the client ${client.id} is not registered, because its secret could not be printed`)
        : secretLost(client.id)
    return { ...jsonOnly(credentialsDocument(added)), unprinted }
  },
}

const rowOf = (found: ClientOverview): ReadonlyArray<string> => {
  const { client_id, name, scope, roles, email, disabled, lastUsedAt } = listedDocument(found)
  return [client_id, name, scope, roles.join(' '), email, disabled ? 'disabled' : 'enabled', lastUsedAt]
}

const listClients: Command = {
  usage: 'client list',
  summary: 'list clients with their last use, without secrets',
  async run({ service }) {
    const { clients } = await service.ports()
    const all = await fromDatabase(clients.overview())
    const heads = ['ID', 'NAME', 'SCOPE', 'ROLES', 'EMAIL', 'STATE', 'LAST USED']
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
