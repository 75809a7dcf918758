import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { makeVersions, readParts, writeParts } from '@almoner/adapters-kysely'
import type { DataPart } from '@almoner/domain/history'
import type { Session } from './session.ts'

/** Returns the channel that all processes on the tables of a schema listen to. Services in other schemas of the database have others. */
export const channelOf = (schema: string): string => `almoner_${hash('md5', schema)}`

/** The parts of the data that a write changed; undefined is anything. */
export type Change = ReadonlyArray<DataPart> | undefined

/** A committed transaction, by its number. */
export interface Signal {
  readonly change: Change
  /** Undefined where it is not known. */
  readonly xid?: string | undefined
}

/**
 * The statement that creates the table of signals, which standbys have too. The process of the server is in the key because a restored database holds
 * numbers of another server.
 */
export const SIGNAL_TABLE = `create table change_signal (
  xid bigint not null, pid integer not null, parts text collate "C" not null, primary key (xid, pid))`

/** Selects whether the database has the table of signals, as `exists`. It has none before the last migration. */
export const HAS_SIGNALS = `select to_regclass('change_signal') is not null as exists`

/** Returns the statement by which a transaction leaves its signal to processes that do not hear it: one that is killed sends none (I8). */
export const recordOf = (change: Change): string =>
  `insert into change_signal values (pg_current_xact_id()::text::bigint, pg_backend_pid(), '${writeParts(change)}')`

/** The most characters of a notification, whose bytes must be fewer than 8,000. */
const LONGEST = 7900

/** Writes signals as the text of one notification. Without the numbers of its transactions, if they do not fit, listeners count these twice. */
export const textOf = (signals: ReadonlyArray<Signal>): string => {
  const changes = signals.map(({ change }) => change)
  const parts = changes.includes(undefined)
    ? undefined
    : [...new Set(changes.flatMap((change) => change ?? []))]
  const text = writeParts(parts)
  const numbered = `${text};${signals.flatMap(({ xid }) => xid ?? []).join(' ')}`
  return numbered.length > LONGEST ? text : numbered
}

/**
 * The end of the log on the disk of the primary. A commit of ours is there before anyone sees it, because all sessions set `synchronous_commit`. What
 * lies behind, such as the end of a transaction that has changed nothing, standbys get when the server gets round to it: waiting for that would keep
 * them from answering.
 */
export const FLUSHED = 'pg_current_wal_flush_lsn()'

/**
 * Sends such a text to a channel, the two values, after the position of the log behind all of its commits. Nothing waits for it to be on a disk: it is
 * gone when the server is.
 */
export const NOTIFICATION = `select set_config('synchronous_commit', 'off', true), pg_notify($1, concat(${FLUSHED}, ' ', $2::text))`

/** Returns a position in the log of a server, such as `16/B374D848`, as a number. */
export const positionOf = (text: unknown): bigint => {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(String(text)) ?? []
  if (high === undefined || low === undefined) throw new TypeError('a server has no such position')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** Reads a notification. One without a position is of another release, and of anything. */
export const signalIn = (payload = '') => {
  const [, position, parts, xids] = /^([\dA-F]+\/[\dA-F]+) ([^;]*);?(.*)$/.exec(payload) ?? []
  return { position, change: readParts(parts), xids: xids ? xids.split(' ') : [] }
}

/** Milliseconds from one notification of a process to the next, at least: each is work for the server and for all that listen. */
const INTERVAL = 25

/**
 * Makes a sender that puts the signals of many commits into one notification: PostgreSQL runs transactions that notify one after the other on the
 * whole server. The first of them is sent at once. A notification that cannot be sent is given up: others read the table of signals.
 */
export const makeSender = (send: (text: string) => Promise<unknown>) => {
  const closing = new AbortController()
  let waiting: Array<Signal> = []
  let isSending = false
  const sendAll = (): Promise<unknown> => {
    const some = waiting
    waiting = []
    return send(textOf(some))
  }
  const run = async () => {
    isSending = true
    while (waiting.length > 0) {
      const interval = pause(INTERVAL, undefined, { signal: closing.signal })
      await Promise.allSettled([sendAll(), interval])
    }
    isSending = false
  }
  return {
    add: (signal: Signal): void => {
      waiting.push(signal)
      if (!isSending) void run()
    },
    /** Begins to send the rest. */
    close: (): void => {
      if (waiting.length > 0) sendAll().catch(() => {})
      closing.abort()
    },
  }
}

/** Transactions of which it is known that they were counted, in each of two generations. */
const KNOWN = 2000

/** Counts each transaction once, although the process learns of it in several ways. */
export const makeTransactionCounter = () => {
  const versions = makeVersions()
  let [latest, earlier] = [new Set<string>(), new Set<string>()]
  const add = (change: Change, xids: ReadonlyArray<string>) => {
    if (latest.size + xids.length > KNOWN) [latest, earlier] = [new Set(), latest]
    for (const xid of xids) latest.add(xid)
    versions.count(change)
  }
  const isKnown = (xid: string) => latest.has(xid) || earlier.has(xid)
  return {
    version: versions.of,
    isKnown,
    /** Counts a commit of this process, whose server may be another than the one that is heard, with other numbers. */
    addOwn: ({ change, xid }: Signal) => add(change, xid === undefined ? [] : [xid]),
    addHeard: (change: Change, xids: ReadonlyArray<string>) => {
      if (xids.length === 0 || !xids.every(isKnown)) add(change, xids)
    },
    /** Counts a change of anything. Numbers may be those of another server from now on. */
    addAnything: () => {
      ;[latest, earlier] = [new Set(), new Set()]
      versions.count()
    },
  }
}

/** The transactions that a snapshot shows: those before a number, except some that ran. */
export interface Seen {
  readonly before: string
  readonly running: ReadonlyArray<string>
}

/** Returns the values of a statement {@link WITH_UNSEEN}. */
export const seenValues = ({ before, running }: Seen): ReadonlyArray<unknown> => [before, running]

const seenIn = (snapshot: unknown): Seen => {
  const [, before = '', running = ''] = String(snapshot).split(':')
  return { before, running: running === '' ? [] : running.split(',') }
}

/** Signals that are read at a time, and deleted: the connection that listens answers in between. */
const MOST = 2000

/** Numbers that the server has not reached are those of another one, from which the database was restored. */
const REACHED = 'xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint'

const SNAPSHOT = `select pg_current_snapshot()::text as seen, ${FLUSHED}::text as position,
  extract(epoch from clock_timestamp())::float8 as time`

/**
 * Joins the signals to a row that a statement selects, of transactions that {@link seenValues} do not show. Subqueries hide the values from the
 * planner, which would plan each execution for them: that takes three times as long as the rest.
 */
export const WITH_UNSEEN = `from (values (1)) as one left join (
    select xid, parts from change_signal where (xid >= (select $1::bigint) or xid = any((select $2::bigint[])::bigint[])) and ${REACHED} limit ${MOST + 1}
  ) as unseen on true`
const UNSEEN = `${SNAPSHOT}, xid::text, parts ${WITH_UNSEEN}`

const OLD = `delete from change_signal where xid in (select xid from change_signal
  where (xid < $1::bigint and xid <> all($2::bigint[])) or not ${REACHED} limit ${MOST} for update skip locked)`

type Ask = Session['ask']

/** What a look at the table of signals has found. */
export interface Look {
  readonly signals: ReadonlyArray<Signal>
  readonly seen: Seen
  /** How far the log of the server had come. */
  readonly position: string
  /** Epoch milliseconds, by the server's clock. */
  readonly time: number
  /** Milliseconds of this process, which only grow. */
  readonly readAt: number
}

/**
 * Reads the signals of the transactions that an earlier look did not show; none without one. A chain of looks reads each transaction once, also one
 * that began before others and ends after them: the server compares snapshots, not the order of numbers.
 */
export const look = async (ask: Ask, earlier?: Seen): Promise<Look> => {
  const { rows } = earlier === undefined ? await ask(SNAPSHOT) : await ask(UNSEEN, seenValues(earlier))
  const [{ seen, position, time } = {}] = rows
  const found = rows
    .filter(({ xid }) => xid !== null && xid !== undefined)
    .map(({ xid, parts }) => ({ xid: String(xid), change: readParts(String(parts)) }))
  return {
    signals: rows.length > MOST ? [{ change: undefined }] : found,
    seen: seenIn(seen),
    position: String(position),
    time: Number(time) * 1000,
    readAt: performance.now(),
  }
}

/** Whether a look has shown a transaction. */
export const isSeen = ({ before, running }: Seen, xid: string): boolean =>
  BigInt(xid) < BigInt(before) && !running.includes(xid)

/** Runs work one at a time. Each call waits for a run that begins after it; waiting calls share one. */
export const sharing = (run: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const begin = (): Promise<void> => {
    next = undefined
    const begun = run().finally(() => {
      running = undefined
    })
    running = begun
    return begun
  }
  return () => {
    if (next !== undefined || running === undefined) return next ?? begin()
    next = running.then(begin, begin)
    return next
  }
}

/** Makes a function that deletes the signals which had been committed when it was called the last time. */
export const makePurge = () => {
  let seen: Seen | undefined
  return async (ask: Ask): Promise<void> => {
    if (seen !== undefined) while ((await ask(OLD, seenValues(seen))).rowCount === MOST);
    seen = seenIn((await ask(SNAPSHOT)).rows[0]?.['seen'])
  }
}
