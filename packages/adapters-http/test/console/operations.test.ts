import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { totalIn } from '../../src/index.ts'
import { OWN_PAGE, onBoth, signIn, startConsole } from '../support/console.ts'
import { createLive } from '../support/items.ts'
import { NOTIFICATION, newFeedItem, newNotification } from '../support/samples.ts'

const API = '/console/api'
const PATHS = ['/findings', '/providers', '/statistics', '/figures', '/audit', '/titles?ids=1']

t.test('M2: what operators watch and do is closed to editors', async (t) => {
  const fixture = await startConsole(t.testdir())
  t.teardown(fixture.stop)
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const acts = PATHS.map((path): readonly [string, string] => ['GET', path])
  for (const [method, path] of [
    ...acts,
    ['PUT', '/providers/fcm/pause'],
    ['DELETE', '/providers/fcm/pause'],
  ]) {
    const response = await fixture.call(method as 'GET', `${API}${path}`, { headers })
    t.equal(response.status, 403, `${method} ${path}`)
  }
  t.match(await done(fixture.ports.providers.states(fixture.clock.now())), [{ pause: { _tag: 'None' } }])
})

onBoth('G5, K1: an operator pauses and resumes a provider, which the audit records', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
  const call = async (method: 'GET' | 'PUT' | 'DELETE', path: string) =>
    (await fixture.call(method, `${API}${path}`, { headers })).json()
  const since = new Date(fixture.clock.now()).toISOString()
  const paused = await call('PUT', '/providers/apns/pause')
  t.match(paused, {
    providers: [
      { provider: { name: 'fcm', isPaused: false } },
      { provider: { name: 'apns', isPaused: true, since, until: '', reason: 'paused by an operator' } },
      { provider: { name: 'webpush', isPaused: false, since: '', overrideUntil: '' } },
    ],
  })
  t.match(await call('GET', '/findings'), {
    findings: [
      { finding: { check: 'nodes', level: 'ok', code: 'in-order', values: [] } },
      {},
      {
        finding: {
          ...{ check: 'pauses', level: 'warning', code: 'pause-operator' },
          values: [{ name: 'provider', text: 'apns' }],
        },
      },
    ],
  })
  t.match(await call('GET', '/figures'), { figures: { paused: ['apns'], requests: null } })
  const resumed = await call('DELETE', '/providers/apns/pause?ignoreUnregisteredHours=1')
  const until = new Date(fixture.clock.now() + 3_600_000).toISOString()
  t.match(resumed, { providers: [{}, { provider: { isPaused: false, overrideUntil: until } }, {}] })
  t.equal((await fixture.call('PUT', `${API}/providers/expo/pause`, { headers })).status, 400)

  await newFeedItem(fixture)
  t.match(await call('GET', '/audit?action=resume-provider'), {
    audit: [
      {
        record: {
          actor: { kind: 'person' },
          subject: { kind: 'provider', id: 'apns' },
          number: null,
          changes: [
            { field: 'pause', before: 'paused by an operator', after: null },
            { field: 'overrideUntil', before: null, after: until },
          ],
        },
      },
    ],
  })
})

onBoth('C11, K4: the audit comes in pages, which Link walks with the same filters', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
  for (const act of ['PUT', 'DELETE', 'PUT', 'DELETE', 'PUT'] as const)
    await fixture.call(act, `${API}/providers/fcm/pause`, { headers })
  const actions: Array<string> = []
  let path: string | undefined = `${API}/audit?subject=fcm&lim=2`
  while (path !== undefined) {
    const response: Response = await fixture.call('GET', path, { headers })
    const { audit } = (await response.json()) as { audit: ReadonlyArray<{ record: { action: string } }> }
    actions.push(...audit.map(({ record }) => record.action))
    const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
    path = next === undefined ? undefined : `${new URL(next).pathname}${new URL(next).search}`
  }
  const [paused, resumed] = ['pause-provider', 'resume-provider']
  t.strictSame(actions, [paused, resumed, paused, resumed, paused])
  const bad = await fixture.call('GET', `${API}/audit?action=shout&from=2026-02-30&after=x`, { headers })
  const { errors } = (await bad.json()) as { errors: ReadonlyArray<{ field: string }> }
  t.strictSame([bad.status, errors.map(({ field }) => field).sort()], [400, ['action', 'after', 'from']])
})

onBoth('K1, M2: titles of entries and notifications are found by their ids', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
  const read = async (ids: string) =>
    (await fixture.call('GET', `${API}/titles?ids=${encodeURIComponent(ids)}`, { headers })).json()
  const { itemId: publication } = await createLive(fixture, 'library', { itemTitle: 'A well' })
  const post = await newFeedItem(fixture)
  const notification = await newNotification(fixture)
  const ids = [notification, publication, post, 'unknown', publication]
  t.match(await read(ids.join()), {
    titles: [
      { title: { id: publication, text: 'A well' } },
      { title: { id: post } },
      { title: { id: notification, text: NOTIFICATION.title } },
    ],
  })
  for (const bad of [Array.from({ length: 101 }, () => publication).join(), 'a\u0000'])
    t.match(await read(bad), { status: 400, errors: [{ field: 'ids' }] })
})

onBoth('B8: statistics count content, devices and 30 days of deliveries', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'operator'), ...OWN_PAGE }
  await newFeedItem(fixture)
  const { statistics } = (await (await fixture.call('GET', `${API}/statistics`, { headers })).json()) as {
    statistics: { items: ReadonlyArray<{ count: number }>; deliveries: { days: ReadonlyArray<unknown> } }
  }
  t.equal(statistics.items.filter(({ count }) => count === 1).length, 1)
  t.equal(statistics.items.length, 12)
  t.equal(statistics.deliveries.days.length, 30)
})

t.test('I3: the total of a metric is the sum of its series', async (t) => {
  const text = 'a_count{x="1"} 2\na_count{x="2 {"} 3\na_count_all 9\nb 4\n'
  t.strictSame([totalIn(text, 'a_count'), totalIn(text, 'b'), totalIn(text, 'c')], [5, 4, undefined])
})
