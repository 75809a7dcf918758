import type { Client, StoredSecret, TokenDigest } from '@almoner/domain/access'
import type { ChangePlace } from '@almoner/domain/changes'
import {
  type Author,
  type DeletionId,
  type FeedItem,
  type Label,
  type Leads,
  type LibraryItem,
  type LinkFinding,
  NO_ROUNDS,
  type Proposal,
  type ProposalId,
} from '@almoner/domain/content'
import {
  type Origin,
  type PreferenceHistory,
  type StartedAudience,
  type StoredOrigin,
  withPreferenceFrom,
} from '@almoner/domain/delivery'
import type { AuditRecord, ContentType, Fields } from '@almoner/domain/history'
import type {
  CopyKey,
  Identity,
  Manager,
  Passkey,
  PasskeyId,
  Session,
  StoredPassword,
  WorkingCopy,
} from '@almoner/domain/managers'
import type { MediaName, StorageId, StoredImage, SweepRefusal } from '@almoner/domain/media'
import type { Notification, Outcome, Progress, Shortened, Tally } from '@almoner/domain/notifications'
import type { DeadDevice, Device, DeviceId, User } from '@almoner/domain/people'
import { EMPTY_PORTFOLIO } from '@almoner/domain/portfolio'
import type {
  JobLease,
  KeyUse,
  Node,
  NotedFailures,
  NotedRequests,
  OneTimeSecret,
  PreviewToken,
  StoredToken,
  WaitingFeed,
} from '@almoner/domain/ports'
import type {
  ClientId,
  DeviceIdentity,
  Email,
  Instant,
  ItemId,
  LabelId,
  NotificationId,
} from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'

/** The state of a recipient. */
type Standing =
  /** Not claimed yet. */
  | { readonly kind: 'open' }
  /** In a batch. */
  | { readonly kind: 'claimed'; readonly batch: number }
  /** Waits for a retry. */
  | { readonly kind: 'waiting'; readonly at: Instant; readonly planned: Instant }
  /** Deferred while its origin is closed, until the end of the notification's life at most. */
  | { readonly kind: 'held'; readonly origin: Origin; readonly at: Instant; readonly planned: Instant }
  | { readonly kind: 'ended'; readonly outcome: Outcome; readonly at: Instant }

/** A recipient, copied from its device when the notification started (G4). */
export interface Fixed {
  readonly deviceId: DeviceId
  readonly email: Email
  attempts: number
  refusals: number
  standing: Standing
}

/** A batch; each recipient has the number of its batch. */
export interface ClaimableBatch {
  fence: number
  /** End of the lease; none after a release. */
  until: O.Option<Instant>
}

/** The delivery of a notification that was started. */
export interface Sending {
  readonly startedAt: Instant
  readonly endsAt: Instant
  /** From when its life counts while its start lies in the future (I9). */
  countedFrom: O.Option<Instant>
  /** In the order of their devices. */
  readonly recipients: ReadonlyArray<Fixed>
  /** By number, from 0. */
  readonly batches: Array<ClaimableBatch>
  /** The claim counter at its last claim: the notification with the lowest value is claimed next. */
  claimedAs: number
  finishedAt: O.Option<Instant>
  /** What was left out of its message (G6). */
  shortened: Shortened
  /** The progress at the time when its recipients were deleted (G8). */
  readonly summary?: Progress
  /** The outcomes of recipients that were erased (L1). */
  readonly erased: Tally
  /** Whom it is for, as of its start (F7). */
  readonly audience: StartedAudience
}

/** The recipients of a batch without an outcome or a planned retry. */
export const openIn = ({ recipients }: Sending, batch: number): ReadonlyArray<Fixed> =>
  recipients.filter(({ standing }) => standing.kind === 'claimed' && standing.batch === batch)

/** Counts the progress of a delivery from its recipients. */
export const progressOf = ({
  recipients,
  startedAt,
  finishedAt,
  summary,
  erased,
  shortened,
}: Sending): Progress => {
  if (summary !== undefined) return summary
  const tally = { ...erased }
  for (const { standing } of recipients) if (standing.kind === 'ended') tally[standing.outcome] += 1
  const gone = Object.values(erased).reduce((sum, count) => sum + count, 0)
  return { recipients: recipients.length + gone, tally, startedAt, finishedAt, shortened }
}

/** The use of an idempotency key: its owner, its time, and the user and the device that its response is about. */
export interface StoredKeyUse extends KeyUse {
  readonly clientId: ClientId
  readonly person: Email | undefined
  readonly at: Instant
  readonly about: O.Option<Email>
  readonly device: DeviceIdentity | undefined
}

/** A record as it is stored, with the state of an item after it. */
export interface StoredRecord extends AuditRecord {
  readonly state?: Fields
  /** Its number among all records. */
  readonly id: number
}

/** Ends the tie of a notification to its counterpart (G14). */
export const untie = ({ announcements }: Pick<Tables, 'announcements'>, id: NotificationId): void => {
  const other = announcements.get(id)
  announcements.delete(id)
  if (other !== undefined) announcements.delete(other)
}

/** Deletes a notification with its tie and the marks of people who saw it (G8). */
export const dropNotification = (
  tables: Pick<Tables, 'announcements' | 'notifications' | 'seen'>,
  id: NotificationId,
): void => {
  untie(tables, id)
  tables.notifications.delete(id)
  tables.seen.delete(id)
}

/** Makes or replaces a user, whose preference holds from the present epoch on (F7). */
export const putUser = (
  { users, preferences, epoch }: Pick<Tables, 'users' | 'preferences' | 'epoch'>,
  user: User,
): void => {
  users.set(user.email, user)
  preferences.set(user.email, withPreferenceFrom(preferences.get(user.email) ?? [], user, epoch))
}

/** The latest change of a thing, for one aspect. */
export interface ChangeRow extends ChangePlace {
  readonly leads: Leads
  /** When the thing was deleted, if it was. */
  readonly goneAt?: Instant
}

/** The name under which a working copy holds images. */
export type CopyHolder = `copy ${Email} ${CopyKey}`

/** An image that a working copy holds (D5). */
export interface CopyImage {
  readonly email: Email
  readonly key: CopyKey
  readonly name: MediaName
  readonly at: Instant
}

/** A deleted item, as long as it can be put back (C18). */
export interface DeletedItem {
  readonly contentType: ContentType
  readonly item: LibraryItem | FeedItem
  readonly at: Instant
  readonly labels: ReadonlySet<LabelId>
  readonly author: Author | undefined
  /** The counterpart, and the base of the pair on either side. */
  readonly link: { readonly id: ItemId; readonly bases: ReadonlyArray<readonly [ItemId, number]> } | undefined
}

/** Makes the tables of the in-memory store, which its adapters share. */
export const newTables = () => ({
  library: new Map<ItemId, LibraryItem>(),
  feed: new Map<ItemId, FeedItem>(),
  /** The authors of posts (L3). */
  authors: new Map<ItemId, Author>(),
  /** The counterparts of publications, from both sides (J7). */
  counterparts: new Map<ItemId, ItemId>(),
  /** The revisions that are the base of pairs, by the side whose words differ from them now (J8). */
  bases: new Map<ItemId, number>(),
  images: new Map<MediaName, StoredImage>(),
  /** When acts that can be undone released images (D5). */
  released: new Map<MediaName, Instant>(),
  /** Items that were Live once. */
  wasLive: new Set<ItemId>(),
  /** Deleted items, by the names of their deletions. */
  deleted: new Map<DeletionId, DeletedItem>(),
  /** The records of all changes, in the order in which they were made. */
  audit: [] as Array<StoredRecord>,
  /** The numbers under which users are recorded (K1). */
  userNumbers: new Map<Email, number>(),
  /** The highest of these numbers so far. */
  lastUserNumber: 0,
  /** The highest number of a record so far. */
  lastRecord: 0,
  /** The latest change of each thing and aspect, and the position of the latest of all. */
  changes: new Map<string, ChangeRow>(),
  lastChange: 0,
  /** The epoch of these positions (N3). */
  changeEpoch: crypto.randomUUID().slice(0, 8),
  /** The stored images that each item displays or links to, a deleted one under the name of its deletion, and each proposal. */
  holds: new Map<ItemId | DeletionId | CopyHolder | ProposalId, ReadonlySet<MediaName>>(),
  /** Proposals that are open, or were closed and not forgotten yet (C16). */
  proposals: new Map<ProposalId, { readonly proposal: Proposal; readonly closedAt?: Instant }>(),
  labels: [] as ReadonlyArray<Label>,
  attached: {
    library: new Map<ItemId, ReadonlySet<LabelId>>(),
    feed: new Map<ItemId, ReadonlySet<LabelId>>(),
  },
  clients: new Map<string, { client: Client; secrets: ReadonlyArray<StoredSecret> }>(),
  clientUses: new Map<string, Instant>(),
  tokens: new Map<TokenDigest, StoredToken>(),
  managers: new Map<Email, Manager>(),
  sessions: new Map<TokenDigest, Session>(),
  oneTimeSecrets: new Map<TokenDigest, OneTimeSecret>(),
  passkeys: new Map<PasskeyId, Passkey>(),
  identities: new Map<Email, Identity>(),
  passwords: new Map<Email, StoredPassword>(),
  /** Wrong codes after a right password (M9). */
  wrongCodes: new Map<Email, ReadonlyArray<Instant>>(),
  waitingFeeds: new Map<Email, WaitingFeed>(),
  previewTokens: new Map<TokenDigest, PreviewToken>(),
  workingCopies: new Map<string, WorkingCopy>(),
  /** The images that working copies hold, by manager, key and name. */
  copyImages: new Map<string, CopyImage>(),
  keyUses: new Map<string, StoredKeyUse>(),
  users: new Map<Email, User>(),
  /** What users preferred since they are known (F7). */
  preferences: new Map<Email, PreferenceHistory>(),
  /** The number of the present epoch, which the next start of a notification ends. */
  epoch: 1,
  devices: new Map<DeviceIdentity, { readonly id: DeviceId; readonly device: Device }>(),
  /** The highest device number so far. */
  lastDevice: 0,
  deadDevices: new Map<DeviceIdentity, DeadDevice>(),
  notifications: new Map<NotificationId, Notification>(),
  /** The counterparts of notifications, from both sides (G14). */
  announcements: new Map<NotificationId, NotificationId>(),
  /** The deliveries of started notifications; those of deleted notifications stay until they are purged. */
  sendings: new Map<NotificationId, Sending>(),
  /** When people first saw notifications (F7). */
  seen: new Map<NotificationId, Map<Email, Instant>>(),
  /** The health of origins, by name. */
  origins: new Map<Origin, StoredOrigin>(),
  nodes: new Map<string, Node>(),
  jobLeases: new Map<string, JobLease>(),
  failureLog: new Map<string, NotedFailures>(),
  requestLog: new Map<string, NotedRequests>(),
  portfolio: EMPTY_PORTFOLIO,
  /** The rounds of checks of links, and what they found (C17). */
  links: {
    rounds: NO_ROUNDS,
    found: new Map<number, Map<string, LinkFinding>>(),
  },
  /** The identity of the image storage, and why its latest sweep stopped (D6). */
  storage: { id: O.none as O.Option<StorageId>, refusal: O.none as O.Option<SweepRefusal> },
})

/** The tables of the in-memory store. */
export type Tables = ReturnType<typeof newTables>
