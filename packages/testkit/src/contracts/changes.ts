import { type Aspect, CHANGE_KINDS, type ChangePlace, type StoredChange } from '@almoner/domain/changes'
import {
  carryOutLibrary,
  type FeedItem,
  type Label,
  type LibraryItem,
  leadsOf,
  NEVER_SHOWN,
} from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { linked } from '@almoner/domain/media'
import { EMPTY_PORTFOLIO } from '@almoner/domain/portfolio'
import type { ChangesQuery, ItemWrite } from '@almoner/domain/ports'
import { addMillis, type ItemId, type LabelId, type WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import {
  done,
  failure,
  SAMPLE_MOMENT as NOW,
  sampleDay,
  sampleFeedItem,
  sampleId,
  sampleImage,
  sampleLibraryItem,
} from './samples.ts'

/** A store for one test. */
export type ChangesUnderTest = UnderTest<
  'changes' | 'libraryItems' | 'feedItems' | 'labels' | 'portfolio' | 'knownImages'
>

const label = (id: string, en = `Topic ${id}`): Label => ({
  labelId: id as LabelId,
  ...({ en, fr: `Sujet ${id}` } as Pick<Label, 'en' | 'fr'>),
})

const [WATER, HEALTH, SCHOOL] = [label('water'), label('health'), label('school')]

const IMAGE = O.some(linked('https://example.org/a.png' as WebUrl))
const IMAGES = { cover: IMAGE, notification: IMAGE }

const ALL: ReadonlyArray<Aspect> = ['own', 'labels', 'images']

/** Returns all changes behind a position, read in steps of a few. */
const changesBehind = async (
  { changes }: Pick<ChangesUnderTest, 'changes'>,
  position: number,
  { aspects = ALL, kinds = CHANGE_KINDS, most = 3 }: Partial<ChangesQuery> = {},
): Promise<ReadonlyArray<StoredChange>> => {
  const all: Array<StoredChange> = []
  for (let place: O.Option<ChangePlace> = O.none; ; ) {
    const read = await done(changes.after({ position, place, kinds, aspects, most }))
    all.push(...read.changes)
    if (read.changes.length < most) return all
    place = O.fromNullable(read.changes.at(-1))
  }
}

const nameOf = ({ kind, id, aspect }: ChangePlace): string => `${kind} ${id} ${aspect}`

/** Returns the names of what some work changed, in order. */
const changedBy = async (under: ChangesUnderTest, work: () => Promise<unknown>) => {
  const { position } = await done(under.changes.tip())
  await work()
  return (await changesBehind(under, position)).map(nameOf)
}

/** Adds a publication that is as given. */
const add = async ({ libraryItems }: ChangesUnderTest, n: number, over: Partial<LibraryItem> = {}) => {
  const item = { ...sampleLibraryItem(n, { images: IMAGES }), ...over } as ReturnType<
    typeof sampleLibraryItem
  >
  await done(libraryItems.add({ item, linksToImages: [] }))
  return item.id
}

const plain = <Item>(item: Item): ItemWrite<Item> => ({
  ...{ item, storesImages: [], displaysImages: [], linksToImages: [] },
})

const edit = ({ libraryItems }: ChangesUnderTest, id: ItemId, over: Partial<LibraryItem>) =>
  done(libraryItems.change(id, (current) => E.right(plain({ ...current, ...over } as LibraryItem))))

const editFeed = ({ feedItems }: ChangesUnderTest, id: ItemId, over: Partial<FeedItem>) =>
  done(feedItems.change(id, (current) => E.right(plain({ ...current, ...over } as FeedItem))))

const own = (contentType: ContentType, ...ns: ReadonlyArray<number>) =>
  ns.map((n) => `${contentType} ${sampleId(n)} own`)

const labelNames = (...labels: ReadonlyArray<Label>) => labels.map(({ labelId }) => `label ${labelId} own`)

const leadsIn = (changes: ReadonlyArray<StoredChange>) =>
  changes.flatMap((change) => ('leads' in change ? [change.leads] : []))

/** Contract tests of `Changes`, and of the ports whose writes it has to know of (N1, N2). */
export const changesContract = (runner: ContractRunner, make: () => Promise<ChangesUnderTest>): void => {
  const given = onEach(runner, make)

  given('N2: each write of an item puts it behind all others, once', async (check, under) => {
    const created = await changedBy(under, async () => {
      for (const n of [3, 1, 2]) await add(under, n)
      await done(under.feedItems.add({ item: sampleFeedItem(4), linksToImages: [] }))
    })
    check.same(created, [...own('library', 3, 1, 2), ...own('feed', 4)])
    const { position } = await done(under.changes.tip())
    const again = await changedBy(under, async () => {
      await edit(under, sampleId(3), { revision: 2 })
      await editFeed(under, sampleId(4), { revision: 2 })
      await edit(under, sampleId(1), { revision: 2 })
      await edit(under, sampleId(3), { revision: 3 })
    })
    check.same(again, [...own('feed', 4), ...own('library', 1, 3)])
    const [, , third] = await changesBehind(under, position)
    check.same(third?.kind === 'library' && O.toUndefined(third.state)?.revision, 3)
    check.same((await changesBehind(under, -1)).map(nameOf).length, 4, 'a thing has one place')
  })

  given('N2: a write that is rejected changes nothing', async (check, under) => {
    await add(under, 1)
    const { tip } = under.changes
    const before = await done(tip())
    const rejected = under.libraryItems.change(sampleId(1), () => E.left({ _tag: 'Refused' as const }))
    check.same(await failure(rejected), 'Refused')
    check.same(await failure(under.labels.attach('library', sampleId(1), WATER.labelId)), 'LabelNotFound')
    check.same(await done(tip()), before)
  })

  given('C15, N2: moments of schedules are changes', async (check, under) => {
    const due = { publishAt: O.some(addMillis(NOW, -1)) }
    for (const n of [1, 2]) await add(under, n, due)
    const changed = await changedBy(under, () =>
      done(under.libraryItems.carryOut([sampleId(2), sampleId(1)], carryOutLibrary(NOW))),
    )
    check.same(new Set(changed), new Set(own('library', 1, 2)))
    const archived = { archiveAt: O.some(addMillis(NOW, -1)) }
    await edit(under, sampleId(1), archived)
    const { position } = await done(under.changes.tip())
    await done(under.libraryItems.carryOut([sampleId(1)], carryOutLibrary(NOW)))
    check.ok(O.isSome(leadsIn(await changesBehind(under, position))[0]?.user ?? O.none), 'it was shown')
  })

  given('N2: a place remembers who could once see an item', async (check, under) => {
    const at = (n: number) => addMillis(NOW, n * 86_400_000)
    const leadsAfter = async (over: Partial<LibraryItem>) => {
      const { position } = await done(under.changes.tip())
      await edit(under, sampleId(1), over)
      return leadsIn(await changesBehind(under, position))[0]
    }
    const publicationDate = sampleDay(500)
    await add(under, 1, { publicationDate })
    const item = (over: object) =>
      ({ status: 'Live', isDonorRestricted: false, publicationDate, ...over }) as const
    check.same(await leadsAfter({ status: 'Live', isDonorRestricted: true, updatedAt: at(1) }), NEVER_SHOWN)
    const donors = leadsOf(item({ isDonorRestricted: true }), at(2))
    check.same(await leadsAfter({ isDonorRestricted: false, updatedAt: at(2) }), donors)
    check.same(donors.user, O.none)
    const all = leadsOf(item({}), at(3))
    check.same(await leadsAfter({ isDonorRestricted: true, updatedAt: at(3) }), all)
    const later = { user: all.user, donor: leadsOf(item({}), at(4)).donor }
    check.same(await leadsAfter({ status: 'Archived', updatedAt: at(4) }), later)
    check.same(await leadsAfter({ status: 'Draft', updatedAt: at(9) }), later, 'it stays')
    check.same(await leadsAfter({ status: 'Live', publicationDate: sampleDay(900), updatedAt: at(9) }), later)
    check.same(await leadsAfter({ status: 'Draft', updatedAt: at(9) }), later, 'the least lead stays')
    await done(under.feedItems.add({ item: sampleFeedItem(2), linksToImages: [] }))
    await editFeed(under, sampleId(2), { status: 'Live' })
    const { position } = await done(under.changes.tip())
    await editFeed(under, sampleId(2), { status: 'Archived' })
    const [feed] = leadsIn(await changesBehind(under, position))
    check.ok(feed !== undefined && O.isSome(feed.user) && feed.user.value < 0, 'posts have no embargo')
  })

  given('N1: attaching and detaching a label changes the labels of an item alone', async (check, under) => {
    await done(under.labels.replaceAll([WATER, HEALTH]))
    await add(under, 1)
    await done(under.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
    const { labels } = under
    for (const kind of ['library', 'feed'] as const) {
      const named = [`${kind} ${sampleId(1)} labels`]
      const attach = () => done(labels.attach(kind, sampleId(1), WATER.labelId))
      const detach = () => done(labels.detach(kind, sampleId(1), WATER.labelId))
      check.same(await changedBy(under, attach), named)
      check.same(await changedBy(under, attach), [], 'twice is once (E2)')
      check.same(await changedBy(under, detach), named)
    }
    const { position } = await done(under.changes.tip())
    await done(labels.attach('library', sampleId(1), WATER.labelId))
    check.same(await changesBehind(under, position, { aspects: ['own', 'images'] }), [])
    check.same(await changesBehind(under, position, { kinds: ['feed', 'label', 'portfolio'] }), [])
  })

  given(
    'E1, N1: a load of labels changes those from the first new one on, in order',
    async (check, under) => {
      const load = (...labels: ReadonlyArray<Label>) =>
        changedBy(under, () => done(under.labels.replaceAll(labels)))
      check.same(await load(WATER, HEALTH, SCHOOL), labelNames(WATER, HEALTH, SCHOOL))
      check.same(await load(WATER, HEALTH, SCHOOL), [], 'the same again')
      check.same(await load(WATER, HEALTH, SCHOOL, label('new')), labelNames(label('new')))
      const renamed = label('health', 'Hygiene')
      const expected = labelNames(renamed, SCHOOL, label('new'))
      check.same(await load(WATER, renamed, SCHOOL, label('new')), expected)
      check.same(await load(WATER, renamed, SCHOOL), labelNames(label('new')), 'one was removed')
      const [gone] = (await changesBehind(under, -1)).filter(({ id }) => id === 'new')
      check.same(gone?.kind === 'label' && gone.state, O.none)
      check.same(await load(SCHOOL, WATER, renamed), labelNames(SCHOOL, WATER, renamed), 'another order')
      const inOrder = (await changesBehind(under, -1, { kinds: ['label'] })).filter(({ id }) => id !== 'new')
      check.same(inOrder.map(nameOf), labelNames(SCHOOL, WATER, renamed))
    },
  )

  given('E1, N2: a label with new names changes the items that have it', async (check, under) => {
    const { labels } = under
    await done(labels.replaceAll([WATER, HEALTH, SCHOOL]))
    for (const n of [1, 2, 3]) await add(under, n)
    await done(under.feedItems.add({ item: sampleFeedItem(4), linksToImages: [] }))
    for (const n of [2, 3]) await done(labels.attach('library', sampleId(n), HEALTH.labelId))
    await done(labels.attach('library', sampleId(1), WATER.labelId))
    await done(labels.attach('feed', sampleId(4), HEALTH.labelId))
    const changed = await changedBy(under, () =>
      done(labels.replaceAll([WATER, label('health', 'Hygiene'), SCHOOL])),
    )
    const itemsOf = (names: ReadonlyArray<string>) => names.filter((name) => name.endsWith('labels')).sort()
    const carrying = [
      `feed ${sampleId(4)} labels`,
      `library ${sampleId(2)} labels`,
      `library ${sampleId(3)} labels`,
    ]
    check.same(itemsOf(changed), carrying)
    const reordered = await changedBy(under, () =>
      done(labels.replaceAll([SCHOOL, label('health', 'Hygiene'), WATER])),
    )
    check.same(itemsOf(reordered), [...carrying, `library ${sampleId(1)} labels`].sort(), 'another order')
  })

  given('D9, N2: the size of an image found later changes the items that show it', async (check, under) => {
    const { size: _, ...image } = sampleImage(1)
    for (const n of [1, 2]) await add(under, n)
    const shown = {
      ...plain(sampleLibraryItem(1, { revision: 2 })),
      storesImages: [image],
      displaysImages: [image.name],
    }
    await done(under.libraryItems.change(sampleId(1), () => E.right(shown)))
    const changed = await changedBy(under, () =>
      done(under.knownImages.recordSize(image.name, O.some({ width: 3, height: 4 }))),
    )
    check.same(changed, [`library ${sampleId(1)} images`])
  })

  given('H1, N1: another portfolio is one change, the same one is none', async (check, under) => {
    const load = (name: string) =>
      changedBy(under, () => done(under.portfolio.replace({ ...EMPTY_PORTFOLIO, name })))
    check.same(await load('One'), ['portfolio  own'])
    check.same(await load('One'), [])
    const { portfolio } = under
    const before = await done(portfolio.content())
    const reviewed = () => done(portfolio.replaceReviewed({ before, content: { ...before, name: 'Two' } }))
    check.same(await changedBy(under, reviewed), ['portfolio  own'])
  })

  given('N2: places are walked in steps of any size, while others change', async (check, under) => {
    for (let n = 0; n < 25; n += 1) await add(under, n)
    for (const most of [1, 7, 25, 26, 1000]) {
      const all = await changesBehind(under, -1, { most })
      check.same(all.map(nameOf), own('library', ...Array.from({ length: 25 }, (_, n) => n)))
    }
    const query = { kinds: CHANGE_KINDS, aspects: ALL, most: 10 }
    const first = await done(under.changes.after({ ...query, position: -1, place: O.none }))
    const moved = [first.changes[3], first.changes[9]].flatMap((one) => one ?? [])
    for (const { id } of [...moved, { id: sampleId(20) }]) await edit(under, id as ItemId, { revision: 2 })
    const place = O.fromNullable(first.changes.at(-1))
    const rest = await done(under.changes.after({ ...query, position: 0, place, most: 100 }))
    const left = Array.from({ length: 15 }, (_, n) => n + 10).filter((n) => n !== 20)
    check.same(rest.changes.map(nameOf), own('library', ...left, 3, 9, 20))
    check.same(rest.tip, await done(under.changes.tip()))
    for (const held of [rest.tip, { ...rest.tip, position: 0 }, { ...rest.tip, epoch: 'another' }])
      check.same(await done(under.changes.tip(held)), rest.tip, 'for any copy')
    check.same(rest.changes.at(-1)?.position, rest.tip.position, 'the tip is the last position')
  })

  given('N2: of many writes at once none is missed by a reader', async (check, under) => {
    for (let n = 0; n < 12; n += 1) await add(under, n)
    const seen = new Map<string, number>()
    let position = (await done(under.changes.tip())).position
    const read = async () => {
      const found = await done(
        under.changes.after({ position, place: O.none, kinds: CHANGE_KINDS, aspects: ALL, most: 1000 }),
      )
      for (const change of found.changes)
        if (change.kind === 'library' && O.isSome(change.state))
          seen.set(change.id, Math.max(seen.get(change.id) ?? 0, change.state.value.revision))
      position = Math.max(position, found.tip.position)
      return found.tip.latest > found.tip.position
    }
    const bump = (n: number) =>
      done(
        under.libraryItems.change(sampleId(n), (current) =>
          E.right(plain({ ...current, revision: current.revision + 1 } as LibraryItem)),
        ),
      )
    const rounds = Array.from({ length: 60 }, (_, at) =>
      Promise.all([bump(at % 12), bump((at * 7) % 12), read()]),
    )
    await Promise.all(rounds)
    for (let isBehind = true; isBehind; ) isBehind = await read()
    for (let n = 0; n < 12; n += 1) {
      const now = O.toUndefined(await done(under.libraryItems.find(sampleId(n))))
      check.same(seen.get(sampleId(n)), now?.revision, `item ${n}`)
    }
  })

  given('K3: what was deleted long ago is forgotten, but for the last position', async (check, under) => {
    const act = { actor: { kind: 'command', id: 'labels load' }, action: 'load-labels', at: NOW } as const
    await done(under.labels.replaceAll([WATER, HEALTH, SCHOOL], act))
    await done(under.labels.replaceAll([WATER, HEALTH], act))
    const { purge, tip, endOf } = under.changes
    const last = await done(tip())
    check.same(await done(purge(addMillis(NOW, -1))), 0, 'not long enough')
    await add(under, 1)
    await done(under.labels.replaceAll([WATER], { ...act, at: addMillis(NOW, 5) }))
    check.same(await done(purge(NOW)), 1)
    check.same(await done(purge(NOW)), 0)
    const names = (await changesBehind(under, -1)).map(nameOf)
    check.same(names, [...labelNames(WATER), ...own('library', 1), ...labelNames(HEALTH)])
    const now = await done(tip())
    check.same(now.epoch, last.epoch)
    check.ok(now.position > last.position)
    check.same(await done(endOf('never')), O.none)
  })
}
