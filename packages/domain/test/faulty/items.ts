import { feedCursor, isOlder, type LinkedCounterpart, libraryCursor } from '@almoner/domain/content'
import type { Translations } from '@almoner/domain/ports'
import type { ItemId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Faults } from './faults.ts'
import { pagingFaults } from './item-pages.ts'
import { queryFaults } from './item-queries.ts'
import { writeFaults } from './item-writes.ts'
import { removalFaults } from './removals.ts'

const found = async ({ ofItems }: Translations, id: ItemId) =>
  E.getOrElse(() => new Map<ItemId, LinkedCounterpart>() as ReadonlyMap<ItemId, LinkedCounterpart>)(
    await ofItems([id])(),
  )

/** Faults of the stores of publications and posts. */
export const ITEM_FAULTS: Faults<'libraryItems' | 'feedItems'> = {
  libraryItems: {
    ...queryFaults(true),
    ...pagingFaults(libraryCursor),
    ...writeFaults(true),
    ...removalFaults('library'),
    'changes the language of an item that has a counterpart': [
      'J7: the language of a linked item does not change',
      ({ change }, { translations }) => ({
        change: (id, decide, receipt) => async () => {
          await translations.unlink(id)()
          return change(id, decide, receipt)()
        },
      }),
    ],
    'takes every change for one of the words': [
      'J8: words taken back, and what is no text, make nothing older',
      ({ change }, { translations }) => ({
        change: (id, decide, receipt) => async () => {
          const [isNewer] = [...(await found(translations, id)).values()].map((one) => !isOlder(one))
          const changed = await change(id, decide, receipt)()
          if (isNewer === false) await translations.confirm(id)()
          return changed
        },
      }),
    ],
    'forgets the base with each change': [
      'J8: words that changed make the other side older, and are named',
      ({ change }, { translations }) => ({
        change: (id, decide, receipt) => async () => {
          const changed = await change(id, decide, receipt)()
          await translations.confirm(id)()
          return changed
        },
      }),
    ],
  },
  feedItems: {
    ...queryFaults(false),
    ...pagingFaults(feedCursor),
    ...writeFaults(false),
    ...removalFaults('feed'),
    'forgets the authors of posts, and so for whom reasons were': [
      'L1, L3, C18: a forgotten deletion takes the reason out of records',
      ({ add }) => ({
        add: (write, receipt) =>
          add(write.author ? { ...write, author: { ...write.author, email: O.none } } : write, receipt),
      }),
    ],
    'loses the author of a client that is bound': [
      'L1, L3: a post that reaches the store after the erasure has its client only',
      ({ add }) => ({
        add: (write, receipt) =>
          add(
            write.act?.boundTo && write.author
              ? { ...write, author: { ...write.author, email: O.none } }
              : write,
            receipt,
          ),
      }),
    ],
    'loses the author': [
      'L3: the author of a post is recorded with it',
      ({ add }) => ({ add: ({ author: _author, ...write }, receipt) => add(write, receipt) }),
    ],
    'ignores the kind': [
      'a list of one kind of posts',
      ({ list }) => ({ list: (query, ...window) => list({ ...query, kind: O.none }, ...window) }),
    ],
  },
}
