import { hash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { makeVersions, readParts, type Versions } from '@almoner/adapters-kysely'
import type { DataPart } from '@almoner/domain/history'
import { type Connection, stateOf, type TimeSignal } from './connect.ts'
import type { SessionGuard } from './guard.ts'
import { within } from './session.ts'

/** Returns the channel that all processes on the tables of a schema listen to. Services in other schemas of the database have others. */
export const channelOf = (schema: string): string => `almoner_${hash('md5', schema)}`

/** What a write changed; undefined is anything. */
export type Change = ReadonlyArray<DataPart> | undefined

/** Milliseconds from one question whether the server is still there to the next, and for its answer. */
const BEAT = 500
const ANSWER = 1000

/** Beats from one check that notifications arrive to the next. */
const BEATS = 20

/** Milliseconds between two changes that are assumed while nothing is heard, and before connecting again. */
const ALARM = 1000
const RECONNECT = 250

/** The most milliseconds from a commit of another process until the version changes, when the worst happens to the connection. */
export const STALENESS = Math.max(BEAT + ANSWER, ALARM)

/**
 * Counts changes of data: at once after a commit of this process or, while the server is heard, of another; within {@link BEAT} and
 * {@link ANSWER} when it is heard no more, and every {@link ALARM} as long as it is not. So what rests on the version is never older than
 * two seconds.
 */
interface ChangeCounter {
  /** As the database's `version`. Listens from the first call on. */
  readonly version: Versions['of']
  readonly count: Versions['count']
  close(): void
}

interface Connecting {
  readonly connect: () => Promise<Connection>
  readonly onTime: (signal: TimeSignal) => void
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
export const makeChangeCounter = ({ connect, onTime, notify, guard, onDeaf }: Connecting): ChangeCounter => {
  const ownChannel = `almoner_${randomUUID().replaceAll('-', '')}`
  const versions = makeVersions()
  const closing = new AbortController()
  const { signal: closed } = closing
  let isListening = false

  const countAnything = () => versions.count()

  /** Listens on a connection until that does not answer in time any more. `onListening` is called once the server has answered. */
  const listenOn = async (connection: Connection, onListening: () => void): Promise<void> => {
    const broken = new AbortController()
    const signal = AbortSignal.any([closed, broken.signal])
    let heard = () => {}
    connection.listen({
      news: (payload, channel) => {
        if (channel === ownChannel) heard()
        else versions.count(readParts(payload))
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
      onListening()
      // What was committed before is not notified of.
      countAnything()
      for (let beat = 1; ; beat += 1) {
        await pause(BEAT, undefined, { signal, ref: false })
        onTime((await within(ANSWER, stateOf(connection))).signal)
        // Not awaited: the beats go on meanwhile.
        if (beat % BEATS === 0) void checkHearing().catch(() => {})
      }
    } finally {
      connection.end()
    }
  }

  const listen = async (): Promise<void> => {
    const alarm = makeAlarm(countAnything)
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
      return versions.of(parts)
    },
    count: versions.count,
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
export const makePolledCounter = (
  ask: (text: string) => Promise<{ readonly rows: ReadonlyArray<Record<string, unknown>> }>,
) => {
  const versions = makeVersions()
  const closing = new AbortController()
  const { signal } = closing
  let isWatching = false
  const look = async (): Promise<unknown> => {
    try {
      return (await within(LOOK, ask(TRANSACTIONS))).rows[0]?.['seen']
    } catch {
      return Symbol('unknown')
    }
  }
  const watch = async () => {
    for (let known: unknown; !signal.aborted; ) {
      const seen = await look()
      if (seen !== known) versions.count()
      known = seen
      await pause(LOOK - 200, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  return {
    version: (parts?: ReadonlyArray<DataPart>) => {
      if (!isWatching) void watch()
      isWatching = true
      return versions.of(parts)
    },
    count: versions.count,
    close: () => closing.abort(),
  }
}
