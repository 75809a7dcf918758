import { feedCursor, libraryCursor } from '@almoner/domain/content'
import * as O from 'fp-ts/lib/Option.js'
import type { Faults } from './faults.ts'
import { pagingFaults } from './item-pages.ts'
import { queryFaults } from './item-queries.ts'
import { writeFaults } from './item-writes.ts'

/** Faults of the stores of publications and posts. */
export const ITEM_FAULTS: Faults<'libraryItems' | 'feedItems'> = {
  libraryItems: {
    ...queryFaults(true),
    ...pagingFaults(libraryCursor),
    ...writeFaults(true),
    'changes the language of an item that has a counterpart': [
      'J7: the language of a linked item does not change',
      ({ change }, { translations }) => ({
        change: (id, decide, receipt) => async () => {
          await translations.unlink(id)()
          return change(id, decide, receipt)()
        },
      }),
    ],
  },
  feedItems: {
    ...queryFaults(false),
    ...pagingFaults(feedCursor),
    ...writeFaults(false),
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
