import assert from 'node:assert/strict'
import { done, sampleFeedItem, sampleLibraryItem } from '@almoner/testkit/contracts'
import { memoryPorts, setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import {
  carryOutFeed,
  carryOutLibrary,
  failedSchedules,
  makeRunSchedules,
  nextSchedule,
  SCHEDULABLE,
  SCHEDULE_PARTS,
  STATUSES,
  withSchedule,
} from '../src/content/index.ts'
import type { LibraryItem } from '../src/index.ts'
import { linked } from '../src/media/index.ts'
import type { Ports } from '../src/ports.ts'
import { fieldError, type ItemId, instant, type WebUrl } from '../src/values/index.ts'

const NOW = instant(1_000_000)
const moment = fc.integer({ min: 0, max: 6 }).map((n) => instant(NOW + (n - 3) * 1000))
const optional = fc.option(moment, { nil: undefined }).map(O.fromNullable)
const sent = fc.option(optional, { nil: undefined })
const address = 'https://example.org/a.png' as WebUrl
const image = O.some(linked(address))
const WHOLE = { cover: image, notification: image }
const BARE = { cover: O.none, notification: image }

const itemOf = (status: string, isWhole: boolean, publishAt: O.Option<number>, archiveAt: O.Option<number>) =>
  ({
    ...sampleLibraryItem(1),
    ...{ status, publishAt, archiveAt, images: isWhole ? WHOLE : BARE },
  }) as LibraryItem

const isSet = (one: O.Option<unknown> | undefined) => one !== undefined && O.isSome(one)

type Moments = Pick<LibraryItem, 'publishAt' | 'archiveAt'>

/** Returns the fields that an update must name, by the words of the rule. */
const faultsOf = (
  status: LibraryItem['status'],
  edit: {
    readonly publishAt: Moments['publishAt'] | undefined
    readonly archiveAt: Moments['archiveAt'] | undefined
  },
  merged: Moments,
  isWhole: boolean,
): ReadonlyArray<string> => {
  const sent = SCHEDULE_PARTS.filter((part) => isSet(edit[part]))
  if (status === 'Archived') return sent
  if (status === 'Live') return sent.filter((part) => part === 'publishAt')
  const [first = -1, second = Number.POSITIVE_INFINITY] = SCHEDULE_PARTS.map((part) =>
    O.toUndefined(merged[part]),
  )
  return [
    ...(sent.includes('publishAt') && !isWhole ? ['coverImgUrl'] : []),
    ...(first < second ? [] : [sent.includes('archiveAt') ? 'archiveAt' : 'publishAt']),
  ]
}

t.test('C15: an update leaves the schedule that its state may have, or names every fault', async () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...STATUSES),
      fc.record({ publishAt: optional, archiveAt: optional }),
      fc.record({ publishAt: sent, archiveAt: sent }),
      fc.boolean(),
      (status, held, edit, isWhole) => {
        const { publishAt = held.publishAt, archiveAt = held.archiveAt } = edit
        const merged = { publishAt, archiveAt }
        const item = itemOf(status, isWhole, publishAt, archiveAt)
        const lacking = () => (isWhole ? [] : [fieldError('coverImgUrl', 'is missing')])
        const faults = faultsOf(status, edit, merged, isWhole)
        const kept = (part: 'publishAt' | 'archiveAt') =>
          SCHEDULABLE[status].includes(part) ? merged[part] : O.none
        const result = withSchedule(item, edit, lacking)
        assert.deepEqual(
          E.isLeft(result) ? result.left.errors.map(({ field }) => field) : result.right,
          faults.length > 0
            ? faults
            : { ...item, publishAt: kept('publishAt'), archiveAt: kept('archiveAt') },
        )
        const tag = faults.includes('coverImgUrl') ? 'NotPublishable' : 'ScheduleConflict'
        assert.equal(E.isLeft(result) ? result.left._tag : tag, tag)
      },
    ),
  )
})

const isDue = (one: O.Option<number>) => O.isSome(one) && one.value <= NOW

/** Returns the moments that come, and the state after each, by the words of the rule. */
const expectedMoves = (item: LibraryItem, isWhole: boolean): ReadonlyArray<readonly [string, string]> => {
  const published = isDue(item.publishAt) ? ([['publishAt', isWhole ? 'Live' : 'Draft']] as const) : []
  // A failed publication clears the whole schedule.
  if (!isDue(item.archiveAt) || (published.length > 0 && !isWhole)) return published
  const isLive = item.status === 'Live' || published.length > 0
  return [...published, ['archiveAt', isLive ? 'Archived' : 'Draft']]
}

t.test('C15: the moments that have come change the state alone, once and in order', async () => {
  const scheduled = fc
    .tuple(fc.constantFrom('Draft', 'Live'), optional, optional, fc.boolean())
    .filter(([, first, second]) => O.isNone(first) || O.isNone(second) || first.value < second.value)
  fc.assert(
    fc.property(scheduled, ([status, first, archiveAt, isWhole]) => {
      const isLive = status === 'Live'
      const item = itemOf(status, isWhole || isLive, isLive ? O.none : first, archiveAt)
      const changes = carryOutLibrary(NOW)(item)
      assert.deepEqual(
        changes.map(({ part, item }) => [part, item.status]),
        expectedMoves(item, isWhole),
      )
      for (const [at, { item: after, missing, act }] of changes.entries()) {
        const { status, publishAt, archiveAt, images } = after
        const written = { revision: item.revision + at + 1, updatedAt: NOW }
        assert.deepEqual(after, { ...item, status, publishAt, archiveAt, images, ...written })
        assert.deepEqual(images, item.images)
        const isFailed = act.action === 'fail-schedule'
        assert.equal(missing.length > 0, isFailed)
        assert.ok(!isFailed || (O.isNone(publishAt) && O.isNone(archiveAt)))
      }
      assert.deepEqual(carryOutLibrary(NOW)(changes.at(-1)?.item ?? item), [], 'once')
    }),
  )
})

t.test('C7, C15: a post is published under the conditions of its type', async (t) => {
  const photo = { kind: 'photo', link: O.none, vlink: O.none, image: O.none } as const
  const scheduled = { publishAt: O.some(NOW) }
  const [bare] = carryOutFeed(NOW)(sampleFeedItem(1, { ...scheduled, content: photo }))
  t.match(bare, { item: { status: 'Draft' }, missing: [{ field: 'link' }] })
  const [whole] = carryOutFeed(NOW)(sampleFeedItem(1, scheduled))
  t.match(whole, { item: { status: 'Live', content: sampleFeedItem(1).content }, missing: [] })
})

const fill = async (
  { libraryItems, feedItems }: Pick<Ports, 'libraryItems' | 'feedItems'>,
  count: number,
) => {
  for (let n = 1; n <= count; n += 1) {
    const publishAt = O.some(instant(NOW - 1000 * (count - n)))
    const item = sampleLibraryItem(n, { publishAt, images: WHOLE })
    await done(libraryItems.add({ item, linksToImages: [] }))
    await done(feedItems.add({ item: sampleFeedItem(n, { publishAt }), linksToImages: [] }))
  }
}

t.test('C15: a run carries out all that is due, in the order of the moments', async (t) => {
  const ports = memoryPorts({ clock: setClock(NOW) })
  await fill(ports, 150)
  const later = sampleLibraryItem(500, { publishAt: O.some(instant(NOW + 1)), images: WHOLE })
  await done(ports.libraryItems.add({ item: later, linksToImages: [] }))
  const setAside = new Set<ItemId>()
  const runAll = makeRunSchedules(ports, setAside)
  t.match(await done(nextSchedule(ports, setAside)), { value: { at: NOW - 149_000 } })
  const { carriedOut, setAside: broken } = await done(runAll())
  t.equal(carriedOut.length, 300)
  t.strictSame(broken, [])
  for (const contentType of ['library', 'feed']) {
    const moments = carriedOut.filter((one) => one.contentType === contentType).map(({ at }) => at)
    t.strictSame(
      moments,
      moments.toSorted((a, b) => a - b),
      contentType,
    )
  }
  t.match(await done(nextSchedule(ports, setAside)), { value: { itemId: later.id, at: NOW + 1 } })
  t.strictSame(await done(runAll()), { carriedOut: [], setAside: [] })
  const [aborted] = [{ ...AbortSignal.abort(), aborted: true }]
  t.strictSame(await done(makeRunSchedules(ports)(aborted)), { carriedOut: [], setAside: [] })
})

t.test('C15: an item that cannot be written holds up no others, and is left out from then on', async (t) => {
  const ports = memoryPorts({ clock: setClock(NOW) })
  await fill(ports, 20)
  const broken = sampleLibraryItem(7).id
  const { libraryItems } = ports
  const transactions: Array<number> = []
  const faulty: Pick<Ports, 'libraryItems' | 'feedItems' | 'clock'> = {
    ...ports,
    libraryItems: {
      ...libraryItems,
      carryOut: (ids, decide) => {
        transactions.push(ids.length)
        if (ids.includes(broken)) throw new Error('the row is broken')
        return libraryItems.carryOut(ids, decide)
      },
    },
  }
  const left = new Set<ItemId>()
  const runAll = makeRunSchedules(faulty, left)
  const { carriedOut, setAside } = await done(runAll())
  t.equal(carriedOut.length, 39)
  t.match(setAside, [{ contentType: 'library', itemId: broken, cause: { message: 'the row is broken' } }])
  t.strictSame(transactions, [20, ...Array.from({ length: 20 }, () => 1)])
  t.strictSame(await done(nextSchedule(ports, left)), O.none, 'it does not wake the job again')
  t.strictSame(await done(runAll()), { carriedOut: [], setAside: [] })
  t.equal((await done(makeRunSchedules(ports)())).carriedOut.length, 1, 'another process tries it')
})

t.test('C15: schedules that failed are listed until something is done about them', async (t) => {
  const clock = setClock(NOW)
  const ports = memoryPorts({ clock })
  const item = sampleLibraryItem(1, { publishAt: O.some(NOW) })
  await done(ports.libraryItems.add({ item, linksToImages: [] }))
  await done(makeRunSchedules(ports)())
  const missing = ['coverImgUrl', 'notificationImgUrl']
  const failed = failedSchedules(ports)
  t.match(await done(failed), [
    { contentType: 'library', itemId: item.id, part: 'publishAt', at: NOW, missing },
  ])
  clock.set(instant(NOW + 15 * 86_400_000))
  t.strictSame(await done(failed), [], 'for two weeks')
})
