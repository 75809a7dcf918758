// Changes items and clients on one node, and asks another node on the same PostgreSQL about them all the time. Looks how long that node
// gives the old answer after the change was acknowledged. In some trials its connections to the database are cut or stalled just before the
// change. Usage: node tools/stress/fresh.ts [--trials 420]
import { setTimeout as pause } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { nodeSecrets } from '../../packages/adapters-node/src/index.ts'
import { done } from '../../packages/domain/contracts/index.ts'
import { type ClientId, makeAddClient, makeRotateSecret } from '../../packages/domain/src/all.ts'
import { startProxy } from '../../testing/postgres-server/src/index.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { postgresDatabase, startPostgres } from './database.ts'
import { addManager, ask, authorize, startServer } from './server.ts'

const { trials } = options({ trials: 420 })
/** Milliseconds after which a node must not give the old answer. */
const BOUNDS = { items: 2000, clients: 5000 }
/** Milliseconds before the change at which connections are cut, at most, and for which they are stalled. */
const CUT_BEFORE = 300
const STALLED = 3000
/** Old answers to each question before the change, and the time before and after it in milliseconds. */
const WARM = 5
const AROUND = 300
/** New answers in a row that show that a node knows of the change: fewer than would count as guessing. */
const ENOUGH = 3
/** Milliseconds after which a trial is given up. */
const GIVEN_UP = 15_000

const cluster = await startPostgres()
const database = await postgresDatabase(cluster)
const proxy = await startProxy(cluster)
const credentials = addManager(folder, database.settings)
const settings = { ALMONER_REVIEW: 'off', ALMONER_TRUST_PROXY: '127.0.0.1' }
const changed = (await startServer(folder, { ...database.settings, ...settings })).url
const asked = (await startServer(folder, { ...settings, ALMONER_DATABASE: proxy.url('almoner') })).url
const manager = await authorize(changed, credentials)
credentials.set('scope', 'user')
const user = await authorize(changed, credentials)

/** What an answer shows: the state before the change, the state after it, or neither, as a 503 does. */
type Verdict = 'old' | 'new' | 'neither'

/** A change on one node, and the questions about it to the other. */
interface Trial {
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
const addClient = makeAddClient(ports)
const rotateSecret = makeRotateSecret(ports)
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
const askToken = ({ id, form }: Client, network = 0) =>
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

const rotateTrial = async (): Promise<Trial> => {
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

const itself = (id: string) => id
const title = (id: string) => `After, ${id}`
const KINDS: ReadonlyArray<readonly [name: string, bound: number, make: () => Promise<Trial>]> = [
  ['publish', BOUNDS.items, itemTrial('Draft', () => ({ status: 'Live' }), itself)],
  ['archive', BOUNDS.items, itemTrial('Live', () => ({ status: 'Archived' }), itself, false)],
  [
    'restrict',
    BOUNDS.items,
    itemTrial('Live', () => ({ status: 'Live', isDonorRestricted: '1' }), itself, false),
  ],
  ['edit', BOUNDS.items, itemTrial('Live', (id) => ({ status: 'Live', itemTitle: title(id) }), title)],
  ['disable', BOUNDS.clients, tokenTrial(({ id }) => done(clients.setDisabled(id, true)), true)],
  ['revoke', BOUNDS.clients, tokenTrial(revoke, false)],
  ['rotate', BOUNDS.clients, rotateTrial],
]

const DISTURBANCES = {
  none: async () => {},
  cut: () => {
    proxy.cut()
    return pause(Math.random() * CUT_BEFORE)
  },
  stall: async () => {
    proxy.stall()
    void pause(STALLED).then(proxy.flow)
  },
}
/** Of ten trials of each kind one is stalled and two are cut. */
const ORDER = ['none', 'none', 'none', 'cut', 'none', 'none', 'none', 'none', 'cut', 'stall'] as const

const until = async (condition: () => boolean): Promise<boolean> => {
  for (const end = performance.now() + GIVEN_UP; !condition(); await pause(2))
    if (performance.now() > end) return false
  return true
}

/** Asks until the answers are warm, makes the change, and asks until the other node knows of it. Returns when the last old answer was asked for. */
const run = async ({ questions, change }: Trial, disturb: () => Promise<void>) => {
  let [isOver, acknowledged, worst] = [false, Number.POSITIVE_INFINITY, 0]
  const seen = questions.map((question) => ({ question, old: 0, row: 0 }))
  const asking = seen.map(async (counts) => {
    for (; !isOver; await pause(Math.random() * 4)) {
      const at = performance.now()
      const verdict = await counts.question()
      if (verdict === 'new') counts.row += 1
      if (verdict !== 'old') continue
      counts.old += 1
      counts.row = 0
      worst = Math.max(worst, at - acknowledged)
    }
  })
  const isWarm = await until(() => seen.every(({ old }) => old >= WARM))
  await pause(Math.random() * AROUND)
  await disturb()
  await change()
  acknowledged = performance.now()
  const isKnown = await until(
    () => performance.now() - acknowledged > AROUND && seen.every(({ row }) => row >= ENOUGH),
  )
  isOver = true
  await Promise.all(asking)
  return { worst: Math.round(worst), isOver: isWarm && isKnown }
}

const figures: Record<string, { trials: number; late: number; worst: number }> = {}
for (let n = 0; n < trials; n += 1) {
  const [name, bound, make] = KINDS[n % KINDS.length] ?? ['', 0, rotateTrial]
  const disturbance = ORDER[Math.floor(n / KINDS.length) % ORDER.length] ?? 'none'
  const kind = `${name}, ${disturbance}`
  const trial = await make()
  const { worst, isOver } = await run(trial, DISTURBANCES[disturbance])
  check(worst <= bound, `${kind}: the old answer after ${worst} ms`)
  check(isOver, `${kind}: the new answer did not come`)
  const [client, expected] = trial.afterwards?.() ?? []
  const status = client && (await askToken(client, 1)).status
  check(status === expected, `${kind}: a request for a token is answered with ${status}`)
  const before = figures[kind] ?? { trials: 0, late: 0, worst: 0 }
  const late = before.late + (worst > 0 ? 1 : 0)
  figures[kind] = { trials: before.trials + 1, late, worst: Math.max(before.worst, worst) }
  progress(`trial ${n + 1} of ${trials}`)
}
report({ trials, figures })
