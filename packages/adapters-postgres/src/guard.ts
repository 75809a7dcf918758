import { randomUUID } from 'node:crypto'
import { DatabaseRefused, isPoolingRefused } from './fault.ts'
import { ANSWER } from './limits.ts'
import { type Session, within } from './session.ts'

/** Why writes are refused, for an operator. */
export const TAKES_NO_WRITES =
  'the database takes no writes: default_transaction_read_only is on, as hosts set it for a disk that is nearly full'

/**
 * Selects whether a transaction of this session may write. Open sessions do not follow a later setting of their role or database, so the
 * catalog is asked too: a host that protects its database this way must be obeyed by all connections (I10). The order is that of
 * https://www.postgresql.org/docs/current/catalog-pg-db-role-setting.html.
 */
export const MODE = `current_setting('transaction_read_only') as session_reads, (
  select split_part(setting, '=', 2)::boolean from pg_db_role_setting s, unnest(s.setconfig) as setting
  where setting like 'default_transaction_read_only=%'
    and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and s.setrole in (0, (select oid from pg_roles where rolname = session_user))
  order by s.setrole <> 0 desc, s.setdatabase <> 0 desc limit 1) as host_reads`

/** Selects whether {@link MODE} may refuse writes: it costs each write a tenth of what that does. */
export const MAY_REFUSE = `current_setting('transaction_read_only') = 'on'
  or exists (select from pg_db_role_setting where setconfig::text like '%default_transaction_read_only%') as may_refuse`

type Row = Readonly<Record<string, unknown>>

/** Returns whether a row of {@link MODE} refuses writes. */
export const isReadOnly = (row: Row = {}): boolean =>
  row['session_reads'] === 'on' || row['host_reads'] === true

/** Resolves to whether only this session refuses writes, because it began before its host allowed them again. */
export const isOutdated = async ({ ask }: Pick<Session, 'ask'>, row: Row = {}): Promise<boolean> => {
  if (row['session_reads'] !== 'on' || row['host_reads'] === true) return false
  const { rows } = await ask(`select source in ('global', 'database', 'user', 'database user') as outdated
    from pg_settings where name = 'default_transaction_read_only'`)
  return rows[0]?.['outdated'] === true
}

/**
 * The setting that holds the name of a connection in its session of the server. Poolers in transaction mode give the next transaction another
 * session, which has another name or none (https://www.pgbouncer.org/features.html#sql-feature-map-for-pooling-modes).
 */
export const NAME = 'almoner.session'

/** Selects that name. */
export const WHOSE = `current_setting('${NAME}', true) as session`

const WAY_OUT =
  'set pool_mode = session for this database in the pooler (PgBouncer), let ALMONER_DATABASE, or the pool that is given, lead to PostgreSQL itself, or set ALMONER_DATABASE_LISTEN to an address past the pooler'

/** The fault of a pooler that gives a connection several sessions, with the fix. */
export const POOLED = `the database is behind a pooler in transaction or statement mode, where a connection keeps no session: ${WAY_OUT}`

/** The fault of connections that lose notifications, with the fix. */
export const DEAF = `a notification that the service sent itself through the database did not arrive, as behind a pooler that does not keep sessions: ${WAY_OUT}`

/** The fault of an address for listening that hears nothing of the other one, with the fix. */
export const DEAF_APART =
  'a notification that was sent over ALMONER_DATABASE did not arrive at ALMONER_DATABASE_LISTEN: let that lead to the same database past the pooler'

/** The fault of a pooler without transactions, with the fix. */
export const NO_TRANSACTIONS =
  'the pooler before the database has no transactions: set pool_mode = transaction, or session, for this database'

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

/** A session whose name can be asked for, with the settings that each of its transactions needs. */
interface NamedSession extends Pick<Session, 'ask' | 'listen' | 'end'> {
  readonly settings: string
  verify(row: Row | undefined): void
  checkName(): Promise<void>
}

const HOLD = `begin; select ${WHOSE}`

/** Throws if the second session shares one with the first. While it holds a transaction, the first must not get another one. */
const checkNames = async (first: NamedSession, second: NamedSession): Promise<void> => {
  // Twice: poolers that deal sessions in turn may give the same one once.
  for (const _ of [1, 2]) await first.checkName()
  const { rows } = await second.ask(HOLD)
  second.verify(rows[0])
  await first.checkName()
  await second.ask('rollback')
}

/** Throws {@link DatabaseRefused} if what one session notifies of does not reach another one that listens. */
const checkHearing = async (from: NamedSession, to: NamedSession, otherwise: string): Promise<void> => {
  const channel = `almoner_${randomUUID().replaceAll('-', '')}`
  const heard = Promise.withResolvers<void>()
  to.listen({ news: () => heard.resolve(), broken: () => {} })
  await to.ask(`listen ${channel}`)
  await from.ask(`notify ${channel}`)
  await within(ANSWER, heard.promise).catch(() => {
    throw new DatabaseRefused(otherwise)
  })
}

/**
 * Throws {@link DatabaseRefused} if the connections do not have sessions of their own, in which settings, prepared statements and LISTEN last.
 * Says nothing where the server has no room for a second connection: each transaction checks its session again.
 */
export const checkSessions = async (connect: () => Promise<NamedSession>, hears: boolean): Promise<void> => {
  const first = await connect()
  const second = await connect().catch(() => undefined)
  try {
    if (second === undefined) return
    await checkNames(first, second)
    if (hears) await checkHearing(first, second, DEAF)
  } catch (cause) {
    throw isPoolingRefused(cause) ? new DatabaseRefused(POOLED) : cause
  } finally {
    first.end()
    second?.end()
  }
}

/** Throws {@link DatabaseRefused} unless a pooler has transactions, and a notification through it reaches the connection that listens. */
export const checkApart = async (
  connect: () => Promise<NamedSession>,
  listen: () => Promise<NamedSession>,
) => {
  const from = await connect()
  const to = await listen().catch((cause) => {
    from.end()
    throw cause
  })
  try {
    await from.ask(`begin; ${from.settings}`)
    await from.ask('rollback')
    await checkHearing(from, to, DEAF_APART)
  } catch (cause) {
    throw isPoolingRefused(cause) ? new DatabaseRefused(NO_TRANSACTIONS) : cause
  } finally {
    from.end()
    to.end()
  }
}
