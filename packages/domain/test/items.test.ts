import assert from 'node:assert/strict'
import {
  sampleDay,
  sampleFeedItem,
  sampleId,
  sampleImage,
  sampleLibraryItem,
} from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { combinations } from './fixtures/combinations.ts'
import { fieldsOf, read, takenOf } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { BASE_URL, callerWith, donor, manager, user, withoutScopes } from './fixtures/fixture.ts'

const { editFeedItem, editLibraryItem, instant, linked, isVisible, visibilityOf, STATUSES, stored } = domain

const NOW = instant(Date.UTC(2026, 4, 1, 12))
const TODAY = '2026-05-01' as domain.LocalDate
const url = (path: string) => read(domain.WebUrl, `https://example.org/${path}`)
const some = <A>(value: A): O.Some<A> => ({ _tag: 'Some', value })
const COVER = linked(url('cover'))
const UPLOADED = sampleImage(1).name
const OTHER = stored(UPLOADED)

const libraryItem = (status: domain.Status, images: domain.MaybeImages): domain.LibraryItem =>
  // A Live item is created with both images only.
  ({ ...sampleLibraryItem(1), status, images }) as domain.LibraryItem

const bothImages = { cover: some(COVER), notification: some(COVER) }
const noImages = { cover: O.none, notification: O.none }

const libraryEdit = (status: domain.Status, over: Partial<domain.LibraryEdit> = {}): domain.LibraryEdit => ({
  isDonorRestricted: undefined,
  lang: undefined,
  title: read(domain.ItemTitle, 'New title'),
  description: read(domain.ItemDescription, 'New description'),
  link: url('new'),
  publicationDate: undefined,
  images: { cover: undefined, notification: undefined },
  status,
  ...over,
})

const editLibrary = (item: domain.LibraryItem, edit: domain.LibraryEdit) =>
  editLibraryItem(edit, NOW, TODAY)(item)

const photo = (link: O.Option<domain.WebUrl>, image: O.Option<domain.MediaName>): domain.FeedContent => ({
  kind: 'photo',
  link,
  vlink: O.none,
  image,
})

const feedItem = (status: domain.Status, content: domain.FeedContent): domain.FeedItem =>
  // A Live post is created only with content to display.
  ({ ...sampleFeedItem(1), status, content }) as domain.FeedItem

const feedEdit = (status: domain.Status, content: domain.SentContent): domain.FeedEdit => ({
  isDonorRestricted: undefined,
  lang: undefined,
  title: read(domain.ItemTitle, 'New title'),
  description: read(domain.ItemDescription, 'New description'),
  content,
  status,
})

const editFeed = (item: domain.FeedItem, status: domain.Status, content: domain.SentContent) =>
  editFeedItem(feedEdit(status, content), NOW)(item)

const faultsOf = (result: E.Either<domain.EditRefused, unknown>) =>
  E.isLeft(result) && result.left._tag === 'ValidationFailed' ? fieldsOf(result.left.errors) : []

/** The transitions of C5. */
const TRANSITIONS: Readonly<Record<domain.Status, ReadonlyArray<domain.Status>>> = {
  Draft: ['Live', 'Archived', 'Draft'],
  Live: ['Draft', 'Archived', 'Live'],
  Archived: ['Draft', 'Archived'],
}

t.test('C5: on both content types the listed transitions are allowed, and no others', async (t) => {
  for (const from of STATUSES)
    for (const to of STATUSES) {
      const made = TRANSITIONS[from].includes(to)
      const refused = E.left({ _tag: 'IllegalTransition', from, to })
      const library = editLibrary(libraryItem(from, bothImages), libraryEdit(to))
      const held = photo(some(url('photo')), O.none)
      const feed = editFeed(feedItem(from, held), to, { kind: 'photo', link: O.none, vlink: O.none })
      for (const edited of [library, feed])
        made ? t.match(edited, E.right({ status: to })) : t.same(edited, refused, `${from} to ${to}`)
    }
})

t.test('C5: an unlisted transition is rejected before any condition is checked', async (t) => {
  const edited = editLibrary(libraryItem('Archived', noImages), libraryEdit('Live'))
  t.match(edited, E.left({ _tag: 'IllegalTransition' }))
})

const HELD = [O.none, some(COVER)]
const SENT = [undefined, O.none, some(OTHER)]
const imageCases = combinations({
  cover: HELD,
  notification: HELD,
  newCover: SENT,
  newNotification: SENT,
}).map(({ cover, notification, newCover, newNotification }) => ({
  held: { cover, notification },
  images: { cover: newCover, notification: newNotification },
  after: { cover: newCover ?? cover, notification: newNotification ?? notification },
}))

const isWhole = (images: domain.MaybeImages) => O.isSome(images.cover) && O.isSome(images.notification)

t.test('C6: an image in the request counts, otherwise the stored one', async (t) => {
  const edits = imageCases.flatMap(({ held, images, after }) =>
    STATUSES.filter((from) => from !== 'Live' || isWhole(held)).flatMap((from) =>
      TRANSITIONS[from]
        .filter((to) => to !== 'Live' || isWhole(after))
        .map((to) => ({
          status: to,
          after,
          edited: editLibrary(libraryItem(from, held), libraryEdit(to, { images })),
        })),
    ),
  )
  t.match(
    edits.map(({ edited }) => edited),
    edits.map(({ status, after }) => E.right({ status, images: after })),
  )
})

t.test(
  'C6: an item is Live only with both images, also when a Live one is edited; all missing ones are named',
  async (t) => {
    const missingIn = ({ cover, notification }: domain.MaybeImages) => [
      ...(O.isNone(cover) ? ['coverImgUrl'] : []),
      ...(O.isNone(notification) ? ['notificationImgUrl'] : []),
    ]
    for (const from of ['Draft', 'Live'] as const) {
      const cases = imageCases.filter(({ held }) => from === 'Draft' || isWhole(held))
      t.same(
        cases.map(({ held, images }) =>
          faultsOf(editLibrary(libraryItem(from, held), libraryEdit('Live', { images }))),
        ),
        cases.map(({ after }) => missingIn(after)),
      )
    }
  },
)

t.test(
  'C6: if itemPublicationDate is omitted, Live and Archived get today, and Draft keeps its date',
  async (t) => {
    const dateAfter = (from: domain.Status, to: domain.Status, publicationDate?: domain.LocalDate) => {
      const edited = editLibrary(libraryItem(from, bothImages), libraryEdit(to, { publicationDate }))
      return E.isRight(edited) ? edited.right.publicationDate : undefined
    }
    const held = sampleLibraryItem(1).publicationDate
    for (const from of STATUSES)
      for (const to of TRANSITIONS[from]) {
        t.equal(dateAfter(from, to), to === 'Draft' ? held : TODAY, `${from} to ${to}`)
        t.equal(dateAfter(from, to, sampleDay(900)), sampleDay(900))
      }
  },
)

t.test(
  'B8: a new publication date before 1900 is refused, with all other conditions; one that the item has stays',
  async () => {
    const days = fc
      .tuple(
        fc.integer({ min: 0, max: 2100 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
      )
      .map((parts) => parts.map((part, at) => `${part}`.padStart(at === 0 ? 4 : 2, '0')).join('-'))
      .map((day) => read(domain.LocalDate, day))
    fc.assert(
      fc.property(days, days, fc.boolean(), fc.constantFrom(...STATUSES), (held, sent, isSame, status) => {
        const item = { ...libraryItem('Draft', noImages), publicationDate: held }
        const publicationDate = isSame ? held : sent
        const faults = faultsOf(editLibrary(item, libraryEdit(status, { publicationDate })))
        assert.deepEqual(faults, [
          ...(status === 'Live' ? ['coverImgUrl', 'notificationImgUrl'] : []),
          ...(publicationDate < '1900' && publicationDate !== held ? ['itemPublicationDate'] : []),
        ])
        const created = E.isRight(domain.PublicationDate.decode(sent))
        assert.equal(created, sent >= '1900-01-01')
      }),
    )
  },
)

t.test('C6, B9: lang and isDonorRestricted stay unchanged if an update omits them', async (t) => {
  const item = { ...libraryItem('Draft', noImages), lang: 'fr' as const, isDonorRestricted: true }
  t.match(editLibrary(item, libraryEdit('Draft')), E.right({ lang: 'fr', isDonorRestricted: true }))
  const said = libraryEdit('Draft', { lang: 'en', isDonorRestricted: false })
  t.match(editLibrary(item, said), E.right({ lang: 'en', isDonorRestricted: false }))
  const post = { ...feedItem('Draft', photo(O.none, O.none)), lang: 'fr' as const, isDonorRestricted: true }
  const content = { kind: 'photo', link: O.none, vlink: O.none } as const
  t.match(editFeed(post, 'Draft', content), E.right({ lang: 'fr', isDonorRestricted: true }))
  const edit = { ...feedEdit('Draft', content), lang: 'en' as const, isDonorRestricted: false }
  t.match(editFeedItem(edit, NOW)(post), E.right({ lang: 'en', isDonorRestricted: false }))
})

t.test('C10: each write increases the revision; omitted fields stay unchanged', async (t) => {
  const before = { ...libraryItem('Draft', noImages), revision: 41 }
  const { id, createdAt } = before
  t.same(
    editLibrary(before, libraryEdit('Archived', { publicationDate: sampleDay(3) })),
    E.right({
      id,
      createdAt,
      isDonorRestricted: false,
      lang: 'en',
      title: 'New title',
      description: 'New description',
      link: 'https://example.org/new',
      publicationDate: sampleDay(3),
      images: noImages,
      coverAlt: O.none,
      notificationAlt: O.none,
      status: 'Archived',
      publishAt: O.none,
      archiveAt: O.none,
      updatedAt: NOW,
      revision: 42,
    }),
  )
  const item = libraryItem('Draft', noImages)
  const expects = (...revisions: ReadonlyArray<number>) =>
    domain.checkPrecondition(some(new Set(revisions)))(item)
  t.same(domain.checkPrecondition(O.none)(item), E.right(item), 'without If-Match the last write wins')
  t.same([expects(1), expects(7, 1)], [E.right(item), E.right(item)])
  t.same(
    [expects(2), expects()],
    [E.left({ _tag: 'PreconditionFailed' }), E.left({ _tag: 'PreconditionFailed' })],
  )
})

t.test(
  'C7: a Live photo needs a link to it or an uploaded image, also when a Live one is edited',
  async (t) => {
    const LINK = [O.none, some(url('photo'))]
    const IMAGE = [O.none, some(sampleImage(1).name)]
    for (const { held, image, sentLink, to } of combinations({
      held: LINK,
      image: IMAGE,
      sentLink: LINK,
      to: STATUSES,
    })) {
      const sent = { kind: 'photo', link: sentLink, vlink: O.none } as const
      const displaysImages = O.isSome(held) || O.isSome(image) || O.isSome(sentLink)
      const from = feedItem(displaysImages && to !== 'Archived' ? 'Live' : 'Draft', photo(held, image))
      const edited = [editFeed(feedItem('Draft', photo(held, image)), to, sent), editFeed(from, to, sent)]
      for (const result of edited)
        displaysImages || to !== 'Live'
          ? t.match(result, E.right({ status: to }))
          : t.same(faultsOf(result), ['link'])
    }
  },
)

t.test('C7: a Live link or vlink post needs the link in the same update', async (t) => {
  const bare = feedItem('Draft', photo(O.none, O.none))
  const page = { kind: 'link', link: some(url('page')), vlink: O.none } as const
  const film = { kind: 'vlink', link: O.none, vlink: some(url('film')) } as const
  for (const sent of [page, film])
    t.match(editFeed(bare, 'Live', sent), E.right({ status: 'Live', content: { ...sent, image: O.none } }))
})

t.test('C7: a post that changes its type keeps its image and loses the links of the old type', async (t) => {
  const [page, film, image] = [some(url('page')), some(url('film')), some(sampleImage(1).name)]
  const sent = {
    photo: { kind: 'photo', link: O.none, vlink: O.none },
    link: { kind: 'link', link: some(url('new')), vlink: O.none },
    vlink: { kind: 'vlink', link: O.none, vlink: some(url('new')) },
  } as const
  for (const from of domain.FEED_KINDS)
    for (const to of domain.FEED_KINDS) {
      const edited = editFeed(
        feedItem('Draft', { kind: from, link: page, vlink: film, image }),
        'Draft',
        sent[to],
      )
      const kept = from === to ? { link: page, vlink: film } : { link: O.none, vlink: O.none }
      const own = to === 'photo' ? {} : { [to]: some(url('new')) }
      t.match(edited, E.right({ content: { kind: to, image, ...kept, ...own } }), `${from} to ${to}`)
    }
  const live = feedItem('Live', { kind: 'link', link: page, vlink: film, image: O.none })
  t.same(faultsOf(editFeed(live, 'Live', sent.photo)), ['link'], 'a web page is not a photo')
})

t.test(
  'D3: an upload is set in every state, and the item’s related link follows the interface',
  async (t) => {
    for (const status of STATUSES) {
      const item = libraryItem(status, bothImages)
      const cover = domain.setLibraryImage(item, 'cover', OTHER, NOW)
      t.same(cover, { ...item, images: { ...bothImages, cover: some(OTHER) }, revision: 2, updatedAt: NOW })
      const notification = domain.setLibraryImage(item, 'notification', OTHER, NOW)
      t.same(notification.images.cover, some(COVER), 'the related link is the cover')
      const content = photo(some(url('photo')), O.none)
      const post = feedItem(status, content)
      t.same(domain.relatedFeedImage(post), O.none, 'a link is not an uploaded image')
      const shown = domain.setFeedImage(post, UPLOADED, NOW)
      const after = { ...content, image: some(UPLOADED) }
      t.same(shown, { ...post, content: after, revision: 2, updatedAt: NOW })
      t.same(domain.relatedFeedImage(shown), some(OTHER))
    }
  },
)

t.test('C8, D3: a Live library item keeps its images, others can lose them', async (t) => {
  for (const which of domain.LIBRARY_IMAGES) {
    const drop = (item: domain.LibraryItem) => domain.removeLibraryImage(item, which, NOW)
    t.same(drop(libraryItem('Live', bothImages)), E.left({ _tag: 'ImageNeeded' }))
    for (const status of ['Draft', 'Archived'] as const) {
      t.same(drop(libraryItem(status, noImages)), E.left({ _tag: 'ImageNotFound' }))
      const item = libraryItem(status, bothImages)
      const images = { ...bothImages, [which]: O.none }
      t.same(drop(item), E.right({ ...item, images, revision: 2, updatedAt: NOW }))
    }
  }
})

t.test('C8, D3: a Live post can lose its image only if it displays something else', async (t) => {
  const [link, image] = [some(url('photo')), some(sampleImage(1).name)]
  const drop = (status: domain.Status, content: domain.FeedContent) =>
    domain.removeFeedImage(feedItem(status, content), NOW)
  const page: domain.FeedContent = { kind: 'link', link, vlink: O.none, image }
  const film: domain.FeedContent = { kind: 'vlink', link: O.none, vlink: link, image }
  t.same(drop('Live', photo(O.none, image)), E.left({ _tag: 'ImageNeeded' }))
  for (const content of [photo(link, image), page, film])
    t.match(drop('Live', content), E.right({ revision: 2, content: { ...content, image: O.none } }))
  for (const status of ['Draft', 'Archived'] as const)
    t.match(drop(status, photo(O.none, image)), E.right({ content: photo(O.none, O.none) }))
  for (const status of STATUSES) t.same(drop(status, photo(link, O.none)), E.left({ _tag: 'ImageNotFound' }))
})

const admin = callerWith(['user'], ['super-admin'])
const tokenManager = callerWith(['user'], ['user-manager'])

/** The callers who see a Live public item, a Live restricted one, and any other (A3). */
const SEES = new Map([
  [withoutScopes, { open: true, restricted: false, rest: false }],
  [user, { open: true, restricted: false, rest: false }],
  [tokenManager, { open: true, restricted: false, rest: false }],
  [donor, { open: true, restricted: true, rest: false }],
  [manager, { open: true, restricted: true, rest: true }],
  [admin, { open: true, restricted: true, rest: true }],
])

const on = (day: string) => ({ publicationDate: read(domain.LocalDate, day) })
const visibleCases = combinations({
  status: STATUSES,
  isDonorRestricted: [true, false],
  dated: [{}, on('2026-04-30'), on('2026-05-01'), on('2026-05-02')],
}).map(({ dated, ...item }): domain.Visible => ({ ...item, ...dated }))

t.test('A3: each caller sees what its scope allows; C9: a future date hides nothing', async (t) => {
  for (const [caller, sees] of SEES) {
    const expected = ({ status, isDonorRestricted }: domain.Visible) => {
      if (status !== 'Live') return sees.rest
      return isDonorRestricted ? sees.restricted : sees.open
    }
    t.same(visibleCases.map(isVisible(visibilityOf(caller, O.none))), visibleCases.map(expected))
  }
})

t.test('C9: under an embargo only managers see a Live item before its day', async (t) => {
  for (const caller of SEES.keys()) {
    const otherwise = isVisible(visibilityOf(caller, O.none))
    const waits = ({ publicationDate: day }: domain.Visible) =>
      day !== undefined && day > TODAY && !domain.hasScope(caller, 'content-manager')
    t.same(
      visibleCases.map(isVisible(visibilityOf(caller, some(TODAY)))),
      visibleCases.map((item) => otherwise(item) && !waits(item)),
    )
  }
})

t.test(
  'D4: only a Draft without an image accepts uploads from everyone; others are forbidden if visible',
  async (t) => {
    const cases = combinations({
      caller: [user, donor, manager],
      status: STATUSES,
      isDonorRestricted: [true, false],
      image: [O.none, some(sampleImage(1).name)],
      isOwn: [true, false],
    })
    for (const { caller, status, isDonorRestricted, image, isOwn } of cases) {
      const item = { ...feedItem(status, photo(some(url('photo')), image)), isDonorRestricted }
      const sees = status === 'Live' && (caller === donor || !isDonorRestricted)
      const refusal = sees ? domain.insufficientScope('content-manager') : domain.ITEM_NOT_FOUND
      const may = caller === manager || (isOwn && status === 'Draft' && O.isNone(image))
      const answer = domain.mayIllustrate(caller, visibilityOf(caller, O.none), isOwn)(item)
      t.same(answer, may ? E.right(item) : E.left(refusal))
    }
  },
)

const ids = fc.constantFrom(...[1, 2, 10, 16, 17].map(sampleId))
const libraryCursors = fc.record({ key: fc.nat(4).map(sampleDay), id: ids })
const feedCursors = fc.record({ key: fc.nat(4).map((n) => instant(10 ** n)), id: ids })

const isTotalOrder = <K extends string | number>(
  a: domain.Cursor<K>,
  b: domain.Cursor<K>,
  c: domain.Cursor<K>,
) => {
  const compare = domain.compareCursors
  const same = a.key === b.key && a.id === b.id
  const newer = a.key === b.key ? a.id > b.id : a.key > b.key
  const transitive = compare(a, b) > 0 || compare(b, c) > 0 || compare(a, c) <= 0
  const agrees = compare(a, b) < 0 === newer && (compare(a, b) === 0) === same
  return agrees && transitive && Math.sign(compare(a, b)) === 0 - Math.sign(compare(b, a))
}

t.test('C3: the order is total: newest key first, ties by newest id', async () => {
  fc.assert(fc.property(libraryCursors, libraryCursors, libraryCursors, isTotalOrder), { numRuns: 300 })
  fc.assert(fc.property(feedCursors, feedCursors, feedCursors, isTotalOrder), { numRuns: 300 })
})

t.test('C11: a cursor survives encoding and decoding', async (t) => {
  fc.assert(
    fc.property(libraryCursors, (at) => same(read(domain.LibraryCursor, domain.encodeCursor(at)), at)),
  )
  fc.assert(fc.property(feedCursors, (at) => same(read(domain.FeedCursor, domain.encodeCursor(at)), at)))
  const odd = { key: sampleDay(0), id: 'a~b~é' as domain.ItemId }
  t.same(read(domain.LibraryCursor, domain.encodeCursor(odd)), odd)
})

const same = <K extends string | number>(a: domain.Cursor<K>, b: domain.Cursor<K>) =>
  a.key === b.key && a.id === b.id

t.test('C11: a cursor that no Link contained is rejected', async (t) => {
  const bad = [
    '',
    '~',
    'x',
    '2026-05-01',
    '~id',
    '2026-02-30~id',
    '2026-05-01~\0',
    '-1~id',
    '1.5~id',
    '1e3~id',
  ]
  t.same(takenOf(domain.LibraryCursor, [...bad, '5~id']), [])
  t.same(takenOf(domain.FeedCursor, [...bad, '9'.repeat(16), `${'9'.repeat(16)}~id`, '2026-05-01~id']), [])
})

t.test('D1: feed images are 400 by 560, library images at most 4096 on a side', async (t) => {
  const { FEED_IMAGE, fits, LIBRARY_IMAGE } = domain
  t.same(
    [fits(FEED_IMAGE, 400, 560), fits(FEED_IMAGE, 560, 400), fits(FEED_IMAGE, 400, 559)],
    [true, false, false],
  )
  t.same([fits(LIBRARY_IMAGE, 4096, 1), fits(LIBRARY_IMAGE, 1, 4097)], [true, false])
  t.equal(domain.UPLOAD_LIMIT, 10 * 1024 * 1024)
})

t.test('D3, D5: our own image URLs are stored by name, others unchanged', async (t) => {
  const here = domain.mediaAddressesBelow(BASE_URL)
  const there = domain.mediaAddressesBelow('https://new.example.org/api')
  const { name } = sampleImage(1)
  const address = domain.addressOf(here)(stored(name))
  t.equal(address, `${BASE_URL}/static/media/${name}`)
  t.same(domain.imageAt(here)(address), stored(name))
  t.equal(domain.addressOf(there)(stored(name)), `https://new.example.org/api/static/media/${name}`)
  for (const spelling of [
    `${address}?x=1#y`,
    address.replace('https://', 'HTTPS://').replace('example.org', 'EXAMPLE.org:443'),
    address.replace('/static/', '/./static/'),
    address.replace('media', '%6dedia'),
  ])
    t.same(domain.imageAt(here)(read(domain.WebUrl, spelling)), stored(name), spelling)
  t.same(
    domain.imageAt(here)(read(domain.WebUrl, `${BASE_URL}/static/media/short.png`)),
    stored('short.png' as domain.MediaName),
    'an unknown name in our URL is a missing image',
  )
  for (const other of [
    `${BASE_URL}/static/media/`,
    `${BASE_URL}/static/media/../${name}`,
    `${BASE_URL}x/static/media/${name}`,
    address.replace('https://', 'http://'),
  ]) {
    const sent = read(domain.WebUrl, other)
    t.same(domain.imageAt(here)(sent), linked(sent))
    t.equal(domain.addressOf(there)(linked(sent)), sent)
  }
})
