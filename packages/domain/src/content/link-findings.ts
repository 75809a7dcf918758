import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import type { ContentType } from '../history/model.ts'
import type { ItemId } from '../values/ids.ts'
import { type ResultSet, readBatch } from '../values/page.ts'
import { parameters } from '../values/parameters.ts'
import { attempt, type Unavailable } from '../values/ports.ts'
import { addMillis, MINUTE } from '../values/time.ts'
import { type LinkCounts, type LinkFinding, type LinkPlace, type LinkVerdict, webLinksOf } from './links.ts'
import type { FeedItem, LibraryItem } from './model.ts'
import type { ContentPorts } from './ports.ts'

/** Milliseconds for which a finding is shown: where checks have been switched off, it would stay for ever. */
const SHOWN_FOR = 7 * 24 * 60 * MINUTE

const DAY = 24 * 60 * MINUTE

/** A finding with its item. */
export interface CheckedLink {
  readonly item: LibraryItem | FeedItem
  readonly finding: LinkFinding
}

type LinkReadPorts = Pick<ContentPorts, 'libraryItems' | 'feedItems' | 'linkFindings' | 'clock'>

const idsOf = (findings: ReadonlyArray<LinkFinding>, type: ContentType): ReadonlyArray<ItemId> => [
  ...new Set(findings.flatMap(({ contentType, itemId }) => (contentType === type ? [itemId] : []))),
]

/** Returns the findings that hold: of Live items that still have the link, and a week old at most. */
const holding = (
  { libraryItems, feedItems, clock }: LinkReadPorts,
  findings: ReadonlyArray<LinkFinding>,
): TE.TaskEither<Unavailable, ReadonlyArray<CheckedLink>> =>
  pipe(
    TE.Do,
    TE.bind('publications', () => libraryItems.findAll(idsOf(findings, 'library'))),
    TE.bind('posts', () => feedItems.findAll(idsOf(findings, 'feed'))),
    TE.map(({ publications, posts }) => {
      const items = new Map([...publications, ...posts].map((item) => [item.id, item]))
      const oldest = addMillis(clock.now(), -SHOWN_FOR)
      return findings.flatMap((finding) => {
        const item = items.get(finding.itemId)
        if (item === undefined || finding.at < oldest) return []
        const holds = webLinksOf(item).some(
          ({ field, url }) => field === finding.field && url === finding.url,
        )
        return holds ? [{ item, finding }] : []
      })
    }),
  )

/** Findings read at a time. */
const BATCH = 100

/** Reads the findings that hold, in batches, in the order of their places. Throws what {@link attempt} catches. */
async function* checkedLinks(ports: LinkReadPorts, verdict?: LinkVerdict) {
  let after: O.Option<LinkPlace> = O.none
  for (;;) {
    const page: ReadonlyArray<LinkFinding> = await readBatch(
      ports.linkFindings.page({ verdict: O.fromNullable(verdict), after, most: BATCH }),
    )
    const held = await readBatch(holding(ports, page))
    if (held.length > 0) yield held
    if (page.length < BATCH) return
    after = O.fromNullable(page.at(-1))
  }
}

/** Lists what the links of Live items answered last, in bounded memory (C17). For operators: checks no caller. */
export const makeListCheckedLinks =
  (ports: LinkReadPorts) => (): TE.TaskEither<Unavailable, ResultSet<CheckedLink, never>> =>
    TE.fromIO(() => ({ batches: checkedLinks(ports), next: O.none }))

/**
 * Returns a count of links by verdict as the latest round that counted found them, a week ago at most (C17). It does not look whether items still have
 * them. They are counted once a round and day, because the findings of a round that is shown stay as they are.
 */
export const linkCounter = ({ linkFindings, clock }: Pick<LinkReadPorts, 'linkFindings' | 'clock'>) => {
  let known: { readonly of: string; readonly counts: LinkCounts } | undefined
  return (): TE.TaskEither<Unavailable, LinkCounts> => {
    const since = addMillis(clock.now(), -SHOWN_FOR)
    return pipe(
      linkFindings.rounds(),
      TE.flatMap(({ shown }) => {
        const of = `${shown} ${Math.floor(since / DAY)}`
        if (known?.of === of) return TE.right(known.counts)
        return pipe(
          linkFindings.counts(since),
          TE.tapIO((counts) => () => {
            known = { of, counts }
          }),
        )
      }),
    )
  }
}

/** Dead links that are listed at most. */
const MOST_DEAD = 500

/** Returns the dead links of Live items, 500 at most (C17). */
export const deadLinks = (ports: LinkReadPorts): TE.TaskEither<Unavailable, ReadonlyArray<CheckedLink>> =>
  attempt(async () => {
    const found: Array<CheckedLink> = []
    for await (const batch of checkedLinks(ports, 'dead')) {
      found.push(...batch)
      if (found.length >= MOST_DEAD) break
    }
    return found.slice(0, MOST_DEAD)
  })

/** Parameters of GET /dead-links. */
export const ListDeadLinks = parameters({ name: 'ListDeadLinks', required: {}, optional: {} })
export type ListDeadLinks = typeof ListDeadLinks._A

/** Lists the dead links of Live items with their items, 500 at most, for content managers (C17). */
export const makeListDeadLinks =
  (ports: LinkReadPorts) =>
  (
    caller: Caller,
    _parameters: ListDeadLinks,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<CheckedLink>> =>
    permitted('listDeadLinks', caller)(() => deadLinks(ports))
