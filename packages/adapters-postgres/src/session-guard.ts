import { DatabaseRefused } from './fault.ts'
import { TAKES_NO_WRITES } from './write-access.ts'

/**
 * The setting that holds the name of a connection in its session of the server. Poolers in transaction mode give the next transaction another
 * session, which has another name or none (https://www.pgbouncer.org/features.html#sql-feature-map-for-pooling-modes).
 */
export const NAME = 'almoner.session'

/** Selects that name. */
export const WHOSE = `current_setting('${NAME}', true) as session`

const WAY_OUT =
  'set pool_mode = session for this database in the pooler (PgBouncer), or let ALMONER_DATABASE, or the pool that is given, lead to PostgreSQL itself'

/** The fault of a pooler that gives a connection several sessions, with the fix. */
export const POOLED = `the database is behind a pooler in transaction or statement mode, where a connection keeps no session: ${WAY_OUT}`

/** The fault of connections that lose notifications, with the fix. */
export const DEAF = `a notification that the service sent itself through the database did not arrive, as behind a pooler that does not keep sessions: ${WAY_OUT}`

/** The fault of a server whose disk is full. */
const FULL = 'the database takes no writes: the disk of its server is full'

/** Keeps work off the database while its sessions are not the connections' own, and knows what else is wrong with them. */
export interface SessionGuard {
  /** Throws {@link DatabaseRefused} while sessions are mixed up. */
  admit(): void
  isRefusing(): boolean
  /** Takes note that sessions are mixed up, and returns the error. */
  refuse(): DatabaseRefused
  /** Takes note whether the listening connection hears. */
  hears(isHearing: boolean): void
  /** Takes note whether the server may only be read (I10). */
  readsOnly(isReadOnly: boolean): void
  /** Takes note whether the last write found the disk full. */
  lacksRoom(isFull: boolean): void
  /** Takes note of what `checkSessions` finds. */
  watch(check: Promise<void>): Promise<void>
  /** Returns the present fault, for an operator. */
  trouble(): string | undefined
}

/** Makes a guard that admits all. */
export const makeSessionGuard = (): SessionGuard => {
  let isPooled = false
  let isDeaf = false
  let isReadOnly = false
  let isFull = false
  const refuse = () => {
    isPooled = true
    return new DatabaseRefused(POOLED)
  }
  return {
    admit: () => {
      if (isPooled) throw refuse()
    },
    isRefusing: () => isPooled,
    refuse,
    hears: (isHearing) => {
      isDeaf = !isHearing
    },
    readsOnly: (now) => {
      isReadOnly = now
    },
    lacksRoom: (now) => {
      isFull = now
    },
    watch: async (check) => {
      try {
        await check
        isPooled = false
      } catch (cause) {
        if (cause instanceof DatabaseRefused && cause.message === POOLED) isPooled = true
        throw cause
      }
    },
    trouble: () => {
      if (isPooled) return POOLED
      if (isReadOnly) return TAKES_NO_WRITES
      if (isFull) return FULL
      return isDeaf ? DEAF : undefined
    },
  }
}
