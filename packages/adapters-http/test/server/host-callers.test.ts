import { mock } from 'node:test'
import {
  type Client,
  type ClientId,
  DEFAULT_POLICY,
  type Email,
  type HostCaller,
  type Ports,
} from '@almoner/domain'
import { ROLES, SCOPES } from '@almoner/domain/access'
import { done } from '@almoner/testkit/contracts'
import { memoryPorts, setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import {
  type AlmonerPluginOptions,
  almonerPlugin,
  LARGEST_HEAD,
  LONGEST_SEGMENT,
  responseCache,
} from '../../src/index.ts'
import { WITH_BODY } from '../../src/route.ts'
import { concretePaths, FEED_ITEM, LIBRARY_ITEM, PARAMETERS } from '../support/samples.ts'

const BASE_URL = 'https://host.example.org'
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

/** A host whose session is a variable, and the lines of its log. */
const startHost = async (
  t: Pick<Test, 'teardown'>,
  callerOf: AlmonerPluginOptions['callerOf'],
  more: Partial<AlmonerPluginOptions> = {},
  ports: Ports = memoryPorts({ clock: setClock(Date.UTC(2026, 4, 1, 12)) }),
) => {
  const lines: Array<string> = []
  const app = Fastify({
    logger: { level: 'error', stream: { write: (line: string) => lines.push(line) } },
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
  } as object) as unknown as FastifyInstance
  const almoner = { ports, policy: DEFAULT_POLICY }
  await app.register(almonerPlugin, { almoner, baseUrl: BASE_URL, callerOf, ...more })
  t.teardown(() => app.close())
  const send = (method: InjectOptions['method'], url: string, with_: InjectOptions = {}) =>
    app.inject({ method: method as 'GET', url, ...with_, headers: { ...OWN_PAGE, ...with_.headers } })
  return { app, ports, lines, send }
}

const addClient = async (ports: Ports, client: Partial<Client> & { readonly id: ClientId }) => {
  const whole: Client = { name: 'n', scopes: [], roles: [], email: O.none, disabled: false, ...client }
  await done(ports.clients.add(whole, ports.secrets.digest('secret')))
}

const tokenOf = async ({ app }: { readonly app: FastifyInstance }, id: string): Promise<string> => {
  const payload = { grant_type: 'client_credentials', client_id: id, client_secret: 'secret' }
  const answer = await app.inject({ method: 'POST', url: '/oauth2/get-token', payload })
  return answer.json<{ access_token: string }>().access_token
}

/** Items as a manager left them: the same in each host. */
const fill = async (send: Awaited<ReturnType<typeof startHost>>['send']) => {
  const ids = { library: '', feed: '' }
  for (const status of ['Live', 'Draft']) {
    const images = { coverImgUrl: 'https://a.org/c.png', notificationImgUrl: 'https://a.org/n.png' }
    for (const isDonorRestricted of ['0', '1']) {
      const library = await send('POST', '/library/', { payload: { ...LIBRARY_ITEM, isDonorRestricted } })
      ids.library = library.json().items[0].item.itemId
      const payload = { ...LIBRARY_ITEM, ...images, status }
      await send('POST', `/library/${ids.library}`, { payload })
      ids.feed = (
        await send('POST', '/feed/', { payload: { ...FEED_ITEM, isDonorRestricted } })
      ).json().item.itemId
      await send('POST', `/feed/${ids.feed}`, { payload: { ...FEED_ITEM, status } })
    }
  }
  return ids
}

/** Rights as a host or a token may give them. */
type Rights = Pick<HostCaller, 'scopes' | 'roles' | 'email'>

/**
 * Returns the part of an answer that depends on rights: the names of the two callers differ, so do tags of answers that show the author, and a cursor
 * belongs to one of the two stores (N3).
 */
const partOf = ({ statusCode, headers, body }: LightMyRequestResponse) => {
  const fields = Object.entries(headers).filter(
    ([name]) => !['date', 'vary', 'content-length'].includes(name),
  )
  const text = body
    .replaceAll('{"kind":"host","id":"twin"}', '{"kind":"client","id":"twin"}')
    .replaceAll('host:twin', 'twin')
    .replaceAll(/"requestId":"[^"]*"/g, '')
    .replaceAll(/"cursor":"[^"]*"/g, '')
  return [statusCode, text, text.includes('"author":') ? fields.filter(([name]) => name !== 'etag') : fields]
}

/** Two hosts alike: one names the caller, the other one knows a client with the same rights, whose token it gets. */
const startTwins = async (t: Pick<Test, 'teardown'>, rights: Rights) => {
  let caller: HostCaller | undefined = { id: 'filler', scopes: ['content-manager'] }
  const named = await startHost(t, () => caller)
  const twin = await startHost(t, () => caller)
  const ids = await fill(named.send)
  await fill(twin.send)
  const { scopes, roles = [], email } = rights
  const client = { id: 'twin' as ClientId, scopes, roles, email: O.fromNullable(email as Email | undefined) }
  for (const { ports } of [named, twin]) await addClient(ports, client)
  const authorization = `Bearer ${await tokenOf(twin, 'twin')}`
  await tokenOf(named, 'twin')
  const both = async (...[method, url, with_ = {}]: Parameters<typeof named.send>) => {
    caller = { id: 'twin', ...rights }
    const one = await named.send(method, url, with_)
    caller = undefined
    const other = await twin.send(method, url, { ...with_, headers: { ...with_.headers, authorization } })
    return [partOf(one), partOf(other)]
  }
  return { ids, both }
}

const READS = ['labels,author', 'author', 'older', 'schedule'].flatMap((include) =>
  ['library', 'feed'].map((area) => `/${area}/?lim=2&count=true&include=${include}`),
)

t.test(
  'A1, A2: with random rights the answers on all routes equal those of a token with the same',
  async (t) => {
    const rights: fc.Arbitrary<Rights> = fc.record({
      scopes: fc.subarray([...SCOPES], { minLength: 1 }),
      roles: fc.subarray([...ROLES]),
      email: fc.option(fc.constantFrom('amina@example.org', 'ben@example.org'), { nil: undefined }),
    })
    const seeAll = async (rights: Rights, isValid: boolean) => {
      const ends: Array<() => unknown> = []
      const { ids, both } = await startTwins(
        { teardown: (end) => void ends.push(end as () => unknown) },
        rights,
      )
      const see = async (...sent: Parameters<typeof both>) => {
        const [one, other] = await both(...sent)
        t.strictSame(one, other, `${sent[0]} ${sent[1]} for ${JSON.stringify(rights)}`)
      }
      for (const { route, address } of concretePaths(ids)) {
        const parameters = (isValid ? PARAMETERS[route.operation] : { lim: '0', status: 'Wrong' }) ?? {}
        const headers = { 'idempotency-key': `k-${route.operation}` }
        if (WITH_BODY.has(route.method)) await see(route.method, address, { payload: parameters, headers })
        else await see(route.method, `${address}?${new URLSearchParams(parameters)}`)
      }
      for (const read of READS) await see('GET', read)
      for (const end of ends) await end()
    }
    await fc.assert(fc.asyncProperty(rights, fc.boolean(), seeAll), { numRuns: 10 })
  },
)

t.test('A1: a caller without scopes may do nothing, whichever roles but super-admin it has', async (t) => {
  const { send } = await startHost(t, () => ({ id: 'u', scopes: [], roles: ['user-manager'] }))
  for (const { route, address } of concretePaths({ library: 'x', feed: 'y' }))
    t.equal((await send(route.method, address)).statusCode, 403, `${route.method} ${address}`)
})

t.test(
  'A1: a host that answers wrongly, fails or never answers gets a 500, and its log the reason alone',
  async (t) => {
    let answer: () => unknown = () => undefined
    const { send, lines } = await startHost(t, () => answer() as never)
    const wrong: ReadonlyArray<readonly [() => unknown, string]> = [
      [
        () => ({ id: 'u', scopes: ['everything'] }),
        'scopes must be a list of user, user-donor, content-manager',
      ],
      [() => ({ id: 'amina@example.org', scopes: [] }), 'id must be 1 to 200 characters'],
      [() => ({ id: '', scopes: ['user'] }), 'id must be'],
      [() => ({ id: 'u', scopes: ['user'], email: 'amina' }), 'email must be an email address'],
      [() => null, 'must be an object, or undefined'],
      [
        () => Promise.reject(Object.assign(new Error('no sessions today'), { statusCode: 401 })),
        'no sessions today',
      ],
      [
        () => {
          throw new Error('no sessions tomorrow')
        },
        'no sessions tomorrow',
      ],
      [
        () => {
          throw undefined
        },
        'callerOf failed',
      ],
    ]
    const requests = [
      ['GET', '/library/'],
      ['POST', '/feed/'],
      ['DELETE', '/library/x/media/cover'],
    ] as const
    const see = async (
      reason: string,
      ask: () => Promise<{ readonly statusCode: number; readonly body: string }>,
    ) => {
      lines.length = 0
      const { statusCode, body } = await ask()
      t.strictSame([statusCode, JSON.parse(body).code], [500, 'internal_error'], reason)
      t.notMatch(body, /callerOf|session|scopes/)
      t.equal(lines.length, 1, 'one line a fault')
      t.ok(lines[0]?.includes(reason), `${reason} in ${lines[0]}`)
      t.notMatch(lines[0], /amina@example\.org/)
    }
    for (const [make, reason] of wrong)
      for (const [method, url] of requests) {
        answer = make
        await see(reason, () => send(method, url, method === 'POST' ? { payload: FEED_ITEM } : {}))
      }
    // Right at the head, wrong at the second look (A9): nothing is written.
    const turns: ReadonlyArray<unknown> = [
      { id: 'u', scopes: ['content-manager'] },
      { id: 'u', scopes: ['all'] },
    ]
    let asked = 0
    answer = () => turns[asked++ % 2]
    await see('scopes must be', () => send('POST', '/feed/', { payload: FEED_ITEM }))
    answer = () => ({ id: 'u', scopes: ['content-manager'] })
    t.strictSame((await send('GET', '/feed/')).json(), { items: [] })

    mock.timers.enable({ apis: ['setTimeout'] })
    t.teardown(() => mock.timers.reset())
    const begun = Promise.withResolvers<void>()
    answer = () => {
      begun.resolve()
      return new Promise(() => {})
    }
    await see('did not settle within 10 seconds', async () => {
      const waiting = send('GET', '/library/')
      const { promise } = begun
      void waiting.catch(() => {})
      await promise
      mock.timers.tick(10_000)
      return waiting
    })
  },
)

t.test('A9: a right that ends while the body comes does not write, and frees the key', async (t) => {
  let named: ReadonlyArray<HostCaller | undefined> = []
  let asked = 0
  const { send } = await startHost(t, () => named[asked++ % named.length])
  const donor: HostCaller = { id: 'u', scopes: ['user-donor'] }
  const post = async (...answers: ReadonlyArray<HostCaller | undefined>) => {
    named = answers
    asked = 0
    return send('POST', '/feed/', { payload: FEED_ITEM, headers: { 'idempotency-key': 'one' } })
  }
  t.equal((await post(donor, { id: 'u', scopes: ['user'] })).statusCode, 403)
  t.equal((await post(donor, undefined)).statusCode, 401)
  t.equal((await post(undefined, donor)).statusCode, 200, 'the second look decides')
  t.equal((await post(donor)).headers['idempotency-replayed'], 'true')
})

t.test('I4: keys belong to the id, and to no client or other user of the same name', async (t) => {
  let caller: HostCaller | undefined
  const { app, ports, send } = await startHost(t, () => caller)
  await addClient(ports, { id: 'twin' as ClientId, scopes: ['user-donor'] })
  const authorization = `Bearer ${await tokenOf({ app }, 'twin')}`
  const post = async (named: HostCaller | undefined, key: string, headers = {}) => {
    caller = named
    const answer = await send('POST', '/feed/', {
      payload: FEED_ITEM,
      headers: { 'idempotency-key': key, ...headers },
    })
    return [answer.json().item?.itemId, answer.headers['idempotency-replayed']]
  }
  const donor = (id: string): HostCaller => ({ id, scopes: ['user-donor'] })
  const [first] = await post(donor('twin'), 'k')
  const all = [first]
  for (const answer of [
    await post(donor('other'), 'k'),
    await post(donor('twin k'), 'k'),
    await post(donor('twin'), 'k k'),
    await post(undefined, 'k', { authorization }),
  ]) {
    t.equal(answer[1], undefined)
    all.push(answer[0])
  }
  t.equal(new Set(all).size, 5)
  t.strictSame(await post({ ...donor('twin'), scopes: ['content-manager'] }, 'k'), [first, 'true'])
})

t.test('K1, L3: the id is the actor of changes, and the address that of the author', async (t) => {
  const caller: HostCaller = { id: 'u 42', scopes: ['content-manager'], email: 'Amina@example.org' }
  const { send } = await startHost(t, () => caller)
  const { itemId } = (await send('POST', '/feed/', { payload: FEED_ITEM })).json().item
  const [{ revision }] = (await send('GET', `/feed/${itemId}/history`)).json().history
  t.strictSame(revision.actor, { kind: 'host', id: 'u 42' })
  const [{ item }] = (await send('GET', '/feed/?include=author')).json().items
  t.strictSame(item.author, { clientId: 'host:u 42', email: 'amina@example.org' })
  t.equal((await send('GET', '/user/x/feed')).json().items.length, 1)
})

t.test('A8: the general limit counts by id', async (t) => {
  let id = 'one'
  const { send } = await startHost(t, () => ({ id, scopes: ['user'] }), {
    rateLimit: { max: 2, milliseconds: 60_000 },
  })
  const statuses = []
  for (id of ['one', 'one', 'two', 'one']) statuses.push((await send('GET', '/library/')).statusCode)
  t.strictSame(statuses, [200, 200, 200, 429])
})

t.test(
  'M5: requests of other sites that change something are rejected, unless the host allows them',
  async (t) => {
    const caller: HostCaller = { id: 'u', scopes: ['content-manager'] }
    const foreign: ReadonlyArray<Record<string, string>> = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site', origin: BASE_URL },
    ]
    const { app } = await startHost(t, () => caller)
    const { app: open } = await startHost(t, () => caller, { allowCrossSite: true })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = new URLSearchParams(FEED_ITEM).toString()
    const post = (headers: Record<string, string>, to = app) =>
      to.inject({ method: 'POST', url: '/feed/', payload, headers: { ...form, ...headers } })
    for (const headers of [{}, { origin: 'https://evil.example' }, ...foreign]) {
      const answer = await post(headers)
      t.strictSame([answer.statusCode, answer.json().code], [403, 'cross_site'], JSON.stringify(headers))
      t.equal((await post(headers, open)).statusCode, 200)
      t.equal((await app.inject({ url: '/feed/', headers })).statusCode, 200, 'reading')
    }
    for (const headers of [OWN_PAGE, { origin: BASE_URL }]) t.equal((await post(headers)).statusCode, 200)
  },
)

t.test('A4, A5: where the host names no user, a token is needed; a named caller gets none', async (t) => {
  let caller: HostCaller | undefined
  const { app, ports, send } = await startHost(t, () => caller)
  await addClient(ports, { id: 'desk' as ClientId, scopes: ['content-manager'] })
  t.equal((await send('GET', '/library/')).statusCode, 401)
  const authorization = `Bearer ${await tokenOf({ app }, 'desk')}`
  const draft = await app.inject({
    method: 'POST',
    url: '/library/',
    payload: LIBRARY_ITEM,
    headers: { authorization },
  })
  t.equal(draft.statusCode, 200, 'tokens need no page of the host')
  const count = async (headers: Record<string, string>) =>
    (await send('GET', '/library/', { headers })).json().items.length
  t.equal(await count({ authorization }), 1)
  caller = { id: 'u', scopes: ['user'] }
  t.equal(await count({ authorization }), 0, 'the rights of a token do not add up with those of the caller')
  t.equal(await count({ authorization: 'Bearer of-the-host' }), 0)
  const refused = await send('POST', '/oauth2/get-token', { payload: { grant_type: 'client_credentials' } })
  t.strictSame([refused.statusCode, refused.json().error], [401, 'invalid_client'])
  t.match((await send('GET', '/library/')).headers['vary'], /Authorization, Cookie/)
})

t.test('A3: the response cache keeps what callers of different rights see apart', async (t) => {
  let caller: HostCaller = { id: 'm', scopes: ['content-manager'] }
  let version = 0
  const { send } = await startHost(t, () => caller, {
    extensions: [responseCache({ bytes: 100_000, version: () => version })],
  })
  await fill(send)
  version += 1
  const seen = []
  for (const scope of ['content-manager', 'user', 'user-donor', 'user', 'content-manager'] as const) {
    caller = { id: 'same', scopes: [scope] }
    seen.push((await send('GET', '/feed/')).json().items.length)
  }
  t.strictSame(seen, [4, 1, 2, 1, 4])
})

t.test('the options of host callers are checked when the plugin is registered', async (t) => {
  for (const [more, reason] of [
    [{ callerOf: 'me' }, /callerOf must be a function/],
    [{ allowCrossSite: 'yes' }, /allowCrossSite must be true or false/],
  ] as const)
    await t.rejects(startHost(t, undefined, more as never), reason)
})
