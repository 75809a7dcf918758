import type { TimedAct } from '@almoner/domain/access'
import {
  COUNTERPART_NOT_FOUND,
  type Counterpart,
  type FeedItem,
  isOlder,
  type LinkedCounterpart,
} from '@almoner/domain/content'
import { type ItemId, listingOf } from '@almoner/domain/values'
import { SAMPLE_MOMENT } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'
import { PUBLICATION_FAULTS } from './publications.ts'

const CONFIRMING: TimedAct = {
  actor: { kind: 'command', id: 'fault' },
  action: 'confirm-translation',
  at: SAMPLE_MOMENT,
}

const TRANSLATIONS: Faults<'translations'>['translations'] = {
  ...PUBLICATION_FAULTS,
  'finds a link from one side only': [
    'J7: a link is found from both sides',
    ({ ofItems }) => ({
      ofItems: returning(
        ofItems,
        (found) => new Map([...found].filter(([id, counterpart]) => id < counterpart.id)),
      ),
    }),
  ],
  'shows the counterpart as it was when it was linked': [
    'J7: a link is found from both sides, with the counterpart as it is now',
    ({ link, ofItems }) => {
      const linked = new Map<ItemId, Counterpart>()
      return {
        link: returning(link, (counterpart, id) => {
          linked.set(id, counterpart)
          return counterpart
        }),
        ofItems: returning(
          ofItems,
          (found) => new Map([...found].map(([id, one]) => [id, { ...one, ...linked.get(id) }])),
        ),
      }
    },
  ],
  'makes a revision of a linked item': [
    'J7: linking changes neither item',
    ({ link }, { libraryItems }) => ({
      link:
        (id, ...more) =>
        async () => {
          const linked = await link(id, ...more)()
          const none = { storesImages: [], displaysImages: [], linksToImages: [] }
          await libraryItems.change(id, (item) =>
            E.right({ item: { ...item, revision: item.revision + 1 }, ...none }),
          )()
          return linked
        },
    }),
  ],
  'rejects a link that is there already': [
    'J7: linking twice, from either side, is the same as once',
    ({ link, ofItems }) => ({
      link: (id, counterpartId, act) =>
        pipe(
          ofItems([id]),
          TE.flatMap((found) =>
            found.get(id)?.id === counterpartId
              ? TE.left(COUNTERPART_NOT_FOUND)
              : link(id, counterpartId, act),
          ),
        ),
    }),
  ],
  'keeps an earlier link': [
    'J7: linking replaces earlier links of both',
    ({ link, ofItems }) => ({
      link: (id, counterpartId, act) =>
        pipe(
          ofItems([id, counterpartId]),
          TE.flatMap((found) => {
            const [earlier] = [...found.values()]
            return earlier === undefined ? link(id, counterpartId, act) : TE.right(earlier)
          }),
        ),
    }),
  ],
  'accepts two items of one language': [
    'J7: only items in the two languages are linked',
    ({ link }) => ({
      link: (id, counterpartId, act) =>
        pipe(
          link(id, counterpartId, act),
          TE.orElseW((left) =>
            left._tag === 'ValidationFailed' ? TE.right({ id: counterpartId } as Counterpart) : TE.left(left),
          ),
        ),
    }),
  ],
  'removes a link only from the side that made it': [
    'J7: unknown items, unknown counterparts and missing links',
    ({ link, unlink }) => {
      const made = new Set<ItemId>()
      return {
        link: (id, ...more) => {
          made.add(id)
          return link(id, ...more)
        },
        unlink: (id, act) =>
          pipe(
            unlink(id, act),
            TE.flatMap(() => (made.has(id) ? TE.right(undefined) : TE.left(COUNTERPART_NOT_FOUND))),
          ),
      }
    },
  ],
  'names no words that changed': [
    'J8: words that changed make the other side older, and are named',
    ({ ofItems }) => ({
      ofItems: returning(
        ofItems,
        (found) => new Map([...found].map(([id, one]) => [id, { ...one, changes: [] }])),
      ),
    }),
  ],
  'takes both sides for older': [
    'J8: words that changed make the other side older, and are named',
    ({ ofItems }) => ({
      ofItems: returning(ofItems, (found) => {
        const changes = [...found.values()].flatMap((one) => one.changes)
        return new Map([...found].map(([id, one]) => [id, { ...one, changes }]))
      }),
    }),
  ],
  'confirms a pair that is linked again': [
    'J8: linking the same pair again confirms it only if asked to',
    ({ link }) => ({ link: (id, counterpartId, act) => link(id, counterpartId, act, CONFIRMING) }),
  ],
  'does not confirm a pair that is linked again': [
    'J8: linking the same pair again confirms it only if asked to',
    ({ link }) => ({ link: (id, counterpartId, act) => link(id, counterpartId, act) }),
  ],
  'forgets the base of a pair that is unlinked too late': [
    'J8: a new link is in step, also after an earlier one',
    ({ link, ofItems }) => {
      const changes = new Map<ItemId, LinkedCounterpart['changes']>()
      return {
        link,
        ofItems: returning(ofItems, (found) => {
          for (const [id, one] of found) if (isOlder(one)) changes.set(id, one.changes)
          return new Map([...found].map(([id, one]) => [id, { ...one, changes: changes.get(id) ?? [] }]))
        }),
      }
    },
  ],
  'confirms without effect': [
    'J8: confirming brings a pair in step, from either side',
    ({ confirm, ofItems }) => ({
      confirm: (id, act) =>
        pipe(
          ofItems([id]),
          TE.flatMap((found) => {
            const counterpart = found.get(id)
            return counterpart === undefined ? confirm(id, act) : TE.right(counterpart)
          }),
        ),
    }),
  ],
  'leaves no record of a confirmation': [
    'J8, K1: a confirmation leaves a record about the older side, once',
    ({ confirm }) => ({ confirm: (id) => confirm(id) }),
  ],
  'lists any number of older publications': [
    'J8: Live publications that are older than Live ones are listed by id',
    ({ older }) => ({ older: () => older(1000) }),
  ],
  'lists older publications in any order': [
    'J8: Live publications that are older than Live ones are listed by id',
    ({ older }) => ({ older: returning(older, (ids) => ids.toReversed()) }),
  ],
  'leaves no record of a removed link': [
    'J7, K1: links of translations leave records',
    ({ unlink }) => ({ unlink: (id) => unlink(id) }),
  ],
}

const posts =
  (
    change: (items: ReadonlyArray<FeedItem>) => ReadonlyArray<FeedItem>,
  ): Faults<'feedAuthors'>['feedAuthors'][string][1] =>
  ({ list }) => ({
    list: returning(list, (page) => listingOf(change(page.loaded ?? []), page.next)),
  })

const FEED_AUTHORS: Faults<'feedAuthors'>['feedAuthors'] = {
  'lists the posts of all authors': [
    'L3: own posts are those of the author',
    (_, { feedItems }) => ({
      list: ({ lang }, window) =>
        feedItems.list({ visibility: { kind: 'everything' }, lang, kind: O.none }, window),
    }),
  ],
  'lists the oldest posts first': [
    'L3: own posts are those of the author, newest first',
    posts((all) => all.toReversed()),
  ],
  'lists Live posts only': [
    'L3: own posts are listed in every state',
    posts((all) => all.filter(({ status }) => status === 'Live')),
  ],
  'ignores the language': [
    'L3: own posts are listed in every state and by language',
    ({ list }) => ({ list: ({ email }, page) => list({ email, lang: O.none }, page) }),
  ],
  'ignores the offset': [
    'C11, L3: pages of own posts meet each once, by cursors and by offsets',
    ({ list }) => ({ list: (query, page) => list(query, { ...page, offset: 0 }) }),
  ],
  'ignores the cursor': [
    'C11, L3: pages of own posts meet each once, by cursors',
    ({ list }) => ({
      list: (query, page) =>
        pipe(
          list(query, { ...page, after: O.none }),
          TE.map((found) => (O.isSome(page.after) ? { ...found, next: O.none } : found)),
        ),
    }),
  ],
  'knows the client of an author only': [
    'L3: the author of a post is recorded with it',
    ({ ofPosts }) => ({
      ofPosts: returning(
        ofPosts,
        (found) => new Map([...found].map(([id, author]) => [id, { ...author, email: O.none }])),
      ),
    }),
  ],
}

/** Faults of the links between translations, and of the authors of posts. */
export const CONTENT_FAULTS: Faults<'translations' | 'feedAuthors'> = {
  translations: TRANSLATIONS,
  feedAuthors: FEED_AUTHORS,
}
