import t from 'tap'
import type { Fixture, Send } from '../support/fixture.ts'
import { keyed } from '../support/idempotency.ts'
import { create, createLive, onEachStore } from '../support/items.ts'
import { listed, notificationIn, notify, post, review, seconds } from '../support/notifications.ts'
import { fieldsOf, seeProblem } from '../support/problems.ts'

// Changing notifications in one step, and two of them as one announcement (G13, G14).

const LATER = seconds('2030-01-01T00:00:00Z')

const change = (fixture: Fixture, id: string, json: object, send: Send = {}) =>
  fixture.call('POST', `/notification/${id}`, { as: 'manager', json, ...send })

const remove = (fixture: Fixture, id: string, send: Send = {}) =>
  fixture.call('DELETE', `/notification/${id}`, { as: 'manager', ...send })

const ifMatch = (tag: string | null) => ({ headers: { 'if-match': tag ?? '' } })

const one = async (fixture: Fixture, id: string) => (await listed(fixture, `/notification/${id}`))[0]

const counterpartOf = async (fixture: Fixture, id: string) => {
  const [found] = await listed(fixture, `/notification/${id}`, { include: 'counterpart' })
  return (found as unknown as { counterpart: unknown } | undefined)?.counterpart
}

onEachStore(t, 'G13: a change sets what it names, in one step, and nothing else', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'library')
  const made = await notify(fixture, {
    subtitle: 'Sub',
    description: 'Text',
    date: LATER,
    resource_id: itemId,
  })
  const { id } = made
  t.strictSame(await notificationIn(await change(fixture, id, {})), made, 'nothing is no change')
  t.strictSame(await notificationIn(await change(fixture, id, { title: 'New' })), { ...made, title: 'New' })
  const sent = { lang: 'FR', subtitle: 'Sous', description: 'Texte', date: String(LATER + 60) }
  t.match(await notificationIn(await change(fixture, id, sent)), {
    ...sent,
    lang: 'fr',
    title: 'New',
    date: '2030-01-01 00:01:00',
    actionUrl: made.actionUrl,
  })
  t.match(await one(fixture, id), { lang: 'fr', subtitle: 'Sous' })
})

onEachStore(
  t,
  'G13, B2: an empty value clears, null is absent, an empty date unschedules',
  async (t, fixture) => {
    const { itemId } = await createLive(fixture, 'library')
    const sent = { subtitle: 'Sub', description: 'Text', date: LATER, resource_id: itemId }
    const made = await notify(fixture, sent)
    const { id } = made
    const nulls = {
      subtitle: null,
      date: null,
      resource_id: null,
      counterpartId: null,
      lang: null,
      title: null,
    }
    t.strictSame(await notificationIn(await change(fixture, id, nulls)), made)
    const empty = { subtitle: '', description: ' \u200b', date: '', resource_id: '', counterpartId: '' }
    t.match(await notificationIn(await change(fixture, id, { ...empty, resource_type: '' })), {
      ...{ subtitle: '', description: '', date: '', actionUrl: '', visualUrl: '', title: made.title },
    })
    t.strictSame(await listed(fixture, '/notification', { state: 'unscheduled' }), [await one(fixture, id)])
    const bad = { lang: '', title: '', date: '1.5', resource_type: 'Feed', both: 'maybe' }
    t.strictSame(fieldsOf(await seeProblem(t, await change(fixture, id, bad), 'invalid_request')), [
      ...['both', 'date', 'lang', 'resource_type', 'title'],
    ])
    for (const date of ['1893456000000', '-1', 'x'])
      t.strictSame(fieldsOf(await seeProblem(t, await change(fixture, id, { date }), 'invalid_request')), [
        'date',
      ])
  },
)

onEachStore(t, 'G13: unknown, not allowed, too large', async (t, fixture) => {
  const { id } = await notify(fixture)
  await seeProblem(t, await change(fixture, 'unknown', { title: 'x' }), 'not_found')
  await seeProblem(t, await change(fixture, id, { resource_id: 'unknown' }), 'not_found')
  await seeProblem(t, await change(fixture, id, {}, { as: 'donor' }), 'insufficient_scope')
  const { itemId: draft } = await create(fixture, 'library')
  t.equal((await change(fixture, id, { resource_id: draft })).status, 200)
  const long = { title: 'x', description: 'y'.repeat(4096) }
  t.strictSame(fieldsOf(await seeProblem(t, await change(fixture, id, long), 'invalid_request')), [
    'description',
    'title',
  ])
  const same = { ...long, counterpartId: id }
  t.strictSame(
    fieldsOf(await seeProblem(t, await change(fixture, id, same), 'invalid_request')),
    ['counterpartId', 'description', 'title'],
    'I1: every condition at once',
  )
  t.match(await one(fixture, id), { title: 'Our year in figures' })
})

onEachStore(
  t,
  'G13, C10: ETags come with GET by path, create and change, and If-Match guards',
  async (t, fixture) => {
    const made = await post(fixture)
    const { id } = await notificationIn(made.clone())
    const tagOf = async () =>
      (await fixture.call('GET', `/notification/${id}`, { as: 'manager' })).headers.get('etag')
    const first = made.headers.get('etag')
    t.match(first, /^"[^"]+"$/)
    t.equal(await tagOf(), first)
    const cached = await fixture.call('GET', `/notification/${id}`, {
      as: 'manager',
      headers: { 'if-none-match': first ?? '' },
    })
    t.equal(cached.status, 304)
    const changed = await change(fixture, id, { title: 'Second' }, ifMatch(first))
    t.equal(changed.status, 200)
    const second = changed.headers.get('etag')
    t.not(second, first)
    t.equal(await tagOf(), second)
    for (const tag of [first, '"x"', ''])
      await seeProblem(t, await change(fixture, id, { title: 'Third' }, ifMatch(tag)), 'precondition_failed')
    await seeProblem(t, await remove(fixture, id, ifMatch(first)), 'precondition_failed')
    await seeProblem(t, await change(fixture, 'unknown', {}, ifMatch(first)), 'not_found')
    await seeProblem(t, await remove(fixture, 'unknown', ifMatch(first)), 'not_found')
    const gzip = second?.replace(/"$/, '-gzip"') ?? ''
    t.equal((await change(fixture, id, { title: 'Third' }, ifMatch(gzip))).status, 200, 'C13')
    t.equal((await remove(fixture, id, ifMatch('*'))).status, 200)
  },
)

onEachStore(t, 'G13: after the review has taken it up, a change is 409, before 412', async (t, fixture) => {
  const { id } = await notify(fixture, { date: 0 })
  await review(fixture)
  for (const send of [{}, ifMatch('"x"')])
    await seeProblem(t, await change(fixture, id, { date: LATER }, send), 'notification_started')
  t.match(await one(fixture, id), { date: '1970-01-01 00:00:00' })
})

onEachStore(t, 'G13: of a change and a review at once, exactly one takes effect', async (t, fixture) => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await notify(fixture, { date: 0, title: `${round}` })
    const [changed] = await Promise.all([change(fixture, id, { date: LATER }), review(fixture)])
    const [state] = (await listed(fixture, '/notification', { state: 'scheduled' })).filter(
      (found) => found.id === id,
    )
    t.ok([200, 409].includes(changed.status))
    t.equal(state === undefined, changed.status === 409, 'taken up, or changed before')
  }
})

onEachStore(t, 'G13, I4: a change is repeated by its key, with its ETag', async (t, fixture) => {
  const { id } = await notify(fixture)
  const send = keyed('k', { as: 'manager', json: { title: 'Once' } })
  const first = await fixture.call('POST', `/notification/${id}`, send)
  await change(fixture, id, { title: 'Twice' })
  const again = await fixture.call('POST', `/notification/${id}`, send)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal(again.headers.get('etag'), first.headers.get('etag'))
  t.equal(await again.text(), await first.text())
  t.match(await one(fixture, id), { title: 'Twice' })
})

onEachStore(t, 'G14: two languages are one announcement, from both sides', async (t, fixture) => {
  const en = await notify(fixture, { date: LATER })
  const fr = await notify(fixture, { lang: 'fr', counterpartId: en.id })
  t.notOk('counterpart' in fr, 'only with include')
  t.strictSame(await counterpartOf(fixture, fr.id), {
    ...{ notificationId: en.id, lang: 'en', date: '2030-01-01 00:00:00', state: 'scheduled' },
  })
  t.strictSame(await counterpartOf(fixture, en.id), {
    ...{ notificationId: fr.id, lang: 'fr', date: '', state: 'unscheduled' },
  })
  const other = await notify(fixture, { lang: 'fr' })
  t.equal(await counterpartOf(fixture, other.id), null)
  t.equal((await change(fixture, en.id, { counterpartId: other.id })).status, 200)
  t.equal(await counterpartOf(fixture, fr.id), null, 'J7: a new tie replaces earlier ones')
  t.match(await counterpartOf(fixture, other.id), { notificationId: en.id })
  const all = await listed(fixture, '/notification', { include: 'counterpart' })
  t.strictSame(
    all.map((found) => (found as unknown as { counterpart: unknown }).counterpart !== null).sort(),
    [...[false, true, true]],
  )
  await review(fixture)
  await change(fixture, en.id, { date: 0 })
  await review(fixture)
  t.match(await counterpartOf(fixture, other.id), { state: 'sent' }, 'states are never those of a cache')
  await seeProblem(
    t,
    await fixture.call('GET', '/notification', { as: 'manager', query: { include: 'labels' } }),
    'invalid_request',
  )
})

onEachStore(t, 'G14: a counterpart of the same language, unknown, deleted, sent', async (t, fixture) => {
  const en = await notify(fixture)
  const second = await notify(fixture)
  const bad = async (answer: Response) =>
    t.strictSame(fieldsOf(await seeProblem(t, answer, 'invalid_request')), ['counterpartId'])
  await bad(await post(fixture, { counterpartId: en.id }))
  await bad(await change(fixture, second.id, { counterpartId: en.id }))
  await remove(fixture, second.id)
  for (const counterpartId of ['unknown', second.id]) {
    await seeProblem(t, await post(fixture, { lang: 'fr', counterpartId }), 'not_found')
    await seeProblem(t, await change(fixture, en.id, { counterpartId }), 'not_found')
  }
  t.equal((await listed(fixture)).length, 1, 'nothing was created')
  const fr = await notify(fixture, { lang: 'fr', counterpartId: en.id })
  await seeProblem(t, await change(fixture, fr.id, { lang: 'en' }), 'has_counterpart')
  await change(fixture, en.id, { date: 0 })
  await review(fixture)
  await seeProblem(t, await change(fixture, fr.id, { date: LATER, both: true }), 'notification_started')
  t.match(await one(fixture, fr.id), { date: '' }, 'neither has moved')
  t.equal((await change(fixture, fr.id, { date: LATER })).status, 200, 'one alone may')
  const third = await notify(fixture, { lang: 'fr' })
  t.equal((await change(fixture, third.id, { counterpartId: en.id })).status, 200, 'a tie to a sent one')
})

onEachStore(t, 'G14: with both=true two move and go together', async (t, fixture) => {
  const en = await notify(fixture, { date: LATER })
  const fr = await notify(fixture, { lang: 'fr', counterpartId: en.id })
  t.equal((await change(fixture, fr.id, { date: LATER + 60, title: 'Titre', both: 'true' })).status, 200)
  t.match(await one(fixture, en.id), { date: '2030-01-01 00:01:00', title: en.title })
  t.equal((await change(fixture, en.id, { date: LATER, both: 'false' })).status, 200)
  t.match(await one(fixture, fr.id), { date: '2030-01-01 00:01:00' })
  t.equal((await change(fixture, en.id, { date: '', both: true })).status, 200)
  t.match(await one(fixture, fr.id), { date: '' })
  t.equal((await remove(fixture, fr.id, { query: { both: 'true' } })).status, 200)
  t.strictSame(await listed(fixture), [])
  const alone = await notify(fixture)
  t.equal(
    (await change(fixture, alone.id, { date: LATER, both: true })).status,
    200,
    'both without a counterpart',
  )
  t.equal((await remove(fixture, alone.id, { query: { both: 'true' } })).status, 200)
})

onEachStore(t, 'G14: resourceId and state filter, and links carry them', async (t, fixture) => {
  const { itemId } = await createLive(fixture, 'library')
  const about = [
    await notify(fixture, { resource_id: itemId, date: LATER }),
    await notify(fixture, { resource_id: itemId }),
    await notify(fixture, { resource_id: itemId, date: LATER + 1 }),
  ]
  await notify(fixture, { date: LATER })
  const idsOf = async (query: Readonly<Record<string, string>>) =>
    (await listed(fixture, '/notification', query)).map(({ id }) =>
      about.findIndex((found) => found.id === id),
    )
  t.strictSame(await idsOf({ resourceId: itemId }), [2, 0, 1])
  t.strictSame(await idsOf({ resourceId: itemId, state: 'scheduled' }), [2, 0])
  t.strictSame(await idsOf({ state: 'unscheduled' }), [1])
  t.strictSame(await idsOf({ resourceId: 'unknown' }), [])
  const page = await fixture.call('GET', '/notification', {
    as: 'manager',
    query: { resourceId: itemId, state: 'scheduled', lim: '1', include: 'counterpart' },
  })
  const link = page.headers.get('link') ?? ''
  for (const part of [`resourceId=${itemId}`, 'state=scheduled', 'include=counterpart']) t.match(link, part)
  const query = { state: 'Sent' }
  const refused = await fixture.call('GET', '/notification', { as: 'manager', query })
  t.strictSame(fieldsOf(await seeProblem(t, refused, 'invalid_request')), ['state'])
})
