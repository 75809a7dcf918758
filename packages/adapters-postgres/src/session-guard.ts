import { randomUUID } from 'node:crypto'
import type { Connection } from './connect.ts'
import { DatabaseRefused, isPoolingRefused } from './fault.ts'
import { ANSWER } from './limits.ts'
import { within } from './session.ts'

/**
 * The setting that holds the name of a connection in its session of the server. Poolers in transaction mode give the next transaction another
 * session, which has another name or none (https://www.pgbouncer.org/features.html#sql-feature-map-for-pooling-modes).
 */
export const NAME = 'almoner.session'

/** Selects that name. */
export const WHOSE = `current_setting('${NAME}', true) as session`

const WAY_OUT =
  'set pool_mode = session for this database in the pooler (PgBouncer), or let ALMONER_DATABASE, or the pool that is given, lead to PostgreSQL itself'

/** What is wrong with a pooler that gives a connection several sessions. */
export const POOLED = `the database is behind a pooler in transaction or statement mode, where a connection has no session of its own: ${WAY_OUT}`

/** What is wrong where notifications get lost. */
export const DEAF = `a notification that the service sent itself through the database did not arrive, as behind a pooler that does not keep sessions: ${WAY_OUT}`

/** Keeps work off the database while its sessions are not the connections' own. */
export interface SessionGuard {
  /** Throws {@link DatabaseRefused} while sessions are mixed up. */
  admit(): void
  isRefusing(): boolean
  /** Takes note that sessions are mixed up, and returns the error. */
  refuse(): DatabaseRefused
  /** Takes note whether the listening connection hears. */
  hears(isHearing: boolean): void
  /** Takes note of what {@link checkSessions} finds. */
  watch(check: Promise<void>): Promise<void>
  /** Returns what is wrong now, for an operator. */
  trouble(): string | undefined
}

/** Makes a guard that admits all. */
export const makeSessionGuard = (): SessionGuard => {
  let isPooled = false
  let isDeaf = false
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
      return isDeaf ? DEAF : undefined
    },
  }
}

const HOLD = `begin; select ${WHOSE}`

/** Throws if the second session shares one with the first. While it holds a transaction, the first must not get another one. */
const checkNames = async (first: Connection, second: Connection): Promise<void> => {
  // Twice: poolers that deal sessions in turn may give the same one once.
  for (const _ of [1, 2]) await first.checkName()
  const { rows } = await second.ask(HOLD)
  second.verify(rows[0])
  await first.checkName()
  await second.ask('rollback')
}

/** Throws {@link DatabaseRefused} if what one session notifies of does not reach another one that listens. */
const checkHearing = async (from: Connection, to: Connection): Promise<void> => {
  const channel = `almoner_${randomUUID().replaceAll('-', '')}`
  const heard = Promise.withResolvers<void>()
  to.listen({ news: () => heard.resolve(), broken: () => {} })
  await to.ask(`listen ${channel}`)
  await from.ask(`notify ${channel}`)
  await within(ANSWER, heard.promise).catch(() => {
    throw new DatabaseRefused(DEAF)
  })
}

/**
 * Throws {@link DatabaseRefused} if the connections do not have sessions of their own, in which settings, prepared statements and LISTEN last.
 * Says nothing where the server has no room for a second connection: each transaction checks its session again.
 */
export const checkSessions = async (connect: () => Promise<Connection>): Promise<void> => {
  const first = await connect()
  const second = await connect().catch(() => undefined)
  try {
    if (second === undefined) return
    await checkNames(first, second)
    await checkHearing(first, second)
  } catch (cause) {
    throw isPoolingRefused(cause) ? new DatabaseRefused(POOLED) : cause
  } finally {
    first.end()
    second?.end()
  }
}
