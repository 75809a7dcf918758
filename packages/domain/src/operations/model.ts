import * as O from 'fp-ts/lib/Option.js'
import type { FailedSchedule } from '../content/due-schedules.ts'
import type { FeedItem, LibraryItem, Status } from '../content/model.ts'
import { isOlder, type LinkedCounterpart } from '../content/older.ts'
import type { OpenProposals } from '../content/publishing-proposals.ts'
import type { OlderPublication } from '../content/translations.ts'
import type { SendingQueue } from '../delivery/batch.ts'
import type { ProviderState } from '../delivery/settle.ts'
import type { ContentType } from '../history/model.ts'
import { type DeliveryState, NO_OUTCOMES, type Notification, type Tally } from '../notifications/model.ts'
import type { DeviceKind } from '../people/destinations.ts'
import type { LabelId } from '../values/ids.ts'
import type { Language } from '../values/text.ts'
import { dayOf, type Instant, instant, type LocalDate, startOfDay, type TimeZone } from '../values/time.ts'

/** The adapters behind the port groups, by their names. */
export interface AdapterNames {
  /** Such as `SQLite`. */
  readonly database: string
  /** Such as `folder`. */
  readonly storage: string
  /** The ways that pushes go: providers, or `log` or `file` where no device gets any. */
  readonly push: ReadonlyArray<string>
}

/** What a program measures of itself. What it cannot measure is none. */
export interface HostFigures {
  /** Requests that this machine has answered since its start. */
  readonly requests: O.Option<number>
  /** Operations of the database since the start. */
  readonly operations: O.Option<number>
  /** Free bytes where images are stored. */
  readonly freeBytes: O.Option<number>
}

/** What only the program around the domain knows: its settings, its machine and its metrics. */
export interface Host {
  readonly adapters: AdapterNames
  /** Examines settings and machine. Changes nothing. */
  readonly examine: () => Promise<ReadonlyArray<HealthFinding>>
  /** Measures this process and the place of its images. */
  readonly measure: () => Promise<HostFigures>
}

const NOT_MEASURED: HostFigures = { requests: O.none, operations: O.none, freeBytes: O.none }

/** A program that says nothing of itself. */
export const SILENT_HOST: Host = {
  adapters: { database: '', storage: '', push: [] },
  examine: async () => [],
  measure: async () => NOT_MEASURED,
}

/** How urgent a finding is: all is well, something may need an operator, something does. */
export const FINDING_LEVELS = ['ok', 'warning', 'fault'] as const
/** One of {@link FINDING_LEVELS}. */
export type FindingLevel = (typeof FINDING_LEVELS)[number]

/** What a check can find. The console has words for each in both languages (M8). */
export const FINDING_CODES = [
  'in-order',
  'check-failed',
  'address-of-all',
  'clock-apart',
  'database-files',
  'database-log',
  'devices-unroutable',
  'disk-files',
  'disk-full',
  'disk-narrow',
  'images-no-references',
  'images-other-storage',
  'images-too-many-orphans',
  'images-unknown',
  'links-proxy',
  'links-void',
  'media-bucket',
  'media-folder',
  'media-serving',
  'metrics-public',
  'nodes-differ',
  'pause-operator',
  'pause-refused',
  'pause-silent',
  'pause-unregistered',
  'push-credentials',
  'push-default',
  'push-file',
  'push-file-unwritable',
  'push-log',
  'push-unused',
  'retention-notifications',
  'retention-rows',
  'schedules-failed',
  'years-outside',
] as const
/** One of {@link FINDING_CODES}. */
export type FindingCode = (typeof FINDING_CODES)[number]

/** A result of a check, as data. The command line and the console have their own words for it. */
export interface HealthFinding {
  /** The name of the check, such as `pauses`. */
  readonly check: string
  readonly level: FindingLevel
  readonly code: FindingCode
  /** What the words need, by name. No secret and no address of a person is among them. */
  readonly values: Readonly<Record<string, string>>
}

/** Returns the finding of a check without anything to do. */
export const inOrder = (check: string): HealthFinding => ({
  check,
  level: 'ok',
  code: 'in-order',
  values: {},
})

/** What a running service does now: what waits, who is paused, and what the host measures. */
export interface Figures {
  readonly at: Instant
  readonly queue: SendingQueue
  readonly providers: ReadonlyArray<ProviderState>
  /** The running nodes. */
  readonly nodes: number
  readonly host: HostFigures
  readonly adapters: AdapterNames
}

/** Work that waits for content managers, in numbers. */
export interface DeskCounts {
  /** Posts that wait for approval: Drafts of the feed. */
  readonly waiting: number
  /** When the oldest of them was created. */
  readonly oldestWaiting: O.Option<Instant>
  /** By language: Live publications in the other language that have no Live counterpart in this one (J7). */
  readonly lacking: Readonly<Record<Language, number>>
  /** Live publications that are older than their Live counterparts (J8). */
  readonly older: number
}

/** A notification, and how far its delivery has come. */
export interface NotificationState {
  readonly notification: Notification
  readonly state: DeliveryState
}

/** What a content manager should look at. */
export interface Desk extends DeskCounts {
  /** The first publications that are older, with the words that changed on their counterparts (J8). */
  readonly changed: ReadonlyArray<OlderPublication & { readonly title: LibraryItem['title'] }>
  /** The notifications of today, the first one first. */
  readonly today: ReadonlyArray<NotificationState>
  /** Recent notifications that did not reach all their devices, the latest first. */
  readonly failed: ReadonlyArray<NotificationState>
  /** Recent schedules of items that failed, the latest first (C15). */
  readonly schedules: ReadonlyArray<FailedSchedule>
  /** Rewrites of Live items that are not published (C16). */
  readonly proposals: OpenProposals
}

/** Returns the counterpart of an item if it is Live, and so its readers in the other language are served. */
const liveCounterpart = (counterpart: O.Option<LinkedCounterpart>): O.Option<LinkedCounterpart> =>
  O.filter(({ status }: LinkedCounterpart) => status === 'Live')(counterpart)

/** Counts what waits. Each store's translation is tested against it. */
export const countDesk = (
  posts: ReadonlyArray<FeedItem>,
  publications: ReadonlyArray<LibraryItem>,
  counterpartOf: (item: LibraryItem) => O.Option<LinkedCounterpart>,
): DeskCounts => {
  const drafts = posts.filter(({ status }) => status === 'Draft')
  const live = publications
    .filter(({ status }) => status === 'Live')
    .map((item) => ({ item, counterpart: liveCounterpart(counterpartOf(item)) }))
  const lacking = (other: Language) =>
    live.filter(({ item, counterpart }) => item.lang === other && O.isNone(counterpart)).length
  const older = live.filter(({ counterpart }) => O.exists(isOlder)(counterpart))
  return {
    waiting: drafts.length,
    oldestWaiting:
      drafts.length === 0 ? O.none : O.some(instant(Math.min(...drafts.map(({ createdAt }) => createdAt)))),
    lacking: { en: lacking('fr'), fr: lacking('en') },
    older: older.length,
  }
}

/** A month of a time zone: its first day, and the moment at which that day begins. */
export interface Month {
  readonly first: LocalDate
  readonly begins: Instant
}

/** How many items of a language are Live. */
export type ByLanguage = Readonly<Record<Language, number>>

/** Live items of a month. */
export interface PublishedCount {
  readonly library: ByLanguage
  readonly feed: ByLanguage
}

const firstOf = (year: number, month: number): LocalDate =>
  new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10) as LocalDate

/** Returns this number of months of a time zone up to that of `now`, oldest first, and the beginning of the month after them (B8). */
export const lastMonths = (now: Instant, zone: TimeZone, count: number): ReadonlyArray<Month> => {
  const today = new Date(dayOf(now, zone))
  return Array.from({ length: count + 1 }, (_, at) => {
    const first = firstOf(today.getUTCFullYear(), today.getUTCMonth() - count + 1 + at)
    return { first, begins: startOfDay(first, zone) }
  })
}

interface Published {
  readonly library: ReadonlyArray<Pick<LibraryItem, 'lang' | 'status' | 'publicationDate'>>
  readonly feed: ReadonlyArray<Pick<LibraryItem, 'lang' | 'status' | 'createdAt'>>
}

/**
 * Counts the Live items of each month: publications by their publication date, posts by the moment at which they were created.
 * @param months as `lastMonths` returns them; the last one is only the end of the one before
 */
export const countPublished = (
  { library, feed }: Published,
  months: ReadonlyArray<Month>,
): ReadonlyArray<PublishedCount> => {
  const inMonth = (isBefore: (month: Month) => boolean, at: number) => months.findIndex(isBefore) === at + 1
  const by = <A extends { readonly lang: Language; readonly status: string }>(
    items: ReadonlyArray<A>,
    isIn: (item: A) => boolean,
  ): ByLanguage => {
    const live = items.filter((item) => item.status === 'Live' && isIn(item))
    const en = live.filter(({ lang }) => lang === 'en').length
    return { en, fr: live.length - en }
  }
  return months.slice(0, -1).map((_, at) => ({
    library: by(library, ({ publicationDate }) => inMonth(({ first }) => publicationDate < first, at)),
    feed: by(feed, ({ createdAt }) => inMonth(({ begins }) => createdAt < begins, at)),
  }))
}

/** How many items of a content type are in a state and a language. */
export interface ItemCount {
  readonly contentType: ContentType
  readonly status: Status
  readonly lang: Language
  readonly count: number
}

/** How many devices are of a kind. */
export interface DeviceCount {
  readonly kind: DeviceKind
  readonly count: number
}

/** A service in numbers. What there is none of is left out. */
export interface Survey {
  /** By content type, state and language, in no order. */
  readonly items: ReadonlyArray<ItemCount>
  /** By kind, in no order. */
  readonly devices: ReadonlyArray<DeviceCount>
  /** Outcomes of devices, counted for each requested day. */
  readonly deliveries: ReadonlyArray<Tally>
}

/** Notifications that were started in a month, and what became of their devices. */
export interface SentCount extends Tally {
  readonly notifications: number
  readonly recipients: number
}

/** What was sent in a month, by language. */
export type SentMonth = Readonly<Record<Language, SentCount>>

/** How many people prefer a language and do or do not want notifications. */
export interface PeopleCount {
  readonly lang: Language
  readonly subscribed: boolean
  readonly count: number
}

/** How many people who want notifications in a language follow a label, or, without one, everything (F6). */
export interface TopicCount {
  readonly labelId: O.Option<LabelId>
  readonly lang: Language
  readonly count: number
}

/** What reached whom. What there is none of is left out of the lists, which are in no order. */
export interface Reach {
  /** For each requested month. */
  readonly sent: ReadonlyArray<SentMonth>
  readonly devices: ReadonlyArray<DeviceCount>
  readonly people: ReadonlyArray<PeopleCount>
  readonly topics: ReadonlyArray<TopicCount>
}

/** A month or a language in which nothing was sent. */
export const NOTHING_SENT: SentCount = { notifications: 0, recipients: 0, ...NO_OUTCOMES }
