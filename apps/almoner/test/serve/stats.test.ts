import { systemClock } from '@almoner/adapters-node'
import { reportOf } from '@almoner/domain/operations'
import { dayOf, UTC } from '@almoner/domain/values'
import { done, sampleDevice, sampleFeedItem, sampleLibraryItem } from '@almoner/testkit/contracts'
import t from 'tap'
import { bar, statsText } from '../../src/commands/stats/text.ts'
import { makeCurrent, onStore } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'
import { READER, schedule, withDevices } from '../support/readers.ts'

const OUTCOMES = { delivered: 0, failed: 0, dead: 0, skipped: 0 }

t.test('stats: content by state and language, devices by kind, deliveries by day', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 2)
  await onStore(folder, async ({ libraryItems, feedItems, devices }) => {
    await done(libraryItems.add({ item: sampleLibraryItem(1, { lang: 'fr' }), linksToImages: [] }))
    await done(feedItems.add({ item: sampleFeedItem(1, { lang: 'en' }), linksToImages: [] }))
    await done(devices.attach(sampleDevice(7, { email: READER, kind: 'unroutable' })))
  })
  await schedule(folder, 1)
  const before = dayOf(systemClock.now(), UTC)
  t.equal((await inFolder(folder, ['notification', 'review'])).code, 0)

  const { code, out, err } = await inFolder(folder, ['stats', '--json'])
  t.strictSame([code, err], [0, ''])
  const { items, devices, deliveries } = JSON.parse(out)
  t.equal(items.length, 12)
  t.strictSame(
    items.filter(({ count }: { readonly count: number }) => count > 0),
    [
      { contentType: 'library', status: 'Draft', lang: 'fr', count: 1 },
      { contentType: 'feed', status: 'Draft', lang: 'en', count: 1 },
    ],
  )
  t.strictSame(devices, [
    { kind: 'fcm', count: 2 },
    { kind: 'apns', count: 0 },
    { kind: 'webpush', count: 0 },
    { kind: 'unroutable', count: 1 },
  ])
  t.equal(deliveries.timeZone, 'UTC')
  t.equal(deliveries.days.length, 30)
  t.strictSame(deliveries.total, { ...OUTCOMES, delivered: 2, failed: 1 })
  const [sent] = deliveries.days.filter(({ delivered }: typeof OUTCOMES) => delivered > 0)
  t.ok([before, dayOf(systemClock.now(), UTC)].includes(sent.day))
  t.match(sent, { delivered: 2, failed: 1, dead: 0, skipped: 0 })
})

t.test('stats: shows on a terminal that it counts; in a pipe it shows nothing', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const [watched, piped] = [await inFolder(folder, ['stats'], true), await inFolder(folder, ['stats'])]
  t.strictSame([piped.code, piped.err], [0, ''])
  t.equal(watched.err, '\rcounting\u001b[K\r\u001b[K')
  t.equal(watched.out, piped.out)
  t.notOk(piped.out.includes('\u001b'), 'no colours')
  t.match(piped.out, /^ITEMS +DRAFT +LIVE +ARCHIVED +ALL\nlibrary, en +0 +0 +0 +0\n/)
  t.match(piped.out, /^0 devices were done in 30 days, counted in UTC\.$/m)
})

t.test('stats: no line is wider than 80 columns, and the longest bar fills them', async (t) => {
  const day = { day: dayOf(systemClock.now(), UTC), begins: systemClock.now() }
  const many = 123_456_789
  const tallies = [many, many / 3, 1, 0].map((delivered) => ({ ...OUTCOMES, delivered, dead: 7 }))
  const survey = {
    items: [{ contentType: 'feed', status: 'Live', lang: 'en', count: 5_000_000 }],
    devices: [
      { kind: 'fcm', count: 4_000_000 },
      { kind: 'apns', count: 1_000_000 },
    ],
    deliveries: tallies,
  } as const
  const text = statsText(reportOf(survey, [day, day, day, day], UTC))
  const lines = text.split('\n')
  t.equal(Math.max(...lines.map((line) => line.length)), 80)
  t.match(text, /^feed, en +0 +5,000,000 +0 +5,000,000$/m)
  t.match(text, /^fcm +4,000,000 {2}█{57}$/m)
  t.match(text, /^apns +1,000,000 {2}█{14}▎$/m)
  t.match(text, /^all +164,609,053 +0 +28 +0$/m)
})

t.test('a bar is proportional to its share, in eighths; a value above zero is always visible', async (t) => {
  t.strictSame(
    [0, 1, 500, 1000].map((count) => bar(count, 1000, 10)),
    ['', '▏', '█████', '██████████'],
  )
  t.equal(bar(1, 16, 10), '▋')
})
