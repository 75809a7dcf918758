import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { readParts, writeParts } from '@almoner/adapters-kysely'
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
 * The statement that creates the table of signals. It has no write-ahead log: a server that crashes empties it, and breaks all connections, after
 * which processes take anything as changed. The process of the server is in the key because a restored database holds numbers of another server.
 */
export const SIGNAL_TABLE = `create unlogged table change_signal (
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
 * Returns the statements that send such a text, after the position of the log behind all of its commits. Nothing waits for it to be on a disk: it is
 * gone when the server is.
 */
export const notificationOf = (channel: string, text: string): string =>
  `select set_config('synchronous_commit', 'off', true);
    select pg_notify('${channel}', concat(pg_current_wal_insert_lsn(), ' ${text}'))`

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

/** Milliseconds from one notification of a process to the next, at least. */
const INTERVAL = 10

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

/** The transactions that a snapshot does not show: those from a number on, and some before it that ran. */
interface Unseen {
  readonly from: string
  readonly running: string
}

const unseenBy = (snapshot: unknown): Unseen => {
  const [, from = '', running = ''] = String(snapshot).split(':')
  return { from, running: `{${running}}` }
}

/** Signals that are read at a time, and deleted: the connection that listens answers in between. */
const MOST = 2000

/** Numbers that the server has not reached are those of another one, from which the database was restored. */
const REACHED = 'xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint'

const SNAPSHOT = 'select pg_current_snapshot()::text as seen, pg_current_wal_insert_lsn()::text as position'
const UNSEEN = `${SNAPSHOT}, xid::text, parts from (values (1)) as one left join (
    select xid, parts from change_signal where (xid >= $1::bigint or xid = any($2::bigint[])) and ${REACHED} limit ${MOST + 1}
  ) as unseen on true`

const OLD = `delete from change_signal where xid in (select xid from change_signal
  where (xid < $1::bigint and xid <> all($2::bigint[])) or not ${REACHED} limit ${MOST} for update skip locked)`

type Ask = Session['ask']

/**
 * Begins to read the table of signals. Each transaction is read once, also one that began before others and ends after them: the server compares
 * snapshots, not the order of numbers.
 * @param onPosition takes the position of the log at each look
 */
export const startReader = async (ask: Ask, onPosition: (position: string) => void = () => {}) => {
  const take = ({ seen, position }: Readonly<Record<string, unknown>> = {}) => {
    onPosition(String(position))
    return unseenBy(seen)
  }
  let unseen = take((await ask(SNAPSHOT)).rows[0])
  return async (): Promise<ReadonlyArray<Signal>> => {
    const { rows } = await ask(UNSEEN, [unseen.from, unseen.running])
    unseen = take(rows[0])
    if (rows.length > MOST) return [{ change: undefined }]
    return rows
      .filter(({ xid }) => xid !== null)
      .map(({ xid, parts }) => ({ xid: String(xid), change: readParts(String(parts)) }))
  }
}

/** Makes a function that deletes the signals which had been committed when it was called the last time. */
export const makePurge = () => {
  let unseen: Unseen | undefined
  return async (ask: Ask): Promise<void> => {
    if (unseen !== undefined) while ((await ask(OLD, [unseen.from, unseen.running])).rowCount === MOST);
    unseen = unseenBy((await ask(SNAPSHOT)).rows[0]?.['seen'])
  }
}
