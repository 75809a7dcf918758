import type { ClientId } from '@almoner/domain'
import { makeAuthenticate } from '@almoner/domain/access'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import type { ProblemCode, Route } from '../../src/index.ts'
import { CLIENTS, done, type Who } from '../support/fixture.ts'
import { onEachStore } from '../support/items.ts'
import { asResponse, seeProblem } from '../support/problems.ts'
import { send } from '../support/raw.ts'
import { concretePaths, LIBRARY_ITEM, newFeedItem, newLibraryItem, routeNamed } from '../support/samples.ts'

/** The effective scope of each test client (A2). */
const AMOUNTS: Readonly<Record<Who, ReadonlyArray<string>>> = {
  user: ['user'],
  donor: ['user', 'user-donor'],
  manager: ['user', 'user-donor', 'content-manager'],
  admin: ['user', 'user-donor', 'content-manager'],
  userManager: ['user', 'user-donor'],
}

const WHO = Object.keys(CLIENTS) as ReadonlyArray<Who>

/** The clients without a bound user that may not act for the user in a path. */
const UNBOUND: ReadonlyArray<Who> = ['user', 'manager', 'admin']

/** Why a route refuses a client before it looks at parameters; undefined where it does not. */
const refusalOf = ({ access: { scope, role }, path }: Route, who: Who): ProblemCode | undefined => {
  if (!AMOUNTS[who].includes(scope)) return 'insufficient_scope'
  if (role !== undefined && who !== 'userManager') return 'insufficient_role'
  return path.startsWith('/user/') && UNBOUND.includes(who) ? 'no_user' : undefined
}

onEachStore(t, 'interface 4, A2, A5, F3, L1: the callers whom each route accepts', async (t, fixture) => {
  const ids = { library: await newLibraryItem(fixture), feed: await newFeedItem(fixture) }
  for (const { route, address } of concretePaths(ids)) {
    const name = `${route.method} ${route.path}`
    for (const who of WHO) {
      // An upload without a file, a body without parameters: enough to pass authorization.
      const response = await fixture.call(route.method, address, { as: who })
      // That each route asks for what the interface says is in interface.test.ts.
      const refusal = refusalOf(route, who)
      if (refusal === undefined) t.notOk([401, 403].includes(response.status), `${who} is let in at ${name}`)
      else await seeProblem(t, response, refusal, `${who} at ${name}`)
    }
    await seeProblem(t, await fixture.call(route.method, address), 'invalid_token', `nobody at ${name}`)
  }
})

onEachStore(
  t,
  'interface 4: role super-admin may edit feed items, user-manager by itself may not',
  async (t, fixture) => {
    const id = await newFeedItem(fixture)
    const json = {
      itemType: 'link',
      itemTitle: 'Edited',
      itemDescription: 'x',
      link: 'https://example.org',
      status: 'Live',
    }
    t.equal((await fixture.call('POST', `/feed/${id}`, { as: 'admin', json })).status, 200)
    t.equal((await fixture.call('POST', `/feed/${id}`, { as: 'userManager', json })).status, 403)
    t.equal((await fixture.call('POST', `/feed/${id}`, { as: 'donor', json })).status, 403)
  },
)

onEachStore(t, 'A3: what each caller sees', async (t, fixture) => {
  const images = { coverImgUrl: 'https://example.org/c.png', notificationImgUrl: 'https://example.org/n.png' }
  const make = async (title: string, isDonorRestricted: string, status: string) => {
    const id = await newLibraryItem(fixture)
    const json = { ...LIBRARY_ITEM, ...images, itemTitle: title, isDonorRestricted, status }
    t.equal((await fixture.call('POST', `/library/${id}`, { as: 'manager', json })).status, 200)
  }
  for (const status of ['Draft', 'Live', 'Archived'])
    for (const restricted of ['0', '1']) await make(`${status} ${restricted}`, restricted, status)
  const seen = async (as: Who) => {
    const { items } = (await (await fixture.call('GET', '/library/', { as })).json()) as {
      items: ReadonlyArray<{ item: { itemTitle: string } }>
    }
    return items.map(({ item }) => item.itemTitle).sort()
  }
  const all = ['Archived 0', 'Archived 1', 'Draft 0', 'Draft 1', 'Live 0', 'Live 1']
  t.same(await seen('user'), ['Live 0'])
  t.same(await seen('donor'), ['Live 0', 'Live 1'])
  t.same(await seen('userManager'), ['Live 0', 'Live 1'])
  t.same(await seen('manager'), all)
  t.same(await seen('admin'), all)
})

onEachStore(t, 'A1: a token belongs to a client, which may be bound to one user', async (t, fixture) => {
  const authenticate = makeAuthenticate(fixture.ports)
  const bound = await done(authenticate(await fixture.token('donor')))
  t.same([bound.clientId, bound.email], ['donor', O.some('amina@example.org')])
  const free = await done(authenticate(await fixture.token('manager')))
  t.same([free.clientId, free.email], ['manager', O.none])
})

onEachStore(
  t,
  'A2: roles are the current ones of the client, scopes those of the token',
  async (t, fixture) => {
    const caller = await done(makeAuthenticate(fixture.ports)(await fixture.token('admin')))
    t.same([...caller.roles], ['super-admin'])
    const found = await done(fixture.ports.clients.find('admin' as ClientId))
    t.same(O.isSome(found) && found.value.client.scopes, ['user'])
  },
)

onEachStore(t, 'A7: media, health, metrics, docs and metadata need no token', async (t, fixture) => {
  for (const path of [
    '/health/live',
    '/health/ready',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/docs/',
    '/.well-known/oauth-authorization-server',
  ])
    t.equal((await fixture.call('GET', path)).status, 200, path)
  const media = await fixture.call('GET', '/static/media/unknown.png')
  await seeProblem(t, media, 'not_found', 'media need no token')
  for (const path of [
    '/static/media/../almoner.db',
    '/static/media/%2e%2e/almoner.db',
    '/docs/static/../../package.json',
  ])
    await seeProblem(t, asResponse(await send(fixture.url, 'GET', path)), 'not_found', path)
})

onEachStore(t, 'A5: the scope is checked before the parameters and the item', async (t, fixture) => {
  const { path } = routeNamed('updateLibraryItem')
  t.equal(path, '/library/:itemId')
  for (const id of ['unknown', await newLibraryItem(fixture)]) {
    const response = await fixture.call('POST', `/library/${id}`, {
      as: 'donor',
      json: { status: 'nonsense' },
    })
    await seeProblem(t, response, 'insufficient_scope', 'the same whether the item exists or not')
  }
})
