import { collect } from '@almoner/domain/values'
import { done, failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { fieldsOf, read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import {
  BASE_URL,
  BROKEN,
  donor,
  everythingIn,
  type Fixture,
  IMAGE,
  libraryDraft,
  libraryImage,
  libraryLive,
  libraryUpdate,
  manager,
  newFixture,
  user,
} from './fixtures/fixture.ts'

const ANY: domain.Precondition = O.none
const UNKNOWN = 'unknown' as domain.ItemId

const revisions = (...expected: ReadonlyArray<number>): domain.Precondition => O.some(new Set(expected))

const update = ({ act }: Fixture, id: string, over: domain.RawParameters = {}, expected = ANY) =>
  act.updateLibraryItem(manager, libraryUpdate(id, over), expected)

const listed = async ({ act }: Fixture, caller: domain.Caller, raw: domain.RawParameters = {}) => {
  const { batches, next } = await done(act.listLibraryItems(caller, read(domain.ListLibraryItems, raw)))
  return { items: await collect({ batches, next }), next }
}

const addressOf = (image: O.Option<domain.ImageRef>): string =>
  O.isSome(image) ? domain.addressOf(domain.mediaAddressesBelow(BASE_URL))(image.value) : ''

t.test('every new post is Draft; B9: public and in English by default', async (t) => {
  const fixture = newFixture()
  const made = await libraryDraft(fixture, { status: 'Live', itemId: 'mine' })
  t.match(made, { status: 'Draft', isDonorRestricted: false, lang: 'en', revision: 1 })
  t.same([made.createdAt, made.updatedAt], [fixture.clock.now(), fixture.clock.now()])
  t.not(made.id, 'mine', 'B2: an itemId in the request is ignored')
  t.match(await libraryDraft(fixture, { isDonorRestricted: '', lang: 'FR' }), {
    isDonorRestricted: true,
    lang: 'fr',
  })
  t.equal((await everythingIn(fixture)).library.length, 2)
})

t.test(
  'the item becomes visible to users with the transition to Live, and hidden again with the next one',
  async (t) => {
    const fixture = newFixture()
    const item = await libraryLive(fixture)
    t.same((await listed(fixture, user)).items, [item])
    const draft = await done(update(fixture, item.id))
    t.same((await listed(fixture, user)).items, [])
    t.same((await listed(fixture, manager)).items, [draft])
  },
)

t.test('C6: uploaded images count; without them each missing one is named and nothing changes', async (t) => {
  const fixture = newFixture()
  const { id } = await libraryDraft(fixture)
  await libraryImage(fixture, id, 'cover')
  const before = await everythingIn(fixture)
  const refused = await update(fixture, id, { status: 'Live' })()
  t.match(refused, E.left({ _tag: 'ValidationFailed', errors: [{ field: 'notificationImgUrl' }] }))
  t.same(await everythingIn(fixture), before)
  await libraryImage(fixture, id, 'notification')
  t.match(await done(update(fixture, id, { status: 'Live' })), {
    status: 'Live',
    publicationDate: '2026-01-01',
  })
  t.match(await update(fixture, id, { status: 'Archived' })(), E.right({ status: 'Archived' }))
  t.equal(await failure(update(fixture, id, { status: 'Live' })), 'IllegalTransition', 'C5')
})

t.test('C6, B8: an omitted date is today in the time zone of the service', async (t) => {
  for (const [zone, today] of [
    ['Pacific/Kiritimati', '2026-01-02'],
    ['America/New_York', '2026-01-01'],
  ] as const) {
    const fixture = newFixture({ timeZone: read(domain.TimeZone, zone) })
    fixture.clock.set(domain.instant(Date.UTC(2026, 0, 1, 12)))
    const { id, publicationDate } = await libraryDraft(fixture)
    t.match(await done(update(fixture, id)), { publicationDate })
    t.match(await done(update(fixture, id, { status: 'Archived' })), { publicationDate: today })
  }
})

t.test(
  'C9: under an embargo a Live item is hidden until its day, in the time zone of the service',
  async (t) => {
    const fixture = newFixture({ embargo: true, timeZone: read(domain.TimeZone, 'America/New_York') })
    const item = await libraryLive(fixture, { itemPublicationDate: '2026-01-02' })
    fixture.clock.set(domain.instant(Date.UTC(2026, 0, 2, 4, 59)))
    t.same((await listed(fixture, donor)).items, [])
    t.same((await listed(fixture, manager)).items, [item])
    fixture.clock.set(domain.instant(Date.UTC(2026, 0, 2, 5)))
    t.same((await listed(fixture, user)).items, [item])
  },
)

t.test('C9: without the setting a Live item is visible with any date', async (t) => {
  const fixture = newFixture()
  const item = await libraryLive(fixture, { itemPublicationDate: '2026-01-02' })
  t.same((await listed(fixture, user)).items, [item])
})

t.test('C4: a hidden item and a missing one give the same response in the same steps', async (t) => {
  const steps: Array<string> = []
  const fixture = newFixture({}, ({ libraryItems }) => ({
    libraryItems: {
      ...libraryItems,
      find: (id) => {
        steps.push('find')
        return libraryItems.find(id)
      },
    },
  }))
  const hidden = await libraryDraft(fixture)
  const restricted = await libraryLive(fixture, { isDonorRestricted: '1' })
  const answer = async (itemId: string, raw: domain.RawParameters = {}) => {
    steps.length = 0
    return { ...(await listed(fixture, user, { itemId, ...raw })), steps: [...steps] }
  }
  for (const raw of [{}, { lim: '1' }, { lim: '5', offset: '1' }, { lang: 'fr' }]) {
    const unknown = await answer('unknown', raw)
    t.same(unknown, { items: [], next: O.none, steps: ['find'] })
    for (const { id } of [hidden, restricted]) t.same(await answer(id, raw), unknown)
  }
  t.same((await listed(fixture, donor, { itemId: restricted.id })).items, [restricted])
  t.same((await listed(fixture, donor, { itemId: restricted.id, lang: 'fr' })).items, [])
  t.same((await listed(fixture, donor, { itemId: restricted.id, lim: '1', offset: '1' })).items, [])
})

t.test(
  'C10: a write with an outdated ETag changes nothing; one with a current ETag, or without one, is made',
  async (t) => {
    const fixture = newFixture()
    const { id } = await libraryDraft(fixture)
    await libraryImage(fixture, id)
    const before = await everythingIn(fixture)
    const cover = { itemId: id, image: 'cover' } as const
    const stale = (expected: domain.Precondition) => [
      update(fixture, id, {}, expected),
      fixture.act.uploadLibraryImage(manager, cover, IMAGE, expected),
      fixture.act.removeLibraryImage(manager, cover, expected),
    ]
    for (const write of [...stale(revisions(1)), ...stale(revisions()), ...stale(revisions(1, 3))])
      t.equal(await failure<unknown>(write), 'PreconditionFailed')
    t.same(await everythingIn(fixture), before)
    t.match(await done(update(fixture, id, {}, revisions(1, 2))), { revision: 3 })
    t.match(await done(update(fixture, id)), { revision: 4 })
  },
)

t.test('C4, C10: an unknown item is not found, before any precondition is checked', async (t) => {
  const fixture = newFixture()
  const cover = { itemId: UNKNOWN, image: 'cover' } as const
  for (const expected of [ANY, revisions(7)]) {
    t.equal(await failure(update(fixture, UNKNOWN, {}, expected)), 'ItemNotFound')
    t.equal(await failure(fixture.act.uploadLibraryImage(manager, cover, IMAGE, expected)), 'ItemNotFound')
    t.equal(await failure(fixture.act.removeLibraryImage(manager, cover, expected)), 'ItemNotFound')
  }
  t.same(fixture.files(), [])
})

t.test(
  'D1: a rejected image changes nothing, and no image is checked for an item that cannot accept it',
  async (t) => {
    const rules: Array<domain.ImageRule> = []
    const fixture = newFixture({}, ({ imageChecker }) => ({
      imageChecker: {
        check: (bytes, rule) => {
          rules.push(rule)
          return imageChecker.check(bytes, rule)
        },
      },
    }))
    const { id } = await libraryDraft(fixture)
    const before = await everythingIn(fixture)
    const upload = (itemId: domain.ItemId, bytes: Uint8Array, expected = ANY) =>
      failure(fixture.act.uploadLibraryImage(manager, { itemId, image: 'cover' }, bytes, expected))
    t.same(
      [await upload(UNKNOWN, IMAGE), await upload(id, IMAGE, revisions(9))],
      ['ItemNotFound', 'PreconditionFailed'],
    )
    t.same(rules, [])
    t.equal(await upload(id, BROKEN), 'BrokenImage')
    t.same(rules, [domain.LIBRARY_IMAGE])
    t.same(await everythingIn(fixture), before)
  },
)

t.test(
  'D3: an upload sets the named image, a removal clears it; removing a missing one is not found',
  async (t) => {
    const fixture = newFixture()
    const { id } = await libraryDraft(fixture)
    for (const image of domain.LIBRARY_IMAGES) {
      const remove = () => fixture.act.removeLibraryImage(manager, { itemId: id, image }, ANY)
      const shown = await libraryImage(fixture, id, image)
      t.same(
        fixture.files().map((name) => O.some(domain.stored(name))),
        [shown.images[image]],
      )
      t.match(await done(remove()), { images: { cover: O.none, notification: O.none } })
      t.same(fixture.files(), [], 'D5: the file is deleted')
      t.equal(await failure(remove()), 'ImageNotFound')
    }
  },
)

t.test('C8: an image of a Live item cannot be removed, but can be replaced', async (t) => {
  const fixture = newFixture()
  const { id } = await libraryLive(fixture)
  for (const image of domain.LIBRARY_IMAGES)
    t.equal(await failure(fixture.act.removeLibraryImage(manager, { itemId: id, image }, ANY)), 'ImageNeeded')
  await libraryImage(fixture, id)
  const first = fixture.files()
  t.match(await libraryImage(fixture, id), { status: 'Live' })
  t.equal(fixture.files().length, 1)
  t.notSame(fixture.files(), first, 'D5: the replaced file is deleted')
})

t.test('D5: a file is deleted with the update that replaces or clears the image', async (t) => {
  for (const coverImgUrl of ['', 'https://example.org/other.png']) {
    const fixture = newFixture()
    const { id, images } = await libraryImage(fixture, (await libraryDraft(fixture)).id)
    await done(update(fixture, id, { coverImgUrl: addressOf(images.cover) }))
    await done(update(fixture, id))
    t.equal(fixture.files().length, 1, 'kept while the update points to it or omits it')
    await done(update(fixture, id, { coverImgUrl }))
    t.same(fixture.files(), [])
  }
})

t.test('D5: an image is kept while another item, or another field of this one, uses its URL', async (t) => {
  const fixture = newFixture()
  const owner = await libraryImage(fixture, (await libraryDraft(fixture)).id)
  const shared = addressOf(owner.images.cover)
  const both = await done(update(fixture, owner.id, { notificationImgUrl: shared }))
  t.same(both.images.cover, both.images.notification)
  const showing = await libraryDraft(fixture)
  await done(update(fixture, showing.id, { coverImgUrl: shared }))
  const linking = await libraryDraft(fixture, { link: shared })
  for (const { id, over } of [
    { id: owner.id, over: { coverImgUrl: '' } },
    { id: owner.id, over: { notificationImgUrl: '' } },
    { id: showing.id, over: { coverImgUrl: '' } },
  ]) {
    await done(update(fixture, id, over))
    t.equal(fixture.files().length, 1)
  }
  await done(update(fixture, linking.id))
  t.same(fixture.files(), [], 'the last reference is gone')
})

t.test('D5: if the write fails, the file stored for it is deleted', async (t) => {
  const fixture = newFixture({}, ({ libraryItems }) => ({
    libraryItems: { ...libraryItems, change: () => TE.left(domain.unavailable('down')) },
  }))
  const { id } = await libraryDraft(fixture)
  const upload = fixture.act.uploadLibraryImage(manager, { itemId: id, image: 'cover' }, IMAGE, ANY)
  t.equal(await failure(upload), 'Unavailable')
  t.same(fixture.files(), [])
})

t.test('I5: while the outcome of a write is unknown, the file stored for it stays', async (t) => {
  const fixture = newFixture({}, ({ libraryItems }) => ({
    libraryItems: {
      ...libraryItems,
      change: (id, decide) =>
        pipe(
          libraryItems.change(id, decide),
          TE.flatMap(() => TE.left(domain.outcomeUnknown('cut off'))),
        ),
    },
  }))
  const { id } = await libraryDraft(fixture)
  const upload = fixture.act.uploadLibraryImage(manager, { itemId: id, image: 'cover' }, IMAGE, ANY)
  t.equal(await failure(upload), 'OutcomeUnknown')
  t.equal(fixture.files().length, 1, 'the item may display it')
})

t.test('D5: if a file cannot be stored, nothing changes', async (t) => {
  const fixture = newFixture({}, ({ mediaStore }) => ({
    mediaStore: { ...mediaStore, put: () => TE.left(domain.unavailable('full')) },
  }))
  const { id } = await libraryDraft(fixture)
  const before = await everythingIn(fixture)
  const upload = fixture.act.uploadLibraryImage(manager, { itemId: id, image: 'cover' }, IMAGE, ANY)
  t.equal(await failure(upload), 'Unavailable')
  t.same(await everythingIn(fixture), before)
})

t.test(
  'C10, D5: if an item changes while its image is checked, the upload fails and its file is deleted',
  async (t) => {
    let meanwhile = async () => {}
    const fixture = newFixture({}, ({ imageChecker }) => ({
      imageChecker: {
        check: (bytes, rule) => async () => {
          await meanwhile()
          return imageChecker.check(bytes, rule)()
        },
      },
    }))
    const { id } = await libraryDraft(fixture)
    meanwhile = async () => {
      await done(update(fixture, id))
    }
    const upload = fixture.act.uploadLibraryImage(
      manager,
      { itemId: id, image: 'cover' },
      IMAGE,
      revisions(1),
    )
    t.equal(await failure(upload), 'PreconditionFailed')
    t.same(fixture.files(), [])
  },
)

t.test('D5: a file that cannot be deleted does not fail the request; the sweep deletes it', async (t) => {
  let stuck = true
  const fixture = newFixture({}, ({ mediaStore }) => ({
    mediaStore: {
      ...mediaStore,
      remove: (name) => (stuck ? TE.left(domain.unavailable('stuck')) : mediaStore.remove(name)),
    },
  }))
  const { id } = await libraryImage(fixture, (await libraryDraft(fixture)).id)
  t.match(await done(update(fixture, id, { coverImgUrl: '' })), { images: { cover: O.none } })
  t.equal(fixture.files().length, 1)
  fixture.clock.advance(60 * domain.MINUTE)
  t.equal(await failure(fixture.act.sweepOrphans()), 'Unavailable')
  stuck = false
  t.equal(await done(fixture.act.sweepOrphans()), 1)
  t.same(fixture.files(), [])
})

t.test('D5: the sweep deletes unreferenced files after an hour of grace, and nothing else', async (t) => {
  const fixture = newFixture()
  const orphan = (n: number) => `orphan-of-a-crash-${n}.png` as domain.MediaName
  const put = (name: domain.MediaName) =>
    done(fixture.ports.mediaStore.put(name, { type: 'image/png', bytes: IMAGE }))
  await libraryImage(fixture, (await libraryDraft(fixture)).id)
  const known = fixture.files()
  await put(orphan(1))
  fixture.clock.advance(1)
  await put(orphan(2))
  fixture.clock.advance(60 * domain.MINUTE - 2)
  t.equal(await done(fixture.act.sweepOrphans()), 0, 'it may belong to a running upload')
  fixture.clock.advance(1)
  t.equal(await done(fixture.act.sweepOrphans()), 1)
  t.same(fixture.files(), [...known, orphan(2)])
  fixture.clock.advance(24 * 60 * domain.MINUTE)
  t.equal(await done(fixture.act.sweepOrphans()), 1)
  t.same(fixture.files(), known)
})

t.test('D5: a file that cannot be deleted does not stop the sweep', async (t) => {
  const stuck = 'orphan-that-is-stuck.png' as domain.MediaName
  const other = 'orphan-that-can-go-0.png' as domain.MediaName
  const fixture = newFixture({}, ({ mediaStore }) => ({
    mediaStore: {
      ...mediaStore,
      remove: (name) => (name === stuck ? TE.left(domain.unavailable('stuck')) : mediaStore.remove(name)),
    },
  }))
  for (const name of [stuck, other])
    await done(fixture.ports.mediaStore.put(name, { type: 'image/png', bytes: IMAGE }))
  fixture.clock.advance(60 * domain.MINUTE)
  t.equal(await failure(fixture.act.sweepOrphans()), 'Unavailable')
  t.same(fixture.files(), [stuck])
})

t.test('C6: our own URL of a missing image is an error of each field that has it', async (t) => {
  const fixture = newFixture()
  const { id, images } = await libraryImage(fixture, (await libraryDraft(fixture)).id)
  const before = await everythingIn(fixture)
  const gone = `${BASE_URL}/static/media/never-was-there-00.png`
  const held = addressOf(images.cover)
  const badFields = async (coverImgUrl: string, notificationImgUrl: string) => {
    const refused = await update(fixture, id, { coverImgUrl, notificationImgUrl })()
    return E.isLeft(refused) && refused.left._tag === 'ValidationFailed' ? fieldsOf(refused.left.errors) : []
  }
  t.same(await badFields(gone, held), ['coverImgUrl'])
  t.same(await badFields(held, gone), ['notificationImgUrl'])
  const other = gone.replace('00.png', '01.png')
  t.same(await badFields(gone, other), ['coverImgUrl', 'notificationImgUrl'], 'two missing images')
  t.same(await badFields(gone, gone), ['coverImgUrl', 'notificationImgUrl'])
  const portfolio = `${BASE_URL}/static/portfolio/visual/acme.0123456789abcdef.jpg`
  t.same(
    await badFields(portfolio, held),
    ['coverImgUrl'],
    'D5: it is deleted when the portfolio is replaced',
  )
  for (const elsewhere of ['https://example.org/a.png', ''])
    t.same(await badFields(gone, elsewhere), ['coverImgUrl'], 'C6: an image on another site, and none')
  const { coverImgUrl, notificationImgUrl } = { coverImgUrl: gone, notificationImgUrl: gone }
  for (const sent of [{ coverImgUrl }, { notificationImgUrl }]) {
    const refused = await update(fixture, id, sent)()
    const told = E.isLeft(refused) && refused.left._tag === 'ValidationFailed' ? refused.left.errors : []
    t.same(told, [{ field: Object.keys(sent)[0], message: 'names no image that was uploaded here' }])
  }
  t.same(await everythingIn(fixture), before)
  for (const link of [gone, portfolio])
    t.match(await update(fixture, id, { link })(), E.right({ link }), 'a link may lead anywhere')
})

t.test(
  'C6: an image that was deleted just before the write is an error if it was named, otherwise the write is repeated',
  async (t) => {
    let gone = ''
    const fixture = newFixture({}, ({ libraryItems }) => ({
      libraryItems: {
        ...libraryItems,
        change: (...given) =>
          gone === ''
            ? libraryItems.change(...given)
            : TE.left({ _tag: 'ImageMissing', name: gone as domain.MediaName }),
      },
    }))
    const { id, images } = await libraryImage(fixture, (await libraryDraft(fixture)).id)
    const [name = ''] = fixture.files()
    gone = name
    const named = await update(fixture, id, { coverImgUrl: addressOf(images.cover) })()
    t.match(named, E.left({ _tag: 'ValidationFailed', errors: [{ field: 'coverImgUrl' }] }))
    t.equal(await failure(update(fixture, id)), 'Unavailable', 'the item displayed it')
  },
)
