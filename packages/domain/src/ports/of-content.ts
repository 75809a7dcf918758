import type { HistoryPolicy, HistoryPorts } from '../history/ports.ts'
import type { VisibilityPolicy } from '../items/visibility.ts'
import type { FeedAuthors } from './feed-authors.ts'
import type { FeedItems, LibraryItems } from './item-store.ts'
import type { Labels } from './labels.ts'
import type { Translations } from './translations.ts'

/** What content and the areas before it ask of the world. */
export interface ContentPorts extends HistoryPorts {
  readonly libraryItems: LibraryItems
  readonly feedItems: FeedItems
  readonly feedAuthors: FeedAuthors
  readonly labels: Labels
  readonly translations: Translations
}

/** What a deployment decides for content and the areas before it. */
export interface ContentPolicy extends HistoryPolicy, VisibilityPolicy {}
