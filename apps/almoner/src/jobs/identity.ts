import type { StorageId } from '@almoner/domain/library'
import type { Ports } from '@almoner/domain/ports'
import { type Instant, toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Logger } from 'pino'
import type { OpenDatabase } from '../composition/database.ts'
import type { Job } from '../composition/jobs.ts'
import { fromDatabase, messageOf, notAvailable, orFail } from '../failure.ts'

/** What tells a database and an image storage from others (D6). */
export interface Identities {
  readonly database: O.Option<StorageId>
  /** When the database got its first tables. */
  readonly since: O.Option<Instant>
  readonly marker: O.Option<StorageId>
}

/** Reads the identities of a database and of the image storage. */
export const readIdentities = async (
  { migrator }: Pick<OpenDatabase, 'migrator'>,
  { storageIdentity }: Pick<Ports, 'storageIdentity'>,
  mediaStore: Pick<Ports['mediaStore'], 'readMarker'> | undefined,
): Promise<Identities> => ({
  database: await fromDatabase(storageIdentity.find()),
  since: await fromDatabase(migrator.since()),
  marker:
    mediaStore === undefined
      ? O.none
      : await orFail(mediaStore.readMarker(), notAvailable('the image storage')),
})

/** Returns identities as texts that nodes publish beside their settings: a node that works on other data differs. */
export const identityTexts = ({ since, marker }: Identities): Readonly<Record<string, string>> => ({
  ...(O.isSome(since) && { 'the database behind ALMONER_DATABASE': `made ${toRfc3339(since.value)}` }),
  ...(O.isSome(marker) && { 'the image storage behind ALMONER_MEDIA': `marked ${marker.value.slice(0, 8)}` }),
})

const DATABASE_CHANGED =
  'database-changed: ALMONER_DATABASE leads to another database than at the start of this process; lead it back, or restart the process to serve from the new one'
const STORAGE_CHANGED =
  'image-storage-changed: the image storage is not the one of the start, or not mounted any more; lead ALMONER_MEDIA back to it'

/** What has changed under a process since its start; undefined what has not. */
export interface IdentityChanges {
  /** Why no request may be served: it would be answered from other data. */
  readonly database: string | undefined
  /** Why images may be missing. Like a stopped sweep, it takes no node out of rotation (D6). */
  readonly storage: string | undefined
  /** What is wrong with the connections to the database. */
  readonly connections: string | undefined
}

/** Nothing has changed. */
export const UNCHANGED: IdentityChanges = { database: undefined, storage: undefined, connections: undefined }

/** Notices when the database or the image storage becomes another one under a running process (D6). */
export interface IdentityWatch {
  /** Compares with the start of the process, and logs each change once. Rejects when database or storage do not answer. */
  readonly look: () => Promise<IdentityChanges>
  /** Looks twice a minute, whether or not the readiness is asked for. */
  readonly job: Job
  /** Returns the identities of the start for the heartbeat. */
  readonly published: () => Readonly<Record<string, string>>
}

const isSame = <A>(now: O.Option<A>, then: O.Option<A>): boolean =>
  O.isNone(then) || (O.isSome(now) && now.value === then.value)

const NONE: Identities = { database: O.none, since: O.none, marker: O.none }

/** Returns what was known, and what is seen for the first time: the first sweep makes an identity where there was none. */
const completed = (known: Identities, now: Identities): Identities => ({
  database: O.alt(() => now.database)(known.database),
  since: O.alt(() => now.since)(known.since),
  // A marker counts from the moment on at which it is the database's: until then an operator may still adopt the storage.
  marker:
    O.isSome(known.marker) || O.isNone(now.database) || !isSame(now.marker, now.database)
      ? known.marker
      : now.marker,
})

/** Makes a watch, for which the first look says what belongs together. */
export const watchIdentity = (
  { ports, database }: { readonly ports: Ports; readonly database: OpenDatabase },
  logger: Pick<Logger, 'info' | 'error' | 'debug'>,
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

  const look = async (): Promise<IdentityChanges> => {
    const now = await readIdentities(database, ports, ports.mediaStore)
    known = completed(known, now)
    const isSameDatabase = isSame(now.database, known.database) && isSame(now.since, known.since)
    const changes = {
      database: isSameDatabase ? undefined : DATABASE_CHANGED,
      storage: isSame(now.marker, known.marker) ? undefined : STORAGE_CHANGED,
      connections: database.trouble?.(),
    }
    log(changes)
    return changes
  }

  const work: Job['work'] = () =>
    TE.fromTask(async () => {
      await look().catch((cause) => logger.debug({ reason: messageOf(cause) }, 'identities not read'))
      return 0
    })
  return {
    look,
    job: { name: 'watch identity', rule: 30, atStart: true, work },
    published: () => identityTexts(known),
  }
}
