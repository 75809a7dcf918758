import type * as O from 'fp-ts/lib/Option.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ImageType, MediaName } from '../media/model.ts'
import type { MediaPorts } from '../media/ports.ts'
import type { Email } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'
import type { CommonPolicy, Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { OwnedKey, StoredResponse, TimedAct } from './acts.ts'
import type { Grant, Scope, TokenDigest } from './caller.ts'
import type { IdTokenClaims, IdTokenPolicy, SubjectTokenRefused } from './id-tokens.ts'
import type { KeysUnavailable } from './kept-keys.ts'
import type { Client, ClientOverview, Source, StoredSecret } from './model.ts'

/** What access and the areas before it ask of the world. */
export interface AccessPorts extends MediaPorts {
  readonly secrets: Secrets
  readonly clients: Clients
  readonly accessTokens: AccessTokens
  readonly failedAttempts: FailedAttempts
  readonly failureLog: FailureLog
  readonly requestLog: RequestLog
  readonly idempotencyKeys: IdempotencyKeys
  readonly idTokens: IdTokens
}

/** What a deployment decides for access and the areas before it. */
export interface AccessPolicy extends CommonPolicy {
  /** How long an access token lives, in seconds (A4). */
  readonly tokenTtl: number
  /** The ID tokens that clients may exchange; none if they may exchange none (A10). */
  readonly idTokens: O.Option<IdTokenPolicy>
}

/** Verifies the ID tokens of the deployment's identity provider, whose published keys it keeps (A10). `keepKeys` is the rule of keeping them. */
export interface IdTokens {
  /**
   * Returns the claims of a token that the provider has signed with a key which it publishes. Checks no claim. Fails with SubjectTokenRefused for any
   * other text, and with KeysUnavailable if the provider's keys cannot be had now.
   */
  verify(token: string): TaskEither<SubjectTokenRefused | KeysUnavailable, IdTokenClaims>
}

/** How a secret relates to its stored form: `legacy` matches a hash that an earlier version wrote, to be replaced by a digest (A6). */
export type SecretMatch = 'none' | 'digest' | 'legacy'

/** Creates unguessable values, and the digests that are stored instead (A6, D2). */
export interface Secrets {
  /** A fresh client secret or access token: at least 256 random bits, URL-safe text. Never fails. */
  mint(): string
  /** A fresh unguessable name for an image of this type, ending in `.jpg` or `.png` (D2). Never fails. */
  mintMediaName(type: ImageType): MediaName
  /** Returns the digest of a client secret or an access token; equal texts have equal digests. Never fails. */
  digest(secret: string): TokenDigest
  /**
   * Compares a secret with its stored form, a digest in constant time. Unavailable when too many legacy hashes are being checked.
   */
  verify(secret: string, stored: string): TaskEither<Unavailable, SecretMatch>
}

/** An access token as it is stored: never the token itself (A6). */
export interface StoredToken {
  readonly digest: TokenDigest
  readonly clientId: ClientId
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Instant
  /** Milliseconds from its issue to its end; absent if an earlier version stored it. */
  readonly life?: number
  /** The person to whom it was issued (A10); absent for a token of the client itself. */
  readonly person?: Email
}

/** Access tokens that have been issued: of each its digest, and never the token (A4, A6). */
export interface AccessTokens {
  /** Keeps a token of a known client. */
  add(token: StoredToken): TaskEither<Unavailable, void>
  /**
   * What a token grants at a moment. None when it is unknown, revoked or expired (`expiresAt` itself is too late), was issued by a clock that was
   * ahead (`isInLife`, I9), or its client is disabled. Roles and email are the client's present ones; a person's token has that person and no roles.
   */
  grantOf(digest: TokenDigest, now: Instant): TaskEither<Unavailable, Option<Grant>>
  /** Ends a token of this client and says whether it had one; another client's token stays. */
  revoke(digest: TokenDigest, clientId: ClientId): TaskEither<Unavailable, boolean>
  /** Forgets tokens that expired before a moment, or that a clock which was ahead of it has made (`isInLife`, I9), at most a few thousand; gives how many. */
  purge(before: Instant): TaskEither<Unavailable, number>
}

/** There is a client of that id already. */
export interface ClientExists {
  readonly _tag: 'ClientExists'
}

/** The client is public: it has no secret, and gets none (A10). */
export interface ClientIsPublic {
  readonly _tag: 'ClientIsPublic'
}

/** There is no client of that id. */
export interface ClientNotFound {
  readonly _tag: 'ClientNotFound'
}

/** A client as the token endpoint needs it. Secrets come newest first. */
export interface ClientWithSecrets {
  readonly client: Client
  readonly secrets: ReadonlyArray<StoredSecret>
}

/** The OAuth clients, with their secrets as digests (A4, A6). Writes with an act leave a record (K1). */
export interface Clients {
  /** Adds a client with its first secret, a public one without. Fails with ClientExists when the id is taken. */
  add(
    client: Client,
    secretHash: string | undefined,
    act?: TimedAct,
  ): TaskEither<ClientExists | Unavailable, void>
  /** Removes a client whose only secret, which has this digest, reached no one. Fails with ClientNotFound if it is unknown or has another secret. */
  withdraw(id: ClientId, secretHash: string, act?: TimedAct): TaskEither<ClientNotFound | Unavailable, void>
  /** The client and all secrets that have not been rotated away, disabled clients too. None when unknown. */
  find(id: ClientId): TaskEither<Unavailable, Option<ClientWithSecrets>>
  /** Every client, by id. */
  all(): TaskEither<Unavailable, ReadonlyArray<Client>>
  /** Every client with its secrets and its last stored use, by id. */
  overview(): TaskEither<Unavailable, ReadonlyArray<ClientOverview>>
  /** Stores last uses of known clients. A later use that is stored already stays. */
  noteUses(uses: ReadonlyMap<ClientId, Instant>): TaskEither<Unavailable, void>
  /**
   * Puts a new secret in the place of all others; those lose their worth at `oldUntil`, or at once when that is none.
   * An earlier end that a secret already had stays. Fails with ClientIsPublic for a public client. Where the time of the act is given, they have ended too if that lies in the future (`isInLife`, I9).
   */
  rotate(
    id: ClientId,
    secretHash: string,
    oldUntil: Option<Instant>,
    act?: TimedAct,
  ): TaskEither<ClientNotFound | ClientIsPublic | Unavailable, Client>
  /** Replaces one stored form of a secret, `from`, by another; its end stays. Does nothing when the client no longer has it. */
  replaceSecretHash(id: ClientId, from: string, to: string): TaskEither<Unavailable, void>
  /** Disables or enables; doing it twice is the same as once. */
  setDisabled(
    id: ClientId,
    disabled: boolean,
    act?: TimedAct,
  ): TaskEither<ClientNotFound | Unavailable, Client>
}

/** Remembers wrong client credentials for a minute (A8), in bounded memory. It is held in the process and never fails. */
export interface FailedAttempts {
  /**
   * The failures of the last minute that are remembered for a key, oldest first: the latest of them, no more
   * than `ALLOWED_FAILURES` has for the source. The function `remember` is that rule.
   */
  of(source: Source, key: string, now: Instant): ReadonlyArray<Instant>
  /** Records a failure. Keeps at most 20,000 keys, and drops the ones that failed longest ago first. */
  add(source: Source, key: string, now: Instant): void
}

/** Failures that a node notes for the others, at most some of one source and key. */
export interface NotedFailures {
  readonly node: string
  /** Distinguishes entries of a node. */
  readonly number: number
  readonly source: Source
  /** A digest, because keys may hold addresses of people. */
  readonly key: string
  readonly failures: number
  /** When the latest of them happened. */
  readonly at: Instant
}

/** Requests of one key in a window, as a node reports them to others, or a process of a node to its other processes. */
export interface NotedRequests {
  /** The node or process that counted them. It has one entry for a key. */
  readonly node: string
  /** A digest, because keys may hold addresses of people. */
  readonly key: string
  /** When the window began. */
  readonly begun: Instant
  /** All that were answered since. */
  readonly requests: number
  /** When they were reported. */
  readonly at: Instant
}

/** Entries of the last minute that nodes exchange (A8). No write changes what a cache holds. */
export interface NodeLog<Entry> {
  /** Stores entries, in place of the ones they repeat, and deletes all that no longer count now (`isRecentFailure`). */
  add(entries: ReadonlyArray<Entry>, now: Instant): TaskEither<Unavailable, void>
  /** Returns the entries of other nodes that were noted at this moment or later, the latest ones if there are more than `most`, in no order. */
  ofOthers(node: string, since: Instant, most: number): TaskEither<Unavailable, ReadonlyArray<Entry>>
}

/** The failures that nodes exchange. An entry repeats one of the same node and number, and is the same as it was. */
export interface FailureLog extends NodeLog<NotedFailures> {}

/** The counted requests that nodes exchange. An entry repeats one of the same node and key. */
export interface RequestLog extends NodeLog<NotedRequests> {}

/** The first use of a key. */
export interface KeyUse {
  readonly digest: string
  readonly response: StoredResponse
}

/**
 * The keys of requests that wrote something (I4). A key is stored by the write itself, in its transaction, as the write's `Receipt` says. A
 * write whose key is taken fails as `NothingDone`.
 */
export interface IdempotencyKeys {
  /** The use of an owner's key, if it is younger than `KEY_LIFE`. */
  find(key: OwnedKey, now: Instant): TaskEither<Unavailable, Option<KeyUse>>
  /** Forgets the keys of this user, and those whose response holds an address or a device token of the user (L1); gives how many. */
  forget(email: Email): TaskEither<Unavailable, number>
  /** Forgets keys that are free again, at most a few thousand; gives how many. */
  purge(now: Instant): TaskEither<Unavailable, number>
}
