import { collect, instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { none } from 'fp-ts/lib/Option.js'
import t from 'tap'
import type { Fixture, Send } from '../support/fixture.ts'
import { createLive, onEachStore, onServer } from '../support/items.ts'
import { notificationsIn, notify, review, type SeenNotification, seconds } from '../support/notifications.ts'
import { AMINA, BRUNO, inboxPath, newClient, preferencePath, seenPath } from '../support/people.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// F7: GET /user/<email>/notification/inbox, and PUT …/<notificationId>/seen.

const NOW = '2026-05-01T12:00:00.000Z'
const PAST = seconds('2026-04-01T00:00:00Z')

/** The client of an app, with scope `user` alone, which is bound to a person. */
const reader = (fixture: Fixture, email = AMINA): Promise<Send> =>
  newClient(fixture, `app-${email.split('@', 1)[0]}`, { scopes: ['user'], email })

const prefer = (fixture: Fixture, json: object, email = AMINA) =>
  fixture.call('PUT', preferencePath(email), { as: 'userManager', json })

/** Creates a notification and starts it. */
const start = async (fixture: Fixture, over: object = {}): Promise<SeenNotification> => {
  const made = await notify(fixture, { lang: 'en', date: PAST, ...over })
  await review(fixture)
  return made
}

const inbox = async (fixture: Fixture, send: Send, email = AMINA) =>
  notificationsIn(await fixture.call('GET', inboxPath(email), send))

const see = (fixture: Fixture, send: Send, id: string, email = AMINA) =>
  fixture.call('PUT', seenPath(id, email), send)

const bodyOf = async (answer: Response): Promise<unknown> => {
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`)
  return answer.json()
}

onEachStore(
  t,
  'F7: the notifications that were meant for the person, as GET gives them, with seenAt',
  async (t, fixture) => {
    fixture.clock.set(instant(Date.parse(NOW)))
    const app = await reader(fixture)
    t.strictSame(await inbox(fixture, app), [], 'an unknown person has an empty inbox')
    await start(fixture)
    await prefer(fixture, { lang: 'en', subscribed: false })
    const first = await start(fixture, { title: 'First', subtitle: 'Sub', description: 'Text' })
    await start(fixture, { lang: 'fr' })
    fixture.clock.advance(60_000)
    const second = await start(fixture, { title: 'Second', labelId: 'water', date: PAST - 1 })
    await notify(fixture, { date: seconds('2030-01-01T00:00:00Z') })
    const unseen = [second, first].map((one) => ({ ...one, seenAt: '' }))
    t.strictSame(await inbox(fixture, app), unseen)
    await prefer(fixture, { lang: 'fr', topics: ['health'] })
    t.strictSame(await inbox(fixture, app), unseen, 'as of the start')
    t.strictSame(await bodyOf(await see(fixture, app, first.id)), {
      seen: { notificationId: first.id, seenAt: '2026-05-01T12:01:00.000Z' },
    })
    fixture.clock.advance(60_000)
    t.match(await bodyOf(await see(fixture, app, first.id)), { seen: { seenAt: '2026-05-01T12:01:00.000Z' } })
    t.strictSame(
      (await inbox(fixture, app)).map((one) => (one as unknown as { seenAt: string }).seenAt),
      ['', '2026-05-01T12:01:00.000Z'],
    )
  },
)

onEachStore(t, 'F7, C11, J5: pages, Link and the total', async (t, fixture) => {
  const app = await reader(fixture)
  await prefer(fixture, {})
  const ids: Array<string> = []
  for (let n = 0; n < 7; n += 1) ids.unshift((await start(fixture, { title: `${n}` })).id)
  const walked: Array<string> = []
  let next: string | undefined = `${inboxPath()}?lim=3&count=true`
  while (next !== undefined) {
    const answer: Response = await fixture.call('GET', next, app)
    t.equal(answer.headers.get('x-total-count'), '7')
    walked.push(...(await notificationsIn(answer)).map(({ id }) => id))
    const link = /^<https?:\/\/[^/]+(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')
    next = link?.[1]
  }
  t.strictSame(walked, ids)
  const query = { lim: '2', offset: '4' }
  t.strictSame(
    (await notificationsIn(await fixture.call('GET', inboxPath(), { ...app, query }))).map(({ id }) => id),
    ids.slice(4, 6),
  )
  const counted = await fixture.call('GET', `${inboxPath()}?count=true`, app)
  t.equal(counted.headers.get('x-total-count'), '7')
  t.equal((await notificationsIn(counted)).length, 7)
  const head = await fixture.call('HEAD', `${inboxPath()}?count=true&lim=1&offset=99`, app)
  t.equal(head.headers.get('x-total-count'), '7')
  t.equal((await fixture.call('GET', inboxPath(), app)).headers.get('x-total-count'), null)
})

onEachStore(
  t,
  'F7: what was not meant for the person is 404, and so is what is deleted',
  async (t, fixture) => {
    const app = await reader(fixture)
    await prefer(fixture, {})
    const french = await start(fixture, { lang: 'fr' })
    const later = await notify(fixture, { date: seconds('2030-01-01T00:00:00Z') })
    const gone = await start(fixture)
    await bodyOf(await see(fixture, app, gone.id))
    await fixture.call('DELETE', `/notification/${gone.id}`, { as: 'manager' })
    for (const id of [french.id, later.id, gone.id, 'unknown', '..%2f'])
      t.match((await seeProblem(t, await see(fixture, app, id), 'not_found')).detail, /notification/)
    t.strictSame(await inbox(fixture, app), [])
  },
)

onEachStore(t, 'F7, G7: include=seen adds the number of marks to the report', async (t, fixture) => {
  const [amina, bruno] = [await reader(fixture), await reader(fixture, BRUNO)]
  for (const email of [AMINA, BRUNO]) await prefer(fixture, {}, email)
  const { id } = await start(fixture)
  const report = async (include: string) =>
    (await bodyOf(
      await fixture.call('GET', `/notification/${id}/delivery?include=${include}`, { as: 'manager' }),
    )) as {
      delivery: object
    }
  t.match(await report('seen'), { delivery: { seen: 0 } })
  await bodyOf(await see(fixture, amina, id))
  await bodyOf(await see(fixture, bruno, id, BRUNO))
  t.match(await report('shortened,seen'), { delivery: { seen: 2, shortened: '' } })
  t.notOk('seen' in (await report('')).delivery)
  const wrong = await fixture.call('GET', `/notification/${id}/delivery?include=seen,read`, { as: 'manager' })
  t.strictSame(fieldsOf(await seeProblem(t, wrong, 'invalid_request')), ['include'])
  await fixture.call('DELETE', `/user/${encodeURIComponent(AMINA)}`, { as: 'userManager' })
  t.match(await report('seen'), { delivery: { seen: 1 } }, 'L1')
})

onEachStore(t, 'F7, K1: seen marks leave no audit record', async (t, fixture) => {
  const app = await reader(fixture)
  await prefer(fixture, {})
  const { id } = await start(fixture)
  const records = async () => {
    const all = await fixture.ports.history.audit(
      { since: none, until: none, actor: none, action: none, subject: none },
      { lim: none, offset: 0, after: none },
    )()
    return E.isRight(all) ? (await collect(all.right)).length : -1
  }
  const before = await records()
  await bodyOf(await see(fixture, app, id))
  t.equal(await records(), before)
})

onEachStore(t, 'F7, A3, G1: links lead only to what the caller may see', async (t, fixture) => {
  const app = await reader(fixture)
  await prefer(fixture, {})
  const open = await createLive(fixture, 'library')
  const closed = await createLive(fixture, 'library', { isDonorRestricted: '1' })
  for (const { itemId } of [open, closed]) await start(fixture, { resource_id: itemId })
  const links = async (send: Send) =>
    (await inbox(fixture, send)).map(({ actionUrl, visualUrl }) => [actionUrl !== '', visualUrl !== ''])
  t.strictSame(await links(app), [
    [false, false],
    [true, true],
  ])
  t.strictSame(await links({ as: 'donor' }), [
    [true, true],
    [true, true],
  ])
})

onServer(t, 'F7, F3: who may ask, and for whom', async (t, fixture) => {
  const ask = (as: 'user' | 'manager' | 'userManager', email = AMINA) =>
    fixture.call('GET', inboxPath(email), { as })
  const mark = (as: 'user' | 'manager' | 'userManager', email = AMINA) => see(fixture, { as }, 'x', email)
  await prefer(fixture, {}, BRUNO)
  const { id } = await start(fixture)
  for (const send of [ask, mark]) {
    await seeProblem(t, await send('user'), 'no_user')
    await seeProblem(t, await send('manager'), 'no_user')
    t.strictSame(fieldsOf(await seeProblem(t, await send('userManager', 'malformed'), 'invalid_request')), [
      'email',
    ])
  }
  t.strictSame(await inbox(fixture, await reader(fixture), BRUNO), [], 'the path is not used')
  t.strictSame(
    (await inbox(fixture, { as: 'userManager' }, BRUNO)).map((one) => one.id),
    [id],
  )
  await bodyOf(await see(fixture, { as: 'userManager' }, id, BRUNO))
  await seeProblem(t, await fixture.call('GET', inboxPath()), 'invalid_token')
  const post = await fixture.call('POST', seenPath(id), { as: 'userManager', json: {} })
  t.equal(post.headers.get('allow'), 'PUT, OPTIONS')
})

onServer(
  t,
  'F7, B4: wrong pages are 400, each field named; other parameters are ignored',
  async (t, fixture) => {
    const app = await reader(fixture)
    const query = { lim: '0', offset: '-1', count: '1', after: 'x' }
    const wrong = await fixture.call('GET', inboxPath(), { ...app, query })
    t.strictSame(fieldsOf(await seeProblem(t, wrong, 'invalid_request')), ['after', 'count', 'lim', 'offset'])
    const all = await fixture.call('GET', inboxPath('malformed'), { as: 'userManager', query: { lim: '0' } })
    t.strictSame(fieldsOf(await seeProblem(t, all, 'invalid_request')), ['email', 'lim'])
    const ignored = await fixture.call('GET', inboxPath(), {
      ...app,
      query: { lang: 'de', include: '?', offset: 'x' },
    })
    t.strictSame(await notificationsIn(ignored), [])
  },
)
