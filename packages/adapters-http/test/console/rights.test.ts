import type { ClientId, Email } from '@almoner/domain'
import { type IdempotencyKey, makeRotateSecret } from '@almoner/domain/access'
import type { ManagerName } from '@almoner/domain/managers'
import type { Ports } from '@almoner/domain/ports'
import { collect } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { records } from '../../../testkit/src/contracts/history/fixture.ts'
import { OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import type { FixtureOptions } from '../support/fixture.ts'
import { bodyOf, type HeldRequest, hold } from '../support/held.ts'
import { AMINA, tokenPath } from '../support/people.ts'
import { FEED_ITEM, LIBRARY_ITEM, newFeedItem, newLibraryItem } from '../support/samples.ts'
import { fileForm, storedIn } from '../support/uploads.ts'

// A9: the head of each request arrives while its caller has the right that it needs. The right ends before the rest of the body arrives.

const OPERATOR = 'operator@example.org' as Email

const MINUTES = 60_000

const PORTFOLIO = {
  'portfolio.json': '{"name":"Ours"}',
  'sectors.json': '[]',
  'organizations.json': '[]',
  'datasets.csv': 'id,year,beneficiaries,staffHeadcount,budget,budgetCurrency\n',
}

const portfolioForm = (): FormData => {
  const form = new FormData()
  for (const [path, text] of Object.entries(PORTFOLIO)) form.append('files', new Blob([text]), `ours/${path}`)
  return form
}

/** A server with an item of each kind, and the fingerprint with which the portfolio may be loaded. */
const start = async (t: Test, options: FixtureOptions) => {
  const fixture = await startConsole(t.testdir(), options)
  t.teardown(fixture.stop)
  const [name, duty] = ['Second' as ManagerName, 'operator'] as const
  // The last operator could not lose anything (L4).
  await done(
    fixture.ports.managers.add({
      email: 'second@example.org' as Email,
      name,
      lang: 'en',
      duty,
      disabled: false,
    }),
  )
  const headers = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
  const path = '/console/api/portfolio/review'
  const answer = await fixture.call('POST', path, { headers, multipart: portfolioForm() })
  const { review } = (await answer.json()) as { review: { plan: { fingerprint: string } } }
  const { fingerprint } = review.plan
  const [library, feed] = [await newLibraryItem(fixture), await newFeedItem(fixture)]
  return { ...fixture, library, feed, fingerprint }
}

type RunningServer = Awaited<ReturnType<typeof start>>

type ClientName = 'manager' | 'donor'

const secretOf = (client: string): string => `secret of ${client}`

const newToken = async ({ call }: RunningServer, client: ClientName): Promise<string> => {
  const form = { grant_type: 'client_credentials', client_id: client, client_secret: secretOf(client) }
  const answer = await call('POST', '/oauth2/get-token', { form })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** A request, and what proves its right: a token or a cookie. */
interface Rightful extends HeldRequest {
  readonly proof: string
}

type MakeRequest = (server: RunningServer) => Promise<Rightful>

/** Makes a request of a client, whose token is in its header, its query or its body. */
const byClient =
  (
    client: ClientName,
    place: 'header' | 'query' | 'body',
    path: (server: RunningServer) => string,
    form: () => FormData | object,
  ): MakeRequest =>
  async (server) => {
    const proof = await newToken(server, client)
    const given = form()
    if (place === 'body' && given instanceof FormData) given.set('access_token', proof)
    const sent = place === 'body' && !(given instanceof FormData) ? { access_token: proof, ...given } : given
    const { headers, body } = await bodyOf(sent)
    const authorization = place === 'header' ? { authorization: `Bearer ${proof}` } : {}
    const query = place === 'query' ? `?access_token=${proof}` : ''
    const all = { ...headers, ...authorization }
    return { method: 'POST', path: `${path(server)}${query}`, headers: all, body, proof }
  }

/** Makes a request of the signed-in operator. */
const bySession =
  (method: string, path: (server: RunningServer) => string, form: () => FormData | object): MakeRequest =>
  async (server) => {
    const { headers, body } = await bodyOf(form())
    const proof = await signIn(server, 'operator')
    const all = { ...headers, cookie: proof, ...OWN_PAGE }
    return { method, path: `/console/api${path(server)}`, headers: all, body, proof }
  }

const to = (path: string) => () => path

const LIBRARY_BY_SESSION = bySession('POST', to('/library/'), () => LIBRARY_ITEM)
const POST_BY_DONOR = byClient('donor', 'header', to('/feed/'), () => FEED_ITEM)
const DEVICE_BY_DONOR = byClient('donor', 'header', to(tokenPath(AMINA)), () => ({
  device_token: 'fcm:amina',
}))

const BY_CLIENT: Readonly<Record<string, readonly [ClientName, MakeRequest]>> = {
  'a token in the header': ['manager', byClient('manager', 'header', to('/library/'), () => LIBRARY_ITEM)],
  'a token in the query': ['manager', byClient('manager', 'query', to('/feed/'), () => FEED_ITEM)],
  'a token in the body': ['manager', byClient('manager', 'body', to('/library/'), () => LIBRARY_ITEM)],
  'a token of a client bound to a person': ['donor', DEVICE_BY_DONOR],
  'a token with an upload': [
    'manager',
    byClient('manager', 'header', ({ library }) => `/library/${library}/media/cover`, fileForm),
  ],
  'a token in the form of an upload': [
    'manager',
    byClient('manager', 'body', ({ feed }) => `/feed/${feed}/media`, fileForm),
  ],
}

const BY_SESSION: Readonly<Record<string, MakeRequest>> = {
  'a session on a route of the API': LIBRARY_BY_SESSION,
  'a session with an upload': bySession('POST', ({ library }) => `/library/${library}/media/cover`, fileForm),
  'a session on a route of its own': bySession('PUT', to('/session/language'), () => ({ lang: 'en' })),
}

/** Requests that need a proof of presence (M10). */
const BY_PRESENCE: Readonly<Record<string, MakeRequest>> = {
  'a session on a route of operators': bySession('POST', to('/clients'), () => ({
    clientId: 'new',
    name: 'New',
    scope: 'user',
  })),
  'a session that adds a passkey': bySession('POST', to('/passkeys'), () => ({
    name: 'New',
    response: '{}',
  })),
  'a session with the files of a portfolio': bySession(
    'POST',
    ({ fingerprint }) => `/portfolio/load?fingerprint=${encodeURIComponent(fingerprint)}`,
    portfolioForm,
  ),
}

/** A way in which a right ends. */
interface Loss {
  readonly end: (server: RunningServer, request: Rightful, client: string) => Promise<unknown>
  /** Gives it back for the next case, where a new token or session would not do. */
  readonly giveBack?: (server: RunningServer, client: string) => Promise<unknown>
  readonly status: number
}

const asId = (client: string) => client as ClientId

const LOSSES_OF_CLIENTS: Readonly<Record<string, Loss>> = {
  'the client is disabled': {
    end: ({ ports }, _, client) => done(ports.clients.setDisabled(asId(client), true)),
    giveBack: ({ ports }, client) => done(ports.clients.setDisabled(asId(client), false)),
    status: 401,
  },
  'the token is revoked': {
    end: ({ call }, { proof }, client) => {
      const form = { client_id: client, client_secret: secretOf(client), token: proof }
      return call('POST', '/oauth2/revoke', { form })
    },
    status: 401,
  },
  'the token expires': { end: async ({ clock }) => clock.advance(60 * MINUTES), status: 401 },
  'the secret is rotated, which ends no right (A6)': {
    end: ({ ports }, _, client) => done(makeRotateSecret(ports)(asId(client), O.none)),
    giveBack: ({ ports }, client) =>
      done(ports.clients.rotate(asId(client), ports.secrets.digest(secretOf(client)), O.none)),
    status: 200,
  },
}

const changeManager =
  (change: Parameters<Ports['managers']['change']>[1]) =>
  ({ ports }: RunningServer) =>
    done(ports.managers.change(OPERATOR, change))

const LOSSES_OF_SESSIONS: Readonly<Record<string, Loss>> = {
  'it is signed out in another tab': {
    end: ({ call }, { proof }) =>
      call('DELETE', '/console/api/session', { headers: { cookie: proof, ...OWN_PAGE } }),
    status: 401,
  },
  'the manager is disabled': {
    end: changeManager({ disabled: true }),
    giveBack: changeManager({ disabled: false }),
    status: 401,
  },
  'the duty changes': {
    end: changeManager({ duty: 'editor' }),
    giveBack: changeManager({ duty: 'operator' }),
    status: 401,
  },
  'it ends unused': { end: async ({ clock }) => clock.advance(8 * 60 * MINUTES), status: 401 },
  'the manager is erased': {
    end: ({ ports, clock }) => done(ports.personalData.erase(OPERATOR, clock.now())),
    giveBack: ({ ports }) => {
      const name = 'Operator' as ManagerName
      return done(
        ports.managers.add({ email: OPERATOR, name, lang: 'fr', duty: 'operator', disabled: false }),
      )
    },
    status: 401,
  },
}

const PRESENCE: Loss = { end: async ({ clock }) => clock.advance(5 * MINUTES), status: 403 }

/** Returns all that these requests change. */
const stateOf = async (server: RunningServer) => {
  const { ports } = server
  return {
    records: await records(ports as never),
    files: await storedIn(server),
    devices: await collect(ports.devices.ofUser(AMINA as Email)),
    passkeys: await done(ports.passkeys.of(OPERATOR)),
  }
}

/** Returns the client by which the keys of the operator count. */
const clientOfSession = async ({ ports }: RunningServer): Promise<string> => {
  const all = await done(ports.managers.numbered())
  return `console:${all.find(({ manager }) => manager.email === OPERATOR)?.number}`
}

let keys = 0

/** Holds a request back while its right ends, and checks the answer. */
const seeLoss = async (
  t: Test,
  what: string,
  server: RunningServer,
  make: MakeRequest,
  loss: Loss,
  client?: ClientName,
) => {
  keys += 1
  const key = `key ${keys}` as IdempotencyKey
  const request = await make(server)
  const owner = client ?? (await clientOfSession(server))
  const rest = await hold(server, { ...request, headers: { ...request.headers, 'idempotency-key': key } })
  await loss.end(server, request, owner)
  const before = await stateOf(server)
  const answer = await rest()
  t.equal(answer.status, loss.status, what)
  if (loss.status !== 200) {
    t.strictSame(await stateOf(server), before, `${what}: nothing has changed`)
    const use = await done(
      server.ports.idempotencyKeys.find({ clientId: asId(owner), key }, server.clock.now()),
    )
    t.same(use, O.none, `${what}: the key is free`)
  }
  await loss.giveBack?.(server, owner)
}

for (const store of ['sqlite', 'postgres'] as const)
  t.test(`A9: rights count when a request runs, ${store}`, async (t) => {
    const server = await start(t, { store })

    await t.test('A9, A6: those of a client', async (t) => {
      for (const [kind, [client, make]] of Object.entries(BY_CLIENT))
        for (const [how, loss] of Object.entries(LOSSES_OF_CLIENTS))
          await seeLoss(t, `${kind}: ${how}`, server, make, loss, client)
    })

    await t.test('A9, M4: those of a session', async (t) => {
      const before = await stateOf(server)
      for (const [kind, make] of Object.entries({ ...BY_SESSION, ...BY_PRESENCE }))
        for (const [how, loss] of Object.entries(LOSSES_OF_SESSIONS))
          await seeLoss(t, `${kind}: ${how}`, server, make, loss)
      for (const [kind, make] of Object.entries(BY_PRESENCE))
        await seeLoss(t, `${kind}: the proof of presence is too old`, server, make, PRESENCE)
      t.strictSame(await stateOf(server), before, 'nothing has changed afterwards')
    })

    await t.test('A9, I4: a key that was not used counts for another request', async (t) => {
      const headers = { 'idempotency-key': 'again' }
      const request = await LIBRARY_BY_SESSION(server)
      const rest = await hold(server, { ...request, headers: { ...request.headers, ...headers } })
      await changeManager({ disabled: true })(server)
      t.equal((await rest()).status, 401)
      await changeManager({ disabled: false })(server)
      const cookie = await signIn(server, 'operator')
      const answer = await server.call('POST', '/console/api/library/', {
        headers: { ...headers, cookie, ...OWN_PAGE },
        json: { ...LIBRARY_ITEM, itemTitle: 'Another' },
      })
      t.same([answer.status, answer.headers.get('idempotency-replayed')], [200, null])
    })

    await t.test(
      'A9, L1: what is held back while its person is erased names the person nowhere',
      async (t) => {
        const held = [
          await hold(server, await POST_BY_DONOR(server)),
          await hold(server, await DEVICE_BY_DONOR(server)),
        ]
        await done(server.ports.personalData.erase(AMINA as Email, server.clock.now()))
        const statuses = []
        for (const rest of held) statuses.push((await rest()).status)
        t.same(statuses, [200, 403], 'the post has no author, and a device needs a person')
        const { posts, devices, clients } = await done(server.ports.personalData.find(AMINA as Email))
        t.same([posts, devices, clients], [[], [], []])
      },
    )
  })
