import assert from 'node:assert/strict'
import { sampleFeedItem, sampleImage, sampleLibraryItem } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'

// D9: descriptions of images.

const NOW = domain.instant(Date.UTC(2026, 4, 1, 12))
const TODAY = '2026-05-01' as domain.LocalDate
const url = (path: string) => read(domain.WebUrl, `https://example.org/${path}`)
const some = <A>(value: A): O.Some<A> => ({ _tag: 'Some', value })
const COVER = domain.linked(url('cover'))
const UPLOADED = sampleImage(1).name
const OTHER = domain.stored(UPLOADED)
const TEXTS = { title: read(domain.ItemTitle, 'New title'), description: read(domain.ItemDescription, 'New') }
const bothImages = { cover: some(COVER), notification: some(COVER) }
const draft = (images: domain.MaybeImages) => sampleLibraryItem(1, { images })

const editLibrary = (item: domain.LibraryItem, edit: Pick<domain.LibraryEdit, 'images' | 'coverAlt'>) =>
  domain.editLibraryItem({ ...TEXTS, link: url('new'), status: 'Draft', ...edit }, NOW, TODAY)(item)

const editFeed = (item: domain.FeedItem, content: domain.SentContent) =>
  domain.editFeedItem({ ...TEXTS, status: 'Draft', content }, NOW)(item)

const alt = (text: string) => O.some(text as domain.ImageAlt)
const maybeAlt = fc.constantFrom(O.none, alt('A well'))
const maybeImage = fc.constantFrom<O.Option<domain.ImageRef>>(O.none, some(COVER), some(OTHER))
const maybeSent = <A>(values: fc.Arbitrary<A>) => fc.option(values, { nil: undefined })

t.test('D9: an edit clears a description with its image, else it sets or keeps it', async () => {
  fc.assert(
    fc.property(
      maybeImage,
      maybeAlt,
      maybeSent(maybeImage),
      maybeSent(fc.constantFrom(O.none, alt('A tap'))),
      (cover, coverAlt, sentImage, sentAlt) => {
        const item = { ...draft({ cover, notification: O.none }), coverAlt }
        const images = { cover: sentImage, notification: undefined }
        const edited = editLibrary(item, { images, coverAlt: sentAlt })
        const isRemoved = O.isSome(cover) && sentImage !== undefined && O.isNone(sentImage)
        const kept = isRemoved ? O.none : coverAlt
        assert(E.isRight(edited))
        assert.deepEqual(edited.right.coverAlt, sentAlt ?? kept)
        assert.deepEqual(edited.right.notificationAlt, O.none)
      },
    ),
  )
})

t.test('D9: removing an image clears its description, and a post without its photo has none', async (t) => {
  const both = { coverAlt: alt('A well'), notificationAlt: alt('A tap') }
  const described = { ...draft(bothImages), ...both }
  t.match(domain.removeLibraryImage(described, 'cover', NOW), E.right({ ...both, coverAlt: O.none }))
  const replaced = domain.setLibraryImage(described, 'notification', OTHER, NOW)
  t.match(replaced, both, 'a replaced image keeps it')
  const content = { kind: 'photo', link: some(url('photo')), vlink: O.none, image: O.none } as const
  const post = sampleFeedItem(1, { content, imageAlt: alt('A well') })
  const film = { kind: 'vlink', link: O.none, vlink: some(url('film')) } as const
  t.match(editFeed(post, film), E.right({ imageAlt: O.none }))
  t.match(
    editFeed(post, { kind: 'photo', link: O.none, vlink: O.none }),
    E.right({ imageAlt: post.imageAlt }),
  )
  const uploaded = domain.setFeedImage(post, UPLOADED, NOW)
  t.match(uploaded, { imageAlt: post.imageAlt })
  t.match(editFeed(uploaded, film), E.right({ imageAlt: post.imageAlt }), 'the upload stays')
  t.match(domain.removeFeedImage(uploaded, NOW), E.right({ imageAlt: O.none }))
})
