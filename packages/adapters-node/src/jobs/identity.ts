import type { Ports, Unavailable } from '@almoner/domain'
import type { StorageId } from '@almoner/domain/media'
import { type Instant, toRfc3339 } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Job } from './schedule.ts'

/** The identities of a database and an image storage (D6). */
export interface Identities {
  readonly database: O.Option<StorageId>
  /** When the database got its first tables. */
  readonly since: O.Option<Instant>
  readonly marker: O.Option<StorageId>
}

/** The ports and the parts of a database that {@link readIdentities} reads. */
export interface IdentitySource {
  readonly storageIdentity: Ports['storageIdentity']
  /** Undefined: the image storage is not looked at. */
  readonly mediaStore: Pick<Ports['mediaStore'], 'readMarker'> | undefined
  /** Returns when the database got its first tables, as the migrator does. */
  readonly since: () => TE.TaskEither<Unavailable, O.Option<Instant>>
}

/** Reads the identities of a database and of the image storage (D6). */
export const readIdentities = ({
  storageIdentity,
  mediaStore,
  since,
}: IdentitySource): TE.TaskEither<Unavailable, Identities> =>
  pipe(
    TE.Do,
    TE.bind('database', () => storageIdentity.find()),
    TE.bind('since', since),
    TE.bind('marker', () => mediaStore?.readMarker() ?? TE.right(O.none)),
  )

/** Returns identities as texts that nodes publish beside their settings: a node that works on other data differs. */
export const identityTexts = ({ since, marker }: Identities): Readonly<Record<string, string>> => ({
  ...(O.isSome(since) && { 'the database behind ALMONER_DATABASE': `made ${toRfc3339(since.value)}` }),
  ...(O.isSome(marker) && { 'the image storage behind ALMONER_MEDIA': `marked ${marker.value.slice(0, 8)}` }),
})

const DATABASE_CHANGED =
  'database-changed: ALMONER_DATABASE leads to another database than at the start of this process; lead it back, or restart the process to serve from the new one'
const STORAGE_CHANGED =
  'image-storage-changed: the image storage is not the one of the start, or not mounted any more; lead ALMONER_MEDIA back to it'

/** Changes under a process since its start. */
export interface IdentityChanges {
  /** Why no request may be served: it would be answered from other data. */
  readonly database: string | undefined
  /** Why images may be missing. Like a stopped sweep, it takes no node out of rotation (D6). */
  readonly storage: string | undefined
  /** The present fault of the connections to the database. */
  readonly connections: string | undefined
}

/** Nothing has changed. */
export const UNCHANGED: IdentityChanges = { database: undefined, storage: undefined, connections: undefined }

/** Notices when the database or the image storage becomes another one under a running process (D6). */
export interface IdentityWatch {
  /** Compares with the start of the process, and logs each change once. */
  readonly look: TE.TaskEither<Unavailable, IdentityChanges>
  /** Looks twice a minute, whether or not the readiness is asked for. */
  readonly job: Job
  /** Returns the identities of the start for the heartbeat. */
  readonly published: () => Readonly<Record<string, string>>
}

const isSame = <A>(now: O.Option<A>, then: O.Option<A>): boolean =>
  O.isNone(then) || (O.isSome(now) && now.value === then.value)

const NONE: Identities = { database: O.none, since: O.none, marker: O.none }

/** Adds identities that are seen for the first time: the first sweep makes them. */
const completed = (known: Identities, now: Identities): Identities => ({
  database: O.alt(() => now.database)(known.database),
  since: O.alt(() => now.since)(known.since),
  // A marker counts from the moment on at which it is the database's: until then an operator may still adopt the storage.
  marker:
    O.isSome(known.marker) || O.isNone(now.database) || !isSame(now.marker, now.database)
      ? known.marker
      : now.marker,
})

/** Where a watch writes its lines. */
export interface IdentityLog {
  /** Writes that all is as at the start again. */
  readonly info: (text: string) => void
  /** Writes a change. */
  readonly error: (text: string) => void
}

/** What a watch looks at. `trouble` returns the present fault of the connections to the database, if the engine knows any. */
export interface WatchedIdentity extends IdentitySource {
  /** Returns the present fault of the connections, or undefined. */
  readonly trouble?: (() => string | undefined) | undefined
}

/** Makes a watch, for which the first look says what belongs together (D6). */
export const watchIdentity = (
  { trouble, ...source }: WatchedIdentity,
  logger: IdentityLog,
): IdentityWatch => {
  let known = NONE
  let said = ''

  const log = (changes: IdentityChanges) => {
    const text = Object.values(changes)
      .filter((change) => change !== undefined)
      .join('; ')
    if (text !== said && text !== '') logger.error(text)
    if (text !== said && text === '') logger.info('database and image storage are as at the start again')
    said = text
  }

  const compare = (now: Identities): IdentityChanges => {
    known = completed(known, now)
    const isSameDatabase = isSame(now.database, known.database) && isSame(now.since, known.since)
    const changes = {
      database: isSameDatabase ? undefined : DATABASE_CHANGED,
      storage: isSame(now.marker, known.marker) ? undefined : STORAGE_CHANGED,
      connections: trouble?.(),
    }
    log(changes)
    return changes
  }

  const look = pipe(readIdentities(source), TE.map(compare))
  // While database or storage do not answer, other jobs say so.
  const work: Job['work'] = () =>
    pipe(
      look,
      TE.map(() => 0),
      TE.orElse(() => TE.right(0)),
    )
  return {
    look,
    job: { name: 'watch identity', rule: 30, atStart: true, work },
    published: () => identityTexts(known),
  }
}
