import type { StoredChange } from '@almoner/domain/changes'
import { NEVER_SHOWN } from '@almoner/domain/content'
import { type Instant, instant } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

const spoiling =
  (
    spoil: (changes: ReadonlyArray<StoredChange>) => ReadonlyArray<StoredChange>,
  ): Faults<'changes'>['changes'][string][1] =>
  ({ after }) => ({ after: returning(after, ({ tip, changes }) => ({ tip, changes: spoil(changes) })) })

const forgetting = (isForgotten: (change: StoredChange) => boolean) =>
  spoiling((changes) => changes.filter((change) => !isForgotten(change)))

/** Faults of what changed: also those of a store whose writes forget to record it. */
export const CHANGES_FAULTS: Faults<'changes'> = {
  changes: {
    'forgets new items': [
      'N2: each write of an item puts it behind all others',
      forgetting(({ kind }) => kind === 'feed'),
    ],
    'forgets labels of items': [
      'N1: attaching and detaching a label changes the labels of an item',
      forgetting(({ aspect }) => aspect === 'labels'),
    ],
    'forgets that labels were renamed': [
      'E1, N2: a label with new names changes the items that have it',
      forgetting(({ aspect }) => aspect === 'labels'),
    ],
    'forgets sizes': [
      'D9, N2: the size of an image found later changes the items',
      forgetting(({ aspect }) => aspect === 'images'),
    ],
    'forgets the portfolio': [
      'H1, N1: another portfolio is one change',
      forgetting(({ kind }) => kind === 'portfolio'),
    ],
    'forgets removed labels': [
      'E1, N1: a load of labels changes those from the first new one on',
      forgetting((change) => change.kind === 'label' && O.isNone(change.state)),
    ],
    'forgets moments of schedules': [
      'C15, N2: moments of schedules are changes',
      forgetting((change) => change.kind === 'library' && O.toUndefined(change.state)?.status !== 'Draft'),
    ],
    'forgets who could see an item': [
      'N2: a place remembers who could once see an item',
      spoiling((changes) =>
        changes.map((change) => ('leads' in change ? { ...change, leads: NEVER_SHOWN } : change)),
      ),
    ],
    'orders labels by their ids': [
      'E1, N1: a load of labels changes those from the first new one on, in order',
      spoiling((changes) => changes.toSorted((a, b) => (a.id < b.id ? -1 : 1))),
    ],
    'gives every aspect': [
      'N1: attaching and detaching a label changes the labels of an item alone',
      ({ after }) => ({ after: (query) => after({ ...query, aspects: ['own', 'labels', 'images'] }) }),
    ],
    'gives every kind': [
      'N1: attaching and detaching a label changes the labels of an item alone',
      ({ after }) => ({
        after: (query) => after({ ...query, kinds: ['library', 'feed', 'label', 'portfolio'] }),
      }),
    ],
    'begins behind the position of a place': [
      'E1, N1: a load of labels changes those from the first new one on, in order',
      ({ after }) => ({
        after: ({ place, ...query }) =>
          after({
            ...query,
            position: O.isSome(place) ? place.value.position : query.position,
            place: O.none,
          }),
      }),
    ],
    'skips a change that moved': [
      'N2: places are walked in steps of any size, while others change',
      ({ after }) => {
        const seen = new Set<string>()
        return {
          after: returning(after, ({ tip, changes }) => ({
            tip,
            changes: changes.filter(({ id }) => !seen.has(id) && seen.add(id)),
          })),
        }
      },
    ],
    'has a tip that stands still': [
      'K3: what was deleted long ago is forgotten',
      ({ tip }) => {
        let first: ReturnType<ReturnType<typeof tip>> | undefined
        return { tip: () => () => (first ??= tip()()) }
      },
    ],
    'counts what is rejected': [
      'N2: a write that is rejected changes nothing',
      ({ tip }) => {
        let asked = 0
        return {
          tip: returning(tip, (found) => {
            asked += 1
            return { ...found, latest: found.latest + asked }
          }),
        }
      },
    ],
    'forgets deletions at once': [
      'K3: what was deleted long ago is forgotten',
      ({ purge }) => ({ purge: () => purge(instant(Number.MAX_SAFE_INTEGER) as Instant) }),
    ],
    'forgets no deletion': [
      'K3: what was deleted long ago is forgotten',
      () => ({ purge: () => TE.right(0) }),
    ],
    'knows every epoch': [
      'K3: what was deleted long ago is forgotten',
      () => ({ endOf: () => TE.right(O.some(0)) }),
    ],
  },
}
