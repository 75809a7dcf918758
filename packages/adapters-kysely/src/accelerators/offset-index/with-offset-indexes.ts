import { feedCursor, libraryCursor, matchesFeed, matchesLibrary } from '@almoner/domain/content'
import type { Database } from '../../database/database.ts'
import { feedTable } from '../../repositories/items/feed-table.ts'
import { libraryTable } from '../../repositories/items/library-table.ts'
import type { Store } from '../../store.ts'
import { makeCountPlaces } from './count-places.ts'
import { withOffsetIndex } from './offset-index.ts'

/** How an offset index counts. */
interface Counting {
  /** Places from one bound to the next. */
  readonly size: number
  /** Offsets up to this are passed over by the database. */
  readonly near: number
}

/** SQLite walks this number of entries in some microseconds. */
const USUAL: Counting = { size: 256, near: 256 }

/** An engine that knows when others write. */
interface Watching extends Database {
  /** Returns a value that another one takes the place of once another process has written. */
  othersWrites(): unknown
}

/** Adds an offset index to both item stores of a store on this engine (B4, C11). */
export const withOffsetIndexes = (
  store: Store,
  database: Watching,
  { size, near }: Counting = USUAL,
): Store => {
  const common = { othersWrites: () => database.othersWrites(), now: () => performance.now(), near }
  return {
    ...store,
    libraryItems: withOffsetIndex(store.libraryItems, {
      ...common,
      matches: matchesLibrary,
      cursorOf: libraryCursor,
      count: makeCountPlaces(database, libraryTable, size),
    }),
    feedItems: withOffsetIndex(store.feedItems, {
      ...common,
      matches: matchesFeed,
      cursorOf: feedCursor,
      count: makeCountPlaces(database, feedTable, size),
    }),
  }
}
