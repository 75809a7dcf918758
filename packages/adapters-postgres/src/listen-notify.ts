import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { makeVersions, type Versions } from '@almoner/adapters-kysely'
import type { DataPart } from '@almoner/domain/history'
import { type Connection, stateOf, type TimeSignal } from './connect.ts'
import { isFinal } from './fault.ts'
import type { SessionGuard } from './guard.ts'
import type { Positions } from './positions.ts'
import { within } from './session.ts'
import {
  channelOf,
  isSeen,
  type Look,
  look,
  makePurge,
  makeTransactionCounter,
  positionOf,
  type Seen,
  type Signal,
  sharing,
  signalIn,
} from './signals.ts'
import { type AfterRead, noNote } from './snapshots.ts'

/** Milliseconds from one question whether the server is still there to the next, and for its answer; also for that to a read (I8). */
const BEAT = 500
const ANSWER = 1000

/** Beats from one check that notifications arrive to the next. */
const BEATS = 20

/** Beats from one purge of the table of signals to the next. */
const PURGE = 60

/** Milliseconds between two looks at that table after which the first of them may be too old: it may have been purged meanwhile. */
const LATE = 15_000

/** Milliseconds between two changes that are assumed while nothing is heard, and before connecting again. */
const ALARM = 1000
const RECONNECT = 250

/** The most milliseconds from a commit of another process until the version changes, when the worst happens to the connection. */
export const STALENESS = Math.max(BEAT + ANSWER, ALARM)

/**
 * Counts changes of data: at once after a commit of this process; of another when its signal arrives, or at the next beat if that is lost; within
 * {@link BEAT} and {@link ANSWER} when the server is heard no more, and every {@link ALARM} as long as it is not. So what rests on the version
 * is never older than two seconds.
 */
export interface ChangeCounter {
  /** As the database's `version`. Listens from the first call on. */
  readonly version: Versions['of']
  /** Counts a commit of this process. */
  readonly count: (signal: Signal) => void
  /** Called on a connection that has read data, before it is released. Does not throw. */
  readonly onRead: AfterRead
  /**
   * Counts the commits of others that data may show which were read before the call: what the caller gives to anyone after that contradicts nothing
   * that is served by the version (I8). Looks only where versions of data are asked for. Does not throw.
   */
  readonly catchUp: () => Promise<void>
  /** Returns what the last look at the table of signals has shown; undefined while there is none. */
  readonly seen: () => Seen | undefined
  /** Counts transactions that a standby shows. Resolves to false if this server does not show one of them yet, or does not answer. Does not throw. */
  readonly catchUpWith: (xids: ReadonlyArray<string>) => Promise<boolean>
  /** The connection that listens, if there is one: what it sends takes none from requests. */
  readonly listening: () => Connection | undefined
  close(): void
}

/** Whether answers are kept as long as the version of these parts stays. Rights have their own delay (A9). */
const isOfData = (parts: ReadonlyArray<DataPart> = []): boolean => parts.some((part) => part !== 'access')

/** By both clocks: a machine that sleeps may stop its own, and the server's may be set back meanwhile. */
const pauseBetween = (one: Look, next: Look): number =>
  Math.max(Math.abs(next.time - one.time), next.readAt - one.readAt)

/** Looks at the table of signals on the connection that listens. */
interface Looking {
  /** Counts what was committed before the call. Rejects if the server does not say it. */
  readonly look: () => Promise<void>
  /** What the last look has shown; undefined if that is long ago. */
  readonly seen: () => Seen | undefined
}

interface Connecting {
  readonly connect: () => Promise<Connection>
  readonly onTime: (signal: TimeSignal) => void
  /** How far the server's log is known to have come, where standbys answer reads (I8). */
  readonly positions?: Pick<Positions, 'lose' | 'look' | 'note'> | undefined
  /** Notifies a channel from another session. Rejects if there is none for it. */
  readonly notify: (channel: string) => Promise<unknown>
  readonly guard: Pick<SessionGuard, 'hears'>
  /** Called when nothing arrived that should have: sessions may be mixed up. */
  readonly onDeaf: () => void
}

/** Calls at once and then again and again, while it is on. */
const makeAlarm = (ring: () => void) => {
  let timer: NodeJS.Timeout | undefined
  return {
    start: () => {
      if (timer !== undefined) return
      timer = setInterval(ring, ALARM).unref()
      ring()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
    },
  }
}

/**
 * Creates a counter that listens on a separate connection. That notifies itself when it begins, and every {@link BEATS} beats: behind a pooler
 * that has changed its mode, it would be silent and look healthy.
 */
export const makeChangeCounter = ({
  connect,
  onTime,
  notify,
  guard,
  onDeaf,
  positions,
}: Connecting): ChangeCounter => {
  const ownChannel = `almoner_${randomUUID().replaceAll('-', '')}`
  const counter = makeTransactionCounter()
  const closing = new AbortController()
  const { signal: closed } = closing
  let isListening = false
  let isKept = false
  let listener: Connection | undefined
  let looking: Looking | undefined

  // The positions rise first each time: caches keep the next reads, which a standby may answer.
  const onPosition = (position: string) => positions?.note(positionOf(position))
  const addAnything = () => {
    positions?.lose()
    counter.addAnything()
  }

  const hear = ({ signals, position }: Look) => {
    if (signals.length > 0) onPosition(position)
    for (const { change, xid } of signals) counter.addHeard(change, xid === undefined ? [] : [xid])
  }

  /** Begins to look for signals that have not arrived. */
  const startLooking = async ({ ask }: Connection): Promise<Looking> => {
    let last = await look(ask)
    let at = performance.now()
    onPosition(last.position)
    const lookOnce = async () => {
      const begun = performance.now()
      const next = await look(ask, last.seen)
      if (pauseBetween(last, next) > LATE) addAnything()
      hear(next)
      last = next
      at = begun
    }
    return {
      look: sharing(lookOnce),
      // Signals that an older look lacks may have been purged.
      seen: () => (performance.now() - at > LATE ? undefined : last.seen),
    }
  }

  const beatOn = async (connection: Connection, { look }: Looking): Promise<void> => {
    const { signal } = await stateOf(connection)
    onTime(signal)
    await positions?.look(connection)
    try {
      await look()
    } catch (cause) {
      if (isFinal(cause)) throw cause
      // Without the table of signals, any of them may be lost.
      addAnything()
    }
  }

  /** Listens on a connection until that does not answer in time any more. `onListening` is called once the server has answered. */
  const listenOn = async (connection: Connection, onListening: () => void): Promise<void> => {
    // Another server gives other numbers to transactions.
    const purge = makePurge()
    const broken = new AbortController()
    const signal = AbortSignal.any([closed, broken.signal])
    let heard = () => {}
    connection.listen({
      news: (payload, channel) => {
        if (channel === ownChannel) heard()
        else {
          const { position, change, xids } = signalIn(payload)
          if (position === undefined) positions?.lose()
          else onPosition(position)
          counter.addHeard(change, xids)
        }
      },
      broken: () => broken.abort(),
    })
    /** Ends listening on this connection if nothing arrives. A check that could not be sent says nothing. */
    const checkHearing = async () => {
      const hearing = Promise.withResolvers<void>()
      heard = hearing.resolve
      const sent = await notify(ownChannel).then(
        () => true,
        () => false,
      )
      if (!sent || signal.aborted) return
      try {
        await within(ANSWER, hearing.promise)
        guard.hears(true)
      } catch (cause) {
        // On a connection that has ended meanwhile, nothing can arrive.
        if (!signal.aborted) {
          guard.hears(false)
          onDeaf()
        }
        broken.abort()
        throw cause
      }
    }
    try {
      await connection.ask(`listen ${channelOf(connection.schema)}; listen ${ownChannel}`)
      await checkHearing()
      const begun = await startLooking(connection)
      onListening()
      listener = connection
      looking = begun
      // What was committed before is not notified of.
      addAnything()
      for (let beat = 1; ; beat += 1) {
        await pause(BEAT, undefined, { signal, ref: false })
        await within(ANSWER, beatOn(connection, begun))
        // Not awaited: the beats go on meanwhile.
        if (beat % BEATS === 0) void checkHearing().catch(() => {})
        if (beat % PURGE === 0) void purge(connection.ask).catch(() => {})
      }
    } finally {
      listener = undefined
      looking = undefined
      connection.end()
    }
  }

  const listen = async (): Promise<void> => {
    const alarm = makeAlarm(addAnything)
    while (!closed.aborted) {
      alarm.start()
      try {
        await listenOn(await connect(), alarm.stop)
      } catch {
        // The connection is down: the alarm counts until there is a new one.
        if (!closed.aborted) alarm.start()
        await pause(RECONNECT, undefined, { signal: closed, ref: false }).catch(() => {})
      }
    }
    alarm.stop()
  }

  return {
    version: (parts) => {
      if (!isListening && !closed.aborted) void listen()
      isListening = true
      isKept ||= isOfData(parts)
      return counter.version(parts)
    },
    count: counter.addOwn,
    onRead: noNote,
    catchUp: async () => {
      if (!isKept) return
      try {
        if (looking === undefined) counter.addHeard(undefined, [])
        else await within(ANSWER, looking.look())
      } catch {
        counter.addHeard(undefined, [])
      }
    },
    seen: () => looking?.seen(),
    catchUpWith: async (xids) => {
      const unknown = xids.filter((xid) => !counter.isKnown(xid))
      if (unknown.length === 0) return true
      if (looking === undefined) return false
      const { look, seen } = looking
      try {
        await within(ANSWER, look())
        const latest = seen()
        return latest !== undefined && unknown.every((xid) => isSeen(latest, xid))
      } catch {
        return false
      }
    },
    listening: () => listener,
    close: () => closing.abort(),
  }
}

/** Milliseconds from one look at the transactions of the server to the next. */
const LOOK = 1000

/** Changes as soon as a transaction that has written ends, in any database of the server. */
const TRANSACTIONS = 'select pg_current_snapshot()::text as seen'

/**
 * Counts changes where notifications cannot be heard: whenever a transaction has ended, or the server cannot be asked, anything may have changed.
 * @param ask sends a statement on any connection
 */
export const makePolledCounter = (ask: Connection['ask']): ChangeCounter => {
  const versions = makeVersions()
  const purge = makePurge()
  const closing = new AbortController()
  const { signal } = closing
  let [isWatching, isKept] = [false, false]
  let known: unknown
  const look = async (ask: Connection['ask']): Promise<void> => {
    const seen = await within(LOOK, ask(TRANSACTIONS)).then(
      ({ rows }) => rows[0]?.['seen'],
      () => Symbol('unknown'),
    )
    if (seen !== known) versions.count()
    known = seen
  }
  const watch = async () => {
    for (let n = 1; !signal.aborted; n += 1) {
      await look(ask)
      if (n % PURGE === 0) void purge(ask).catch(() => {})
      await pause(LOOK - 200, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  return {
    version: (parts) => {
      if (!isWatching) void watch()
      isWatching = true
      isKept ||= isOfData(parts)
      return versions.of(parts)
    },
    count: ({ change }) => versions.count(change),
    onRead: async (connection) => {
      if (isKept) await look(connection.ask)
    },
    catchUp: async () => {},
    // It has no standbys.
    seen: () => undefined,
    catchUpWith: async () => false,
    listening: () => undefined,
    close: () => closing.abort(),
  }
}
