import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, type TimeSignal, timeOf } from './connect.ts'
import { within } from './session.ts'

/** What all processes on a database listen to. */
export const CHANNEL = 'almoner'

/** What may have changed, as it is sent; who sends nothing, or something else, may have changed anything. */
export type Change = 'content' | 'anything'

const changeOf = (payload: string | undefined): Change => (payload === 'content' ? 'content' : 'anything')

/** Milliseconds from one question whether the server is still there to the next, and for its answer. */
const BEAT = 500
const ANSWER = 1000

/** Milliseconds between two notifications while the connection is down, and before connecting again. */
const ALARM = 1000
const ANEW = 250

/** Milliseconds after which a listener hears of another process's commit at the latest, even if its connection breaks. */
export const STALENESS = Math.max(BEAT + ANSWER, ALARM)

/**
 * Notifies listeners that data may have changed: at once after a commit of this process or, while the connection works, of another one.
 * A broken connection is detected within {@link BEAT} and {@link ANSWER}; listeners are then notified every {@link ALARM}. So their data is
 * at most {@link STALENESS} out of date.
 */
export interface Changes {
  /** Calls back from now on; the function it gives ends that. */
  onChange(listener: (change: Change) => void): () => void
  /** Notifies all listeners. */
  tell(change: Change): void
  close(): void
}

interface Means {
  readonly connect: () => Promise<Connection>
  readonly onTime: (signal: TimeSignal) => void
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

export const makeChanges = ({ connect, onTime }: Means): Changes => {
  const listeners = new Set<(change: Change) => void>()
  let watching: AbortController | undefined

  const tell = (change: Change) => {
    for (const listener of [...listeners]) listener(change)
  }
  const tellAnything = () => tell('anything')

  /** Listens on a connection until that does not answer in time any more. `heard` is called once it is heard. */
  const listenOn = async (connection: Connection, over: AbortSignal, heard: () => void): Promise<void> => {
    const broken = new AbortController()
    const signal = AbortSignal.any([over, broken.signal])
    connection.listen({ news: (payload) => tell(changeOf(payload)), broken: () => broken.abort() })
    try {
      await connection.ask(`listen ${CHANNEL}`)
      heard()
      // Commits before this moment were not heard.
      tellAnything()
      for (;;) {
        await pause(BEAT, undefined, { signal, ref: false })
        onTime(await within(ANSWER, timeOf(connection)))
      }
    } finally {
      connection.end()
    }
  }

  const watch = async (over: AbortSignal): Promise<void> => {
    const alarm = makeAlarm(tellAnything)
    while (!over.aborted) {
      alarm.start()
      try {
        await listenOn(await connect(), over, alarm.stop)
      } catch {
        // The connection is down: notify listeners repeatedly until there is a new one.
        if (!over.aborted) alarm.start()
        await pause(ANEW, undefined, { signal: over, ref: false }).catch(() => {})
      }
    }
    alarm.stop()
  }

  const close = () => {
    watching?.abort()
    watching = undefined
  }

  return {
    onChange: (listener) => {
      const own = (change: Change) => listener(change)
      listeners.add(own)
      if (watching === undefined) {
        watching = new AbortController()
        void watch(watching.signal)
      }
      return () => {
        listeners.delete(own)
        if (listeners.size === 0) close()
      }
    },
    tell,
    close: () => {
      listeners.clear()
      close()
    },
  }
}
