import type { AuditQuery, AuditRecord } from '@almoner/domain/history'
import { addMillis, type Instant, listingOf } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

const asking =
  (change: (query: AuditQuery) => Partial<AuditQuery>): Faults<'history'>['history'][string][1] =>
  ({ audit, records }) => ({
    audit: (query, window) => audit({ ...query, ...change(query) }, window),
    records: (query) => records({ ...query, ...change(query) }),
  })

/** Faults of the history. */
export const HISTORY_FAULTS: Faults<'history'> = {
  history: {
    'lists the oldest revision first': [
      'C11, K2: a history is read page by page, newest first',
      ({ revisions }) => ({
        revisions: returning(revisions, (page) => listingOf((page.loaded ?? []).toReversed(), page.next)),
      }),
    ],
    'deletes the base of a pair': [
      'J8, K3: the revision of a base stays while it is one',
      ({ purge, revisions }) => {
        let isPurged = false
        return {
          purge: (madeBy) => {
            isPurged = true
            return purge(madeBy)
          },
          revisions: returning(revisions, (page) =>
            listingOf((page.loaded ?? []).slice(0, isPurged ? 1 : Number.POSITIVE_INFINITY), page.next),
          ),
        }
      },
    ],
    'ignores the cursor of a history': [
      'C11, K2: a history is read page by page',
      ({ revisions }) => ({ revisions: (query, window) => revisions(query, { ...window, after: O.none }) }),
    ],
    'mixes the content types': [
      'K2: revisions of an unknown item and of the other content type: none',
      ({ revisions }) => ({
        revisions: (query, window) =>
          pipe(
            revisions(query, window),
            TE.flatMap((page) =>
              page.loaded?.length === 0
                ? revisions({ ...query, contentType: 'feed' }, window)
                : TE.right(page),
            ),
          ),
      }),
    ],
    'returns the first state for every revision': [
      'K1, K2: the history is the sequence of the writes',
      ({ stateAt }) => ({ stateAt: (query) => stateAt(query, 1) }),
    ],
    'has no state of posts': [
      'K1, K2: creating and changing a post leave its revisions',
      ({ stateAt }) => ({
        stateAt: (query, number) =>
          query.contentType === 'feed' ? TE.right(O.some({})) : stateAt(query, number),
      }),
    ],
    'ignores the actor': [
      'K4: records are selected by time, actor and subject',
      asking(() => ({ actor: O.none })),
    ],
    'selects by actor or by subject': [
      'K4: records are selected by time, actor and subject',
      asking(({ actor, subject }) => (O.isSome(actor) ? { subject: O.none } : { subject })),
    ],
    'ignores the time': ['K4: records are selected by time', asking(() => ({ since: O.none }))],
    'ignores the action': ['K4: pages are selected by action', asking(() => ({ action: O.none }))],
    'leaves out the last moment': [
      'K4: pages are selected by action, time, actor and subject together',
      asking(({ until }) => ({ until: O.map((at: Instant) => addMillis(at, -1))(until) })),
    ],
    'continues a page with the next moment': [
      'C11, K4: pages of the audit hold each record once, also those of one moment',
      ({ audit }) => ({
        audit: (query, window) =>
          audit(query, {
            ...window,
            after: O.map((after: { at: Instant; id: number }) => ({ ...after, id: 0 }))(window.after),
          }),
      }),
    ],
    'names no field': [
      'K1: a change names each changed field before and after',
      ({ revisions }) => ({
        revisions: returning(revisions, (page) =>
          listingOf(
            (page.loaded ?? []).map((one) => ({ ...one, changes: one.changes.slice(0, 1) })),
            page.next,
          ),
        ),
      }),
    ],
    'purges younger records': [
      'K3: old records go, and the latest revision of each item stays',
      ({ purge }) => ({ purge: (madeBy) => purge(addMillis(madeBy, 1)) }),
    ],
    'purges nothing': ['K3: old records go', () => ({ purge: () => TE.right(0) })],
    'holds addresses': [
      'K1: users appear as numbers, without addresses and tokens',
      ({ records }, { personalData }) => ({
        records: async function* (query) {
          for await (const batch of records(query)) {
            const named: Array<AuditRecord> = []
            for (const record of batch) {
              const email = await personalData.addressOf(Number(record.subject.id))()
              const id = E.isRight(email) && O.isSome(email.right) ? email.right.value : record.subject.id
              named.push({ ...record, subject: { ...record.subject, id } })
            }
            yield named
          }
        },
      }),
    ],
  },
}
