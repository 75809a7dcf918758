// The changes of fresh.ts, and the questions about them.

import { makeAddClient, makeRotateSecret } from '@almoner/domain/access'
import type { ClientId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { nodeSecrets } from '../../packages/adapters-node/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { ask, authorize } from './server.ts'
import { asked, changed, database, manager, user } from './two-nodes.ts'

/** Milliseconds after which a node must not give the old answer. */
const BOUNDS = { items: 2000, clients: 5000 }
/** What an answer shows: the state before the change, the state after it, or neither, as a 503 does. */
type Verdict = 'old' | 'new' | 'neither'

/** A change on one node, and the questions about it to the other. */
export interface Trial {
  readonly questions: ReadonlyArray<() => Promise<Verdict>>
  /** Makes the change. Resolves when it is acknowledged. */
  readonly change: () => Promise<unknown>
  /** Returns what the other node must answer to a request for a token once it knows of the change. */
  readonly afterwards?: () => readonly [client: Client, status: number]
}

const question =
  (path: string, headers: object, of: (status: number, text: string) => Verdict) => (): Promise<Verdict> =>
    ask(`${asked}${path}`, { ...headers }).then(
      ({ status, body }) => of(status, JSON.stringify(body)),
      () => 'neither',
    )

const save = async (path: string, body: object): Promise<string> => {
  const answer = await ask<{ item: { itemId: string } }>(`${changed}${path}`, manager, body)
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body.item.itemId
}

/** Changes an item, of which a user then sees a certain text or not. */
const itemTrial =
  (before: string, after: (id: string) => object, shows: (id: string) => string, isShown = true) =>
  async (): Promise<Trial> => {
    const item = { itemType: 'link', itemTitle: 'Before', itemDescription: 'x', link: 'https://example.org/' }
    const id = await save('/feed/', item)
    const path = `/feed/${id}`
    if (before !== 'Draft') await save(path, { ...item, status: before })
    const etag = (await ask(`${changed}${path}`, user)).headers.get('etag')
    const of = (status: number, text: string): Verdict => {
      if (status !== 200) return status === 304 ? 'old' : 'neither'
      return text.includes(shows(id)) === isShown ? 'new' : 'old'
    }
    return {
      questions: [
        question(path, user, of),
        question('/feed/?lim=20', user, of),
        ...(etag === null ? [] : [question(path, { ...user, 'if-none-match': etag }, of)]),
      ],
      change: () => save(path, { ...item, ...after(id) }),
    }
  }

const { clients } = makeStore(await database.open())
const ports = { clients, secrets: nodeSecrets() }
const [addClient, rotateSecret] = [makeAddClient(ports), makeRotateSecret(ports)]
let count = 0

interface Client {
  readonly id: ClientId
  readonly form: URLSearchParams
}

const clientOf = (id: ClientId, secret: string): Client => ({
  id,
  form: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
})

/** Adds a client as the command line does: in a process that shares only the database with the nodes. */
const newClient = async (): Promise<Client> => {
  count += 1
  const id = `asker-${count}` as ClientId
  const client = { id, name: id, scopes: ['user'], roles: [], email: O.none, disabled: false } as const
  return clientOf(id, (await done(addClient(client))).secret)
}

/** Asks for a token from an address of the client's own, because refusals are counted by address. */
export const askToken = ({ id, form }: Client, network = 0) =>
  ask(
    `${asked}/oauth2/get-token`,
    { 'x-forwarded-for': `10.0.${network}.${id.slice('asker-'.length)}` },
    form,
  )

const admission = (status: number): Verdict => {
  if (status === 200) return 'old'
  return status === 401 ? 'new' : 'neither'
}

/** Changes a client, whose token is then refused. */
const tokenTrial =
  (change: (client: Client, token: string) => Promise<unknown>, isDisabled: boolean) =>
  async (): Promise<Trial> => {
    const client = await newClient()
    const headers = await authorize(changed, client.form)
    const paths = ['/feed/?lim=20', '/library/?lim=20', '/portfolio/']
    return {
      questions: paths.map((path) => question(path, headers, admission)),
      change: () => change(client, headers.authorization.slice('Bearer '.length)),
      ...(isDisabled && { afterwards: () => [client, 401] as const }),
    }
  }

const revoke = async ({ form }: Client, token: string): Promise<void> => {
  const { status } = await ask(
    `${changed}/oauth2/revoke`,
    {},
    new URLSearchParams([...form, ['token', token]]),
  )
  if (status !== 200) throw new Error(`status ${status} of a revocation`)
}

export const rotateTrial = async (): Promise<Trial> => {
  const client = await newClient()
  let fresh = client
  return {
    questions: [
      () =>
        askToken(client).then(
          ({ status }) => admission(status),
          () => 'neither',
        ),
    ],
    change: async () => {
      fresh = clientOf(client.id, (await done(rotateSecret(client.id, O.none))).secret)
    },
    afterwards: () => [fresh, 200],
  }
}

const title = (id: string) => `After, ${id}`
export const KINDS: ReadonlyArray<readonly [name: string, bound: number, make: () => Promise<Trial>]> = [
  ['publish', BOUNDS.items, itemTrial('Draft', () => ({ status: 'Live' }), String)],
  ['archive', BOUNDS.items, itemTrial('Live', () => ({ status: 'Archived' }), String, false)],
  [
    'restrict',
    BOUNDS.items,
    itemTrial('Live', () => ({ status: 'Live', isDonorRestricted: '1' }), String, false),
  ],
  ['edit', BOUNDS.items, itemTrial('Live', (id) => ({ status: 'Live', itemTitle: title(id) }), title)],
  ['disable', BOUNDS.clients, tokenTrial(({ id }) => done(clients.setDisabled(id, true)), true)],
  ['revoke', BOUNDS.clients, tokenTrial(revoke, false)],
  ['rotate', BOUNDS.clients, rotateTrial],
]
