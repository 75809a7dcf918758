import { isRecentFailure } from '@almoner/domain/access'
import type { LibraryItem } from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { NO_OUTCOMES, OUTCOMES, type Outcome, type Tally } from '@almoner/domain/notifications'
import {
  countDesk,
  countPublished,
  type DeviceCount,
  dayAmong,
  firstLease,
  type ItemCount,
  type Month,
  NOTHING_SENT,
  type Reach,
  type SentCount,
} from '@almoner/domain/operations'
import type { JobLeases, Node, NodeLog, Nodes, Statistics } from '@almoner/domain/ports'
import { type Instant, isFarAhead, type Language } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { linkedCounterpart } from './content.ts'
import { progressOf, type Sending, type Tables } from './tables.ts'

const inOrder = (a: Node, b: Node): number => {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** The nodes that use a store, in memory. */
export const memoryNodes = ({ nodes }: Tables): Nodes => ({
  beat: (node, forgotten) =>
    TE.fromIO(() => {
      nodes.set(node.id, node)
      for (const { id, lastSeenAt } of nodes.values())
        if (lastSeenAt < forgotten || isFarAhead(lastSeenAt, node.lastSeenAt)) nodes.delete(id)
    }),
  since: (moment) =>
    TE.fromIO(() => [...nodes.values()].filter(({ lastSeenAt }) => lastSeenAt >= moment).sort(inOrder)),
  deregister: (id) => TE.fromIO(() => void nodes.delete(id)),
})

/** The leases of jobs, in memory. */
export const memoryJobLeases = ({ jobLeases }: Tables): JobLeases => {
  const leaseOf = (job: string) => jobLeases.get(job) ?? firstLease(job)
  return {
    find: (job) => TE.fromIO(() => leaseOf(job)),
    replace: (next) =>
      TE.fromIO(() => {
        if (leaseOf(next.job).step !== next.step - 1) return false
        jobLeases.set(next.job, next)
        return true
      }),
  }
}

/** Entries that nodes exchange, in memory. @param nameOf what an entry has in common with one that it repeats */
export const memoryNodeLog = <Entry extends { readonly node: string; readonly at: Instant }>(
  stored: Map<string, Entry>,
  nameOf: (entry: Entry) => string,
): NodeLog<Entry> => ({
  add: (entries, now) =>
    TE.fromIO(() => {
      for (const entry of entries) stored.set(nameOf(entry), entry)
      for (const [name, { at }] of stored) if (!isRecentFailure(at, now)) stored.delete(name)
    }),
  ofOthers: (node, since, most) =>
    TE.fromIO(() =>
      [...stored.values()]
        .filter((entry) => entry.node !== node && entry.at >= since)
        .sort((a, b) => b.at - a.at)
        .slice(0, most),
    ),
})

const countOf = <A extends object>(kinds: Iterable<A>): ReadonlyArray<A & { readonly count: number }> => {
  const counts = new Map<string, A & { readonly count: number }>()
  for (const kind of kinds) {
    const key = JSON.stringify(kind)
    counts.set(key, { ...kind, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

const itemsOn = (
  contentType: ContentType,
  items: Iterable<Pick<LibraryItem, 'status' | 'lang'>>,
): ReadonlyArray<ItemCount> => countOf([...items].map(({ status, lang }) => ({ contentType, status, lang })))

const devicesIn = ({ devices }: Tables): ReadonlyArray<DeviceCount> =>
  countOf([...devices.values()].map(({ device: { kind } }) => ({ kind })))

/** Counts outcomes; without recipients, all count at the end of the notification (G8). */
const endedIn = ({ recipients, summary }: Sending): ReadonlyArray<readonly [Outcome, Instant, number]> => {
  if (summary !== undefined && O.isSome(summary.finishedAt)) {
    const at = summary.finishedAt.value
    return OUTCOMES.map((outcome) => [outcome, at, summary.tally[outcome]])
  }
  return recipients.flatMap(
    ({ standing }): ReadonlyArray<readonly [Outcome, Instant, number]> =>
      standing.kind === 'ended' ? [[standing.outcome, standing.at, 1]] : [],
  )
}

const deliveriesIn = (
  { notifications, sendings }: Tables,
  days: ReadonlyArray<Instant>,
): ReadonlyArray<Tally> => {
  const tallies = days.map(() => ({ ...NO_OUTCOMES }))
  const living = [...sendings].flatMap(([id, sending]) => (notifications.has(id) ? [sending] : []))
  for (const [outcome, at, count] of living.flatMap(endedIn)) {
    const tally = tallies[dayAmong(days, at)]
    if (tally !== undefined) tally[outcome] += count
  }
  return tallies
}

const sentIn = (
  { notifications, sendings }: Tables,
  { begins }: Month,
  end: Instant,
  lang: Language,
): SentCount => {
  const started = [...sendings].filter(
    ([id, { startedAt }]) => notifications.get(id)?.lang === lang && startedAt >= begins && startedAt < end,
  )
  const sum = { ...NOTHING_SENT, notifications: started.length }
  for (const [, sending] of started) {
    const { recipients, tally } = progressOf(sending)
    sum.recipients += recipients
    for (const outcome of OUTCOMES) sum[outcome] += tally[outcome]
  }
  return sum
}

const peopleIn = ({ users }: Tables): Pick<Reach, 'people' | 'topics'> => {
  const all = [...users.values()]
  const topics = all
    .filter(({ subscribed }) => subscribed)
    .flatMap(({ lang, topics: followed }) =>
      followed.length === 0
        ? [{ labelId: O.none, lang }]
        : followed.map((labelId) => ({ labelId: O.some(labelId), lang })),
    )
  return {
    people: countOf(all.map(({ lang, subscribed }) => ({ lang, subscribed }))),
    topics: countOf(topics),
  }
}

/** Counts the stored rows. */
export const memoryStatistics = (tables: Tables): Statistics => ({
  survey: (days) =>
    TE.fromIO(() => ({
      items: [...itemsOn('library', tables.library.values()), ...itemsOn('feed', tables.feed.values())],
      devices: devicesIn(tables),
      deliveries: deliveriesIn(tables, days),
    })),
  desk: () =>
    TE.fromIO(() =>
      countDesk([...tables.feed.values()], [...tables.library.values()], ({ id }) =>
        O.fromNullable(linkedCounterpart(tables, id)),
      ),
    ),
  published: (months) =>
    TE.fromIO(() =>
      countPublished({ library: [...tables.library.values()], feed: [...tables.feed.values()] }, months),
    ),
  reach: (months) =>
    TE.fromIO(() => ({
      sent: months.slice(0, -1).map((month, at) => {
        const end = months[at + 1]?.begins ?? month.begins
        return { en: sentIn(tables, month, end, 'en'), fr: sentIn(tables, month, end, 'fr') }
      }),
      devices: devicesIn(tables),
      ...peopleIn(tables),
    })),
})
