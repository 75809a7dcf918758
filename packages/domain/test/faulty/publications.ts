import type { Publication } from '@almoner/domain/content'
import { WHOLE_COLLECTION } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

/** Faults in lists of publications. */
export const PUBLICATION_FAULTS: Faults<'translations'>['translations'] = {
  'lists each side of a pair': [
    'J7: a pair is one publication',
    ({ publications }) => ({
      publications: returning(publications, ({ publications: all, ...rest }) => ({
        ...rest,
        publications: all.flatMap(({ sides }) => sides.map((side) => ({ sides: [side] as const }))),
      })),
    }),
  ],
  'puts a pair where its older side stands': [
    'J7: a pair is one publication',
    ({ publications }) => ({
      publications: returning(publications, ({ publications: all, ...rest }) => {
        const oldest = ({ sides }: Publication) => sides.at(-1)?.publicationDate ?? ''
        return { ...rest, publications: all.toSorted((a, b) => (oldest(a) < oldest(b) ? 1 : -1)) }
      }),
    }),
  ],
  'looks at the newer side alone': [
    'J7: a publication matches if one of its sides does',
    ({ publications }) => ({
      publications: returning(publications, (page, { lang }) => ({
        ...page,
        publications: page.publications.filter(
          ({ sides: [{ lang: own }] }) => O.isNone(lang) || lang.value === own,
        ),
      })),
    }),
  ],
  'counts items': [
    'J7: a publication matches if one of its sides does, and counts once',
    ({ publications }) => ({
      publications: returning(publications, (page) => ({
        ...page,
        ...(page.total !== undefined && { total: page.publications.flatMap(({ sides }) => sides).length }),
      })),
    }),
  ],
  'lets each side meet a part of a query': [
    'J7: a publication matches only if one side matches everything',
    ({ publications }) => ({
      publications: ({ lang, ...query }, window) =>
        pipe(
          publications({ ...query, lang: O.none }, window),
          TE.map((page) => {
            const found = page.publications.filter(({ sides }) =>
              sides.some((side) => O.isNone(lang) || lang.value === side.lang),
            )
            return { ...page, publications: found, ...(window.isCounted && { total: found.length }) }
          }),
        ),
    }),
  ],
  'takes a Draft for a counterpart that readers see': [
    'J7: a Live side without a Live counterpart lacks one',
    ({ publications }) => ({
      publications: (query, window) =>
        pipe(
          publications(query, window),
          TE.map((page) =>
            O.isSome(query.gap) && query.gap.value === 'missing'
              ? { ...page, publications: page.publications.filter(({ sides }) => sides.length === 1) }
              : page,
          ),
        ),
    }),
  ],
  'takes Drafts for older ones': [
    'J8: a Live side is older than a Live counterpart whose words changed',
    ({ publications }, { libraryItems }) => ({
      publications: (query, window) =>
        O.isSome(query.gap) && query.gap.value === 'older'
          ? pipe(
              libraryItems.list({ visibility: { kind: 'everything' }, lang: O.none }, WHOLE_COLLECTION),
              TE.map(({ loaded = [] }) => ({
                publications: loaded.map((item) => ({ sides: [item] as const })),
                next: O.none,
              })),
            )
          : publications(query, window),
    }),
  ],
  'knows the order of dates alone': [
    'J7: publications are in the order of dates, titles or states',
    ({ publications }) => ({
      publications: (query, window) => publications({ ...query, order: 'date' }, window),
    }),
  ],
  'repeats the last publication of a page': [
    'J6: pages by cursor have each publication once',
    ({ publications }) => ({
      publications: (query, window) =>
        publications(query, O.isSome(window.after) ? { ...window, after: O.none, offset: 1 } : window),
    }),
  ],
  'counts without being asked': [
    'J6: pages by cursor have each publication once',
    ({ publications }) => ({
      publications: (query, window) => publications(query, { ...window, isCounted: true }),
    }),
  ],
  'ignores the words': [
    'J1, J7, J8: publications are searched as the rule says',
    ({ publications }) => ({
      publications: (query, window) =>
        publications(
          query.filters === undefined ? query : { ...query, filters: { ...query.filters, words: [] } },
          window,
        ),
    }),
  ],
}
