import * as O from 'fp-ts/lib/Option.js'
import {
  type AuditRecord,
  type Author,
  type Client,
  type ContentType,
  type DeadDevice,
  type Device,
  type DeviceId,
  type DeviceToken,
  EMPTY_PORTFOLIO,
  type Email,
  type FeedItem,
  type Fields,
  type Identity,
  type Instant,
  type ItemId,
  type KeyUse,
  type Label,
  type LabelId,
  type LibraryItem,
  type Manager,
  type MediaName,
  type Node,
  type Notification,
  type NotificationId,
  type OneTimeSecret,
  type Passkey,
  type PasskeyId,
  type PortfolioContent,
  type Provider,
  type ProviderHealth,
  type Session,
  type StorageId,
  type StoredImage,
  type StoredSecret,
  type StoredToken,
  type SweepRefusal,
  type TokenDigest,
  type User,
  type WorkingCopy,
} from '../src/all.ts'
import type { Sending } from './sending.ts'

/** The use of an idempotency key: its time, and the user whom its response is about. */
export interface StoredKeyUse extends KeyUse {
  readonly at: Instant
  readonly about: O.Option<Email>
}

/** A record as it is stored, with the state of an item after it. */
export interface StoredRecord extends AuditRecord {
  readonly state?: Fields
  /** Its number among all records. */
  readonly id: number
}

/** The tables of the in-memory store, shared by its adapters. */
export interface Tables {
  readonly library: Map<ItemId, LibraryItem>
  readonly feed: Map<ItemId, FeedItem>
  /** The authors of posts (L3). */
  readonly authors: Map<ItemId, Author>
  /** The counterparts of publications, from both sides (J7). */
  readonly counterparts: Map<ItemId, ItemId>
  readonly images: Map<MediaName, StoredImage>
  /** The records of all changes, in the order in which they were made. */
  readonly audit: Array<StoredRecord>
  /** The numbers under which users are recorded (K1). */
  readonly userNumbers: Map<Email, number>
  /** The highest of these numbers so far. */
  lastUserNumber: number
  /** The highest number of a record so far. */
  lastRecord: number
  /** The stored images that each item displays or links to. */
  readonly holds: Map<ItemId, ReadonlySet<MediaName>>
  labels: ReadonlyArray<Label>
  readonly attached: Readonly<Record<ContentType, Map<ItemId, ReadonlySet<LabelId>>>>
  readonly clients: Map<string, { client: Client; secrets: ReadonlyArray<StoredSecret> }>
  readonly clientUses: Map<string, Instant>
  readonly tokens: Map<TokenDigest, StoredToken>
  readonly managers: Map<Email, Manager>
  readonly sessions: Map<TokenDigest, Session>
  readonly oneTimeSecrets: Map<TokenDigest, OneTimeSecret>
  readonly passkeys: Map<PasskeyId, Passkey>
  readonly identities: Map<Email, Identity>
  readonly workingCopies: Map<string, WorkingCopy>
  readonly keyUses: Map<string, StoredKeyUse>
  readonly users: Map<Email, User>
  readonly devices: Map<DeviceToken, { readonly id: DeviceId; readonly device: Device }>
  /** The highest device number so far. */
  lastDevice: number
  readonly deadDevices: Map<DeviceToken, DeadDevice>
  readonly notifications: Map<NotificationId, Notification>
  /** The deliveries of started notifications; those of deleted notifications stay until they are purged. */
  readonly sendings: Map<NotificationId, Sending>
  readonly health: Map<Provider, ProviderHealth>
  readonly nodes: Map<string, Node>
  portfolio: PortfolioContent
  /** The identity of the image storage, and why its latest sweep stopped (D6). */
  readonly storage: { id: O.Option<StorageId>; refusal: O.Option<SweepRefusal> }
}

export const newTables = (): Tables => ({
  library: new Map(),
  feed: new Map(),
  authors: new Map(),
  counterparts: new Map(),
  images: new Map(),
  audit: [],
  userNumbers: new Map(),
  lastUserNumber: 0,
  lastRecord: 0,
  holds: new Map(),
  labels: [],
  attached: { library: new Map(), feed: new Map() },
  clients: new Map(),
  clientUses: new Map(),
  tokens: new Map(),
  managers: new Map(),
  sessions: new Map(),
  oneTimeSecrets: new Map(),
  passkeys: new Map(),
  identities: new Map(),
  workingCopies: new Map(),
  keyUses: new Map(),
  users: new Map(),
  devices: new Map(),
  lastDevice: 0,
  deadDevices: new Map(),
  notifications: new Map(),
  sendings: new Map(),
  health: new Map(),
  nodes: new Map(),
  portfolio: EMPTY_PORTFOLIO,
  storage: { id: O.none, refusal: O.none },
})
