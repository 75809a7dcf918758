import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Counterpart,
  counterpartOf,
  type TranslationFinding,
  translationFindings,
} from '../../items/counterparts.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { mapListing, type ResultSet, WHOLE_COLLECTION } from '../../values/page.ts'
import type { Unavailable } from '../../values/ports.ts'

/** A publication with its counterpart, if it has one, and what an editor may want to do about them. */
export interface CheckedTranslation {
  readonly item: Counterpart
  readonly counterpart: O.Option<Counterpart>
  readonly findings: ReadonlyArray<TranslationFinding>
}

const EVERY_ITEM = { visibility: { kind: 'everything' }, lang: O.none } as const

/**
 * Lists the publications without a counterpart, with one that is not Live though they are, and with one that changed later. In the order of
 * the library and in bounded memory. For operators: checks no caller.
 */
export const makeCheckTranslations =
  ({ libraryItems, translations }: Pick<ContentPorts, 'libraryItems' | 'translations'>) =>
  (): TE.TaskEither<Unavailable, ResultSet<CheckedTranslation, never>> => {
    const check = (items: ReadonlyArray<LibraryItem>) =>
      pipe(
        translations.ofItems(items.map(({ id }) => id)),
        TE.map((found) =>
          items
            .map((item) => {
              const counterpart = O.fromNullable(found.get(item.id))
              const shown = counterpartOf(item)
              return { item: shown, counterpart, findings: translationFindings(shown, counterpart) }
            })
            .filter(({ findings }) => findings.length > 0),
        ),
      )
    return pipe(
      libraryItems.list(EVERY_ITEM, WHOLE_COLLECTION),
      TE.map((items) => ({ ...mapListing(items, check), next: O.none })),
    )
  }
