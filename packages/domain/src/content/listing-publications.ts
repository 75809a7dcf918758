import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { ItemId } from '../values/ids.ts'
import { listingOf, Offset, type ResultSet } from '../values/page.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { integer, oneOf, refined } from '../values/refined.ts'
import { Language } from '../values/text.ts'
import { encodeCursor } from './finding.ts'
import {
  libraryImagesOf,
  readImagesMember,
  readLabelMember,
  readOlderMember,
  readTranslationMember,
  type WithIncluded,
  withIncluded,
} from './include.ts'
import { FINDING, libraryFilters } from './lists.ts'
import type { LibraryItem } from './model.ts'
import type { ContentPorts } from './ports.ts'
import {
  PUBLICATION_ORDERS,
  type Publication,
  type PublicationCursor,
  type PublicationQuery,
  TRANSLATION_GAPS,
} from './publications.ts'

/** The most publications of one page, and those of a page unless asked otherwise. */
const MOST_LISTED = 100
const LISTED = 25

const PublicationCursorText = refined<PublicationCursor>(
  'PublicationCursor',
  (text) => {
    const cut = text.lastIndexOf('~')
    const id = ItemId.decode(text.slice(cut + 1))
    return cut > 0 && E.isRight(id)
      ? E.right({ key: text.slice(0, cut), id: id.right })
      : E.left('must come from the Link header of an earlier answer')
  },
  { type: 'string', description: 'Cursor of the page, from the `Link` header of the previous page.' },
)

/** Parameters of GET /publications. */
export const ListPublications = parameters({
  name: 'ListPublications',
  required: {},
  optional: {
    lim: integer('PublicationLim', 1, MOST_LISTED, `Maximum number of publications. Default: ${LISTED}.`),
    offset: Offset,
    after: PublicationCursorText,
    order: oneOf('PublicationOrder', PUBLICATION_ORDERS, 'Order of the publications. Default: date.'),
    lang: Language,
    ...FINDING,
    translation: oneOf(
      'TranslationGap',
      TRANSLATION_GAPS,
      'Live items without a Live counterpart, or with one whose words have changed.',
    ),
  },
})
export type ListPublications = typeof ListPublications._A

/** The text form of a place in an order of publications. */
export const encodePublicationCursor: (cursor: PublicationCursor) => string = encodeCursor

/**
 * Lists publications, both languages of each as one, which stands where its newer side does (J7). A publication matches if either side does, and
 * counts once. Items come with labels, images and counterparts.
 */
export const makeListPublications =
  (ports: Pick<ContentPorts, 'translations' | 'labels' | 'knownImages'>) =>
  (
    caller: Caller,
    { order = 'date', lim = LISTED, ...asked }: ListPublications,
  ): TE.TaskEither<
    InsufficientScope | Unavailable,
    ResultSet<Publication<WithIncluded<LibraryItem>>, PublicationCursor>
  > =>
    permitted(
      'linkTranslation',
      caller,
    )(() => {
      const query: PublicationQuery = {
        order,
        lang: O.fromNullable(asked.lang),
        gap: O.fromNullable(asked.translation),
        filters: libraryFilters(asked),
      }
      const visibility = { kind: 'everything' } as const
      const included = withIncluded<LibraryItem>([
        readLabelMember(ports, 'library'),
        readImagesMember(ports, libraryImagesOf),
        readTranslationMember(ports, visibility),
        readOlderMember(ports, visibility),
      ])
      return pipe(
        ports.translations.publications(query, {
          ...{ lim, offset: asked.offset ?? 0 },
          after: O.fromNullable(asked.after),
          isCounted: asked.count === 'true',
        }),
        TE.bindTo('page'),
        TE.bind('items', ({ page }) =>
          included(
            listingOf(
              page.publications.flatMap(({ sides }) => sides),
              O.none,
            ),
          ),
        ),
        TE.map(({ page: { publications, next, ...counted }, items: { loaded = [] } }) => {
          const found = new Map(loaded.map((item) => [item.id, item]))
          const withMembers = ({ sides: [first, ...others] }: Publication) => {
            const of = (side: LibraryItem) => found.get(side.id) ?? side
            return { sides: [of(first), ...others.map(of)] as const }
          }
          return { ...listingOf(publications.map(withMembers), next), ...counted }
        }),
      )
    })
