import type { DeskCounts, JobLease, PublishedCount, Reach, Survey } from '@almoner/domain/operations'
import type { Node, NodeLog } from '@almoner/domain/ports'
import {
  addMillis,
  type Instant,
  type ItemId,
  instant,
  MINUTE,
  type NotificationId,
} from '@almoner/domain/values'
import { MANAGER_NOW } from '@almoner/testkit/contracts'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

const surveying =
  (change: (survey: Survey) => Partial<Survey>): Faults<'statistics'>['statistics'][string][1] =>
  ({ survey }) => ({
    survey: returning(survey, (found) => ({ ...found, ...change(found) })),
  })

const publishing =
  (
    change: (counts: ReadonlyArray<PublishedCount>) => ReadonlyArray<PublishedCount>,
  ): Faults<'statistics'>['statistics'][string][1] =>
  ({ published }) => ({ published: returning(published, change) })

const reaching =
  (change: (reach: Reach) => Partial<Reach>): Faults<'statistics'>['statistics'][string][1] =>
  ({ reach }) => ({ reach: returning(reach, (found) => ({ ...found, ...change(found) })) })

const counting =
  (change: (counts: DeskCounts) => Partial<DeskCounts>): Faults<'statistics'>['statistics'][string][1] =>
  ({ desk }) => ({
    desk: returning(desk, (counts) => ({ ...counts, ...change(counts) })),
  })

/** Faults of logs over which nodes exchange. */
const logFaults = <Entry>(): Readonly<
  Record<string, readonly [string, (log: NodeLog<Entry>) => Partial<NodeLog<Entry>>]>
> => ({
  'returns what the node has noted itself': [
    'A8: a node reads what others have noted since a moment',
    ({ ofOthers }) => ({ ofOthers: (_, since, most) => ofOthers('none', since, most) }),
  ],
  'reads without a limit': [
    'A8: a node reads what others have noted since a moment',
    ({ ofOthers }) => ({ ofOthers: (node, since) => ofOthers(node, since, 1000) }),
  ],
  'leaves out that moment': [
    'A8: a node reads what others have noted since a moment',
    ({ ofOthers }) => ({ ofOthers: (node, since, most) => ofOthers(node, addMillis(since, 1), most) }),
  ],
  'keeps entries for two minutes': [
    'A8, I9: what no longer counts is deleted by the next write',
    ({ add }) => ({ add: (entries, now) => add(entries, addMillis(now, -MINUTE)) }),
  ],
})

/** Faults of statistics, heartbeats, time, chance and identifiers. */
export const OPERATION_FAULTS: Faults<
  'statistics' | 'nodes' | 'jobLeases' | 'failureLog' | 'requestLog' | 'clock' | 'timer' | 'random' | 'ids'
> = {
  statistics: {
    'counts no posts': [
      'stats: items are counted by content type, status and language',
      surveying(({ items }) => ({ items: items.filter(({ contentType }) => contentType === 'library') })),
    ],
    'counts all devices as one kind': [
      'stats: devices are counted by kind',
      surveying(({ devices }) => ({
        devices: [{ kind: 'fcm', count: devices.reduce((sum, { count }) => sum + count, 0) }],
      })),
    ],
    'counts outcomes on the wrong day': [
      'stats: outcomes are counted by the day on which they were recorded',
      surveying(({ deliveries }) => ({ deliveries: deliveries.toReversed() })),
    ],
    'counts waiting posts in thousands': [
      'J7, stats: what waits for content managers is counted by its rule',
      counting(({ waiting }) => ({ waiting: Math.floor(waiting / 1000) })),
    ],
    'knows no outdated translation': [
      'J7, stats: what waits for content managers',
      counting(() => ({ older: 0 })),
    ],
    'mixes the languages that lack a translation': [
      'J7, stats: what waits for content managers',
      counting(({ lacking: { en, fr } }) => ({ lacking: { en: fr, fr: en } })),
    ],
    'counts Live items of the month before': [
      'B8, stats: Live items are counted by month and language',
      publishing(([first, ...others]) => [...others, ...(first ? [first] : [])]),
    ],
    'counts the first month last': [
      'B8, stats: Live items are counted by month',
      publishing((counts) => counts.toReversed()),
    ],
    'mixes the languages of notifications': [
      'G7, stats: notifications are counted by the month of their start',
      reaching(({ sent }) => ({ sent: sent.map(({ en, fr }) => ({ en: fr, fr: en })) })),
    ],
    'counts notifications of the month before': [
      'G7, stats: notifications are counted by the month of their start',
      reaching(({ sent }) => ({ sent: sent.toReversed() })),
    ],
    'counts people who want no notifications as followers': [
      'F6, stats: people are counted by language, and by label',
      reaching(({ topics }) => ({ topics: topics.map((one) => ({ ...one, count: one.count + 1 })) })),
    ],
    'counts subscribed people alone': [
      'F6, stats: people are counted by language',
      reaching(({ people }) => ({ people: people.filter(({ subscribed }) => subscribed) })),
    ],
    'counts posts as publications': [
      'B8, stats: Live items are counted by month',
      publishing((counts) => counts.map(({ library, feed }) => ({ library: feed, feed: library }))),
    ],
  },
  nodes: {
    'lists nodes by identifier': [
      'nodes: the last heartbeat of each node is returned, in the order of their names',
      ({ since }) => ({
        since: returning(since, (all) => [...all].sort((a, b) => (a.id < b.id ? -1 : 1))),
      }),
    ],
    'keeps the first heartbeat': [
      'nodes: the last heartbeat of each node is returned',
      ({ beat }) => {
        const first = new Map<string, Node>()
        return {
          beat: (node, forgotten) => {
            first.set(node.id, first.get(node.id) ?? node)
            return beat(first.get(node.id) ?? node, forgotten)
          },
        }
      },
    ],
    'loses the settings': [
      'nodes: the last heartbeat of each node',
      ({ beat }) => ({ beat: (node, forgotten) => beat({ ...node, settings: {} }, forgotten) }),
    ],
    'leaves out heartbeats of that moment': [
      'nodes: the last heartbeat of each node',
      ({ since }) => ({ since: (moment) => since(addMillis(moment, 1)) }),
    ],
    'keeps nodes for ever': [
      'nodes: a node that deregisters, or sends no heartbeat for long, is deleted',
      ({ beat }) => ({ beat: (node) => beat(node, instant(0)) }),
    ],
    'keeps a node that deregisters': [
      'nodes: a node that deregisters',
      () => ({ deregister: () => TE.right(undefined) }),
    ],
    'keeps a heartbeat from the future': [
      'I9: a heartbeat from the future is deleted by the next one',
      ({ beat }) => ({
        beat: (node, forgotten) =>
          pipe(
            beat(
              { ...node, lastSeenAt: instant(Math.min(node.lastSeenAt, MANAGER_NOW)) },
              instant(Math.min(forgotten, MANAGER_NOW)),
            ),
          ),
      }),
    ],
  },
  jobLeases: {
    'gives a job to all that ask': [
      'leases: only the process that knows the latest state replaces it',
      ({ replace }) => ({ replace: (next) => TE.map(() => true)(replace(next)) }),
    ],
    'keeps one lease for all jobs': [
      'leases: the lease of a job is stored, apart from those of others',
      ({ find, replace }) => ({
        find: (job) => TE.map((lease: JobLease) => ({ ...lease, job }))(find('one')),
        replace: (next) => replace({ ...next, job: 'one' }),
      }),
    ],
    'forgets when a job ran': [
      'leases: the lease of a job is stored',
      ({ replace }) => ({ replace: (next) => replace({ ...next, ranAt: O.none }) }),
    ],
    'reads before it writes, in two steps': [
      'leases: of several that take step 1 at once, one gets it',
      ({ find, replace }) => ({
        replace: (next) =>
          pipe(
            find(next.job),
            TE.flatMap(({ step }) =>
              step === next.step - 1 ? TE.map(() => true)(replace(next)) : TE.right(false),
            ),
          ),
      }),
    ],
  },
  failureLog: {
    ...logFaults(),
    'counts a repeated entry twice': [
      'A8: what is noted again stays as it was',
      ({ add }) => {
        let written = 0
        return {
          add: (entries, now) => {
            written += 1000
            return add(
              entries.map((entry) => ({ ...entry, number: entry.number + written })),
              now,
            )
          },
        }
      },
    ],
  },
  requestLog: {
    ...logFaults(),
    'keeps the first report of a key': [
      'A8: of a node and a key, the last report counts',
      ({ add }) => {
        const known = new Set<string>()
        return {
          add: (entries, now) => {
            const fresh = entries.filter(({ node, key }) => !known.has(`${node} ${key}`))
            for (const { node, key } of fresh) known.add(`${node} ${key}`)
            return add(fresh, now)
          },
        }
      },
    ],
    'keeps one report for all nodes': [
      'A8: a node reads what others have noted since a moment',
      ({ add }) => ({
        add: (entries, now) =>
          add(
            entries.map((entry) => ({ ...entry, node: 'one' })),
            now,
          ),
      }),
    ],
    'stores a hundred keys at once': [
      'A8: hundreds of keys are stored at once',
      ({ add }) => ({ add: (entries, now) => add(entries.slice(0, 100), now) }),
    ],
  },
  clock: {
    'counts seconds': [
      'a clock returns whole milliseconds within the years in which the service runs',
      ({ now }) => ({ now: () => instant(Math.floor(now() / 1000)) }),
    ],
    'returns fractions': [
      'a clock returns whole milliseconds',
      ({ now }) => ({ now: () => (now() + 0.5) as Instant }),
    ],
  },
  timer: {
    'throws if there is no time to wait': [
      'a timer resolves, also when it waits for no time',
      ({ wait }) => ({
        wait: (milliseconds) => async () => {
          if (milliseconds === 0) throw new RangeError('there is nothing to wait for')
          return wait(milliseconds)()
        },
      }),
    ],
    'waits once': [
      'a timer resolves',
      ({ wait }) => ({
        wait: (milliseconds) => {
          let waits = 0
          return async () => {
            waits += 1
            if (waits > 1) throw new Error('the timer is used up')
            return wait(milliseconds)()
          }
        },
      }),
    ],
  },
  random: {
    'returns 1': ['G5: a random fraction is at least 0 and below 1', () => ({ fraction: () => 1 })],
    'returns 0': ['G5: a random fraction is at least 0 and below 1', () => ({ fraction: () => 0 })],
  },
  ids: {
    'counts down': [
      'C3: identifiers are UUIDv7 and grow in text order',
      ({ nextItemId }) => {
        let left = 0xffff_ffff
        return {
          nextItemId: () => {
            left -= 1
            return `${nextItemId().slice(0, -8)}${left.toString(16)}` as ItemId
          },
        }
      },
    ],
    'makes UUIDv4': [
      'C3: identifiers are UUIDv7',
      ({ nextItemId }) => ({ nextItemId: () => nextItemId().replace('-7', '-4') as ItemId }),
    ],
    'gives notifications one identifier': [
      'C3: identifiers are UUIDv7 and grow in text order',
      ({ nextNotificationId }) => {
        const one: NotificationId = nextNotificationId()
        return { nextNotificationId: () => one }
      },
    ],
  },
}
