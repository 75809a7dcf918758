import type { FeedItem } from '@almoner/domain'
import { type LinkFinding, makeRunSchedules, NO_ROUNDS } from '@almoner/domain/content'
import { instant, type WebUrl } from '@almoner/domain/values'
import { done, sampleFeedItem, sampleLibraryItem, sampleNotification } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { OWN_PAGE, onBoth, signIn } from '../support/console.ts'
import { createLive, update } from '../support/items.ts'
import { LIBRARY_ITEM, newFeedItem } from '../support/samples.ts'

onBoth('M7: the desk shows what waits', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const desk = async () => (await fixture.call('GET', '/console/api/desk', { headers })).json()
  t.same(await desk(), {
    desk: {
      ...{ waiting: 0, oldestWaiting: null, lacking: { en: 0, fr: 0 }, older: 0, changed: [] },
      ...{ today: [], failed: [], schedules: [], proposals: { count: 0, first: [] } },
    },
  })
  await newFeedItem(fixture)
  const created = new Date(fixture.clock.now()).toISOString()
  const date = instant(fixture.clock.now() + 3_600_000)
  const notification = sampleNotification(1, { date: O.some(date) })
  await done(fixture.ports.notifications.add(notification))
  const { id, lang, title } = notification
  t.match(await desk(), {
    desk: {
      ...{ waiting: 1, oldestWaiting: created },
      today: [{ notificationId: id, lang, title, sendAt: new Date(date).toISOString(), state: 'scheduled' }],
    },
  })
})

onBoth('C15: the desk names what a scheduled item lacked', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const at = instant(fixture.clock.now())
  const item = sampleLibraryItem(1, { publishAt: O.some(at) })
  await done(fixture.ports.libraryItems.add({ item, linksToImages: [] }))
  await done(makeRunSchedules(fixture.ports)())
  const { desk } = (await (await fixture.call('GET', '/console/api/desk', { headers })).json()) as {
    desk: { schedules: unknown }
  }
  t.same(desk.schedules, [
    {
      ...{ contentType: 'library', itemId: item.id, itemTitle: item.title, lang: 'en', moment: 'publishAt' },
      ...{ failedAt: new Date(at).toISOString(), missing: ['coverImgUrl', 'notificationImgUrl'] },
    },
  ])
})

onBoth('J8: the desk and a list name the words that changed', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const read = async (path: string) => (await fixture.call('GET', `/console/api${path}`, { headers })).json()
  const en = await createLive(fixture, 'library', { lang: 'en' })
  const fr = await createLive(fixture, 'library', { lang: 'fr', itemTitle: 'Puits' })
  const json = { counterpartId: fr.itemId }
  await fixture.call('PUT', `/library/${en.itemId}/translation`, { as: 'manager', json })
  const path = `/older?itemIds=${fr.itemId},${en.itemId},${fr.itemId},unknown`
  t.strictSame(await read(path), { publications: [] })
  await update(fixture, 'library', en.itemId, { ...LIBRARY_ITEM, itemTitle: 'Pumps', status: 'Live' })
  const changed = [{ itemId: fr.itemId, lang: 'fr', title: 'Puits', fields: ['itemTitle'] }]
  t.match(await read('/desk'), { desk: { older: 1, changed } })
  const changes = [{ field: 'itemTitle', before: LIBRARY_ITEM.itemTitle, after: 'Pumps' }]
  const counterpart = { itemId: en.itemId, lang: 'en', status: 'Live' }
  t.match(await read(path), { publications: [{ publication: { itemId: fr.itemId, counterpart, changes } }] })
  const many = Array.from({ length: 101 }, () => en.itemId).join(',')
  t.match(await read(`/older?itemIds=${many}`), { status: 400, errors: [{ field: 'itemIds' }] })
  t.match(await read('/older'), { status: 400, errors: [{ field: 'itemIds' }] })
})

onBoth('B8: what was published is counted by month and language', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const { published } = (await (await fixture.call('GET', '/console/api/published', { headers })).json()) as {
    published: { months: ReadonlyArray<unknown> }
  }
  t.equal(published.months.length, 12)
  t.match(published.months.at(-1), {
    month: /^\d{4}-\d\d-01$/,
    library: { en: 0, fr: 0 },
    feed: { en: 0, fr: 0 },
  })
})

onBoth('C17: dead links are listed with their entries, for content managers', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const links = async () => (await fixture.call('GET', '/console/api/dead-links', { headers })).json()
  t.same(await links(), { links: [] })
  const { feedItems, linkFindings } = fixture.ports
  const { content, ...item } = sampleFeedItem(1)
  const { id, title } = item
  await done(feedItems.add({ item: { ...item, content }, linksToImages: [] }))
  const at = instant(fixture.clock.now())
  const finding: LinkFinding = {
    ...{ contentType: 'feed', itemId: id, field: 'link', url: 'https://example.org/1' as WebUrl },
    ...{ answer: '404', at, verdict: 'dead', gone: O.some({ answer: '404', since: at }) },
  }
  await done(linkFindings.advance({ ...NO_ROUNDS, step: 1, number: 1, shown: 1 }, [finding]))
  t.same(await links(), { links: [] }, 'of Live entries alone')
  const write = { storesImages: [], displaysImages: [], linksToImages: [] }
  const publish = (current: FeedItem) =>
    E.right({ ...write, item: { ...current, status: 'Live' } as FeedItem })
  await done(feedItems.change(id, publish))
  const moment = new Date(at).toISOString()
  const shown = { contentType: 'feed', itemId: id, itemTitle: title, lang: 'en', field: 'link' }
  const answer = { url: finding.url, answer: '404', since: moment, checkedAt: moment }
  t.same(await links(), { links: [{ link: { ...shown, ...answer } }] })
})
