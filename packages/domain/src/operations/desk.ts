import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted, SCOPES, type Scope } from '../access/caller.ts'
import { callerWith } from '../access/host.ts'
import { failedSchedules } from '../content/due-schedules.ts'
import { type Matches, matchesFeed, matchesLibrary } from '../content/finding.ts'
import { ITEM_NOT_FOUND, type ItemNotFound } from '../content/model.ts'
import { openProposals } from '../content/publishing-proposals.ts'
import { todayFor, type Visibility, type VisibilityPolicy, visibilityOf } from '../content/rules.ts'
import { endOfRetention } from '../delivery/batch.ts'
import type { ManagerPolicy } from '../managers/ports.ts'
import { deliveryOf } from '../notifications/model.ts'
import type { NotificationWithProgress } from '../notifications/ports.ts'
import { ItemId } from '../values/ids.ts'
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { LANGUAGES, type Language } from '../values/text.ts'
import { dayOf, endOfDay, type LocalDate, MINUTE, startOfDay, TimeZone } from '../values/time.ts'
import { sharedTask } from './figures.ts'
import { type Desk, lastMonths, type NotificationState, type PublishedCount } from './model.ts'
import type { OperationsPorts } from './ports.ts'

/** The readers of a scope who read one language, and whether an item is in the list that they get (A3, C9). */
export interface Reader {
  readonly role: Scope
  readonly lang: Language
  readonly visible: boolean
}

/** What a list is asked with: how far a reader sees, and the language. */
interface Asked {
  readonly visibility: Visibility
  readonly lang: O.Option<Language>
}

/** Returns for each kind of reader whether it gets an item, by the rule that lists follow (A3, C9). */
export const readersOf =
  <Item, Query>(matches: Matches<Item, Query>, queryOf: (asked: Asked) => Query) =>
  (item: Item, embargo: O.Option<LocalDate>): ReadonlyArray<Reader> =>
    SCOPES.flatMap((role) =>
      LANGUAGES.map((lang) => {
        const visibility = visibilityOf(callerWith(role), embargo)
        return { role, lang, visible: matches(queryOf({ visibility, lang: O.some(lang) }))(item) }
      }),
    )

/** Parameters of GET /desk: the time zone whose day is shown, that of the service by default (B8). */
export const ShowDesk = parameters({ name: 'ShowDesk', required: {}, optional: { timeZone: TimeZone } })
export type ShowDesk = typeof ShowDesk._A

/** Days for which a failed notification is shown after its date. */
const FAILED_DAYS = 7

/** Notifications of a day, and of the days before, that are looked at. */
const MOST_TODAY = 50
const MOST_RECENT = 200

/** Older publications that are shown. */
const MOST_OLDER = 3

/** Proposals that are shown. */
const MOST_PROPOSALS = 20

type OlderPorts = Pick<OperationsPorts, 'libraryItems' | 'translations'>

/** Reads the first publications that are older than their counterparts. */
const readOlder = ({ libraryItems, translations }: OlderPorts): TE.TaskEither<Unavailable, Desk['changed']> =>
  pipe(
    translations.older(MOST_OLDER),
    TE.bindTo('ids'),
    TE.bind('items', ({ ids }) => libraryItems.findAll(ids)),
    TE.bind('counterparts', ({ ids }) => translations.ofItems(ids)),
    TE.map(({ ids, items, counterparts }) =>
      ids.flatMap((itemId) => {
        const [item, counterpart] = [items.find(({ id }) => id === itemId), counterparts.get(itemId)]
        const isGone = item === undefined || counterpart === undefined
        return isGone ? [] : [{ itemId, title: item.title, counterpart }]
      }),
    ),
  )

const stateOf = ({ notification, progress }: NotificationWithProgress): NotificationState => ({
  notification,
  state: deliveryOf(notification, progress).state,
})

/** Shows what waits for content managers: posts, translations, proposals, notifications of today and the last days, failed schedules (C15, C16, G7, J7, J8). */
export const makeShowDesk =
  (
    ports: OlderPorts &
      Pick<OperationsPorts, 'clock' | 'notifications' | 'proposals' | 'statistics' | 'history' | 'feedItems'>,
    policy: Pick<ManagerPolicy, 'timeZone'>,
  ) =>
  (
    caller: Caller,
    { timeZone = policy.timeZone }: ShowDesk,
  ): TE.TaskEither<InsufficientScope | Unavailable, Desk> =>
    permitted(
      'showDesk',
      caller,
    )(() => {
      const now = ports.clock.now()
      const day = dayOf(now, timeZone)
      const end = O.getOrElse(() => now)(endOfDay(day, timeZone))
      const first = startOfDay(day, timeZone)
      const recent = { from: endOfRetention(now, FAILED_DAYS), to: now, most: MOST_RECENT }
      return pipe(
        TE.Do,
        TE.bind('counts', () => ports.statistics.desk()),
        TE.bind('changed', ({ counts }) => (counts.older === 0 ? TE.right([]) : readOlder(ports))),
        TE.bind('today', () => ports.notifications.dated({ from: first, to: end, most: MOST_TODAY })),
        TE.bind('recent', () => ports.notifications.dated(recent)),
        TE.bind('schedules', () => failedSchedules(ports)),
        TE.bind('proposals', () => openProposals(ports, caller, MOST_PROPOSALS)),
        TE.map((found) => ({
          ...found.counts,
          schedules: found.schedules,
          changed: found.changed,
          proposals: found.proposals,
          today: found.today.map(stateOf).toReversed(),
          failed: found.recent.map(stateOf).filter(({ state }) => state === 'failed' || state === 'partial'),
        })),
      )
    })

/** Parameters of GET /published. */
export const ShowPublished = parameters({ name: 'ShowPublished', required: {}, optional: {} })
export type ShowPublished = typeof ShowPublished._A

/** Months that are counted, the present one included. */
const MONTHS = 12

/** Milliseconds for which a count answers further callers. */
const LIFE = MINUTE

/** What was published in a month. */
export interface PublishedMonth extends PublishedCount {
  readonly first: LocalDate
}

/** Returns the Live items of the last twelve months by language, the oldest month first (B8). At most a minute old. */
export const makeShowPublished = (
  { clock, statistics }: Pick<OperationsPorts, 'clock' | 'statistics'>,
  { timeZone }: Pick<ManagerPolicy, 'timeZone'>,
) => {
  const count = sharedTask(clock, LIFE, async () => {
    const months = lastMonths(clock.now(), timeZone, MONTHS)
    const named = (counts: ReadonlyArray<PublishedCount>): ReadonlyArray<PublishedMonth> =>
      counts.flatMap((one, at) => {
        const month = months[at]
        return month === undefined ? [] : [{ first: month.first, ...one }]
      })
    return TE.map(named)(statistics.published(months))()
  })
  return (
    caller: Caller,
    _parameters: ShowPublished,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<PublishedMonth>> =>
    permitted('showDesk', caller)(() => count)
}

/** Parameters of GET /library/<itemId>/readers and GET /feed/<itemId>/readers. */
export const ShowReaders = parameters({ name: 'ShowReaders', required: { itemId: ItemId }, optional: {} })
export type ShowReaders = typeof ShowReaders._A

type Shown = TE.TaskEither<InsufficientScope | ItemNotFound | Unavailable, ReadonlyArray<Reader>>

const libraryReaders = readersOf(matchesLibrary, (asked) => asked)
const feedReaders = readersOf(matchesFeed, (asked) => ({ ...asked, kind: O.none }))

const show = <Item>(
  caller: Caller,
  find: TE.TaskEither<Unavailable, O.Option<Item>>,
  readers: (item: Item) => ReadonlyArray<Reader>,
): Shown =>
  permitted(
    'showReaders',
    caller,
  )(() =>
    pipe(find, TE.flatMap(TE.fromOption((): ItemNotFound | Unavailable => ITEM_NOT_FOUND)), TE.map(readers)),
  )

const embargoOf = (policy: VisibilityPolicy, ports: Pick<OperationsPorts, 'clock'>): O.Option<LocalDate> =>
  policy.embargo ? O.some(todayFor(policy, ports.clock)) : O.none

/** Shows which kinds of readers get a publication today, by the rule that lists follow (A3, C9). */
export const makeShowLibraryReaders =
  (ports: Pick<OperationsPorts, 'libraryItems' | 'clock'>, policy: VisibilityPolicy) =>
  (caller: Caller, { itemId }: ShowReaders): Shown =>
    show(caller, ports.libraryItems.find(itemId), (item) => libraryReaders(item, embargoOf(policy, ports)))

/** Shows which kinds of readers get a post, by the rule that lists follow (A3). */
export const makeShowFeedReaders =
  (ports: Pick<OperationsPorts, 'feedItems' | 'clock'>, policy: VisibilityPolicy) =>
  (caller: Caller, { itemId }: ShowReaders): Shown =>
    show(caller, ports.feedItems.find(itemId), (item) => feedReaders(item, embargoOf(policy, ports)))
