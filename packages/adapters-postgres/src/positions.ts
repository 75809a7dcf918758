import { EPOCH_TABLE } from '@almoner/adapters-kysely'
import { POSTGRES } from './dialect.ts'
import type { Session } from './session.ts'
import { FLUSHED, positionOf } from './signals.ts'

/**
 * Milliseconds for which a position that the primary has said of itself counts (I8). As long as it does, a later one changes nothing: standbys have
 * that time to replay what the primary writes by itself all the time.
 */
const FRESH = 1000

type Asking = Pick<Session, 'ask'>

/** Behind all that can be seen, which is on the disk; and on which timeline, because a promoted server begins another. */
const WRITTEN = `${FLUSHED}::text as position, left(pg_walfile_name(${FLUSHED}), 8) as timeline`

/** With the epoch (N3), and whether it numbers the transactions of the server that answers. */
const STATE = `select ${WRITTEN}, epoch, identity = ${POSTGRES.positions.server} as is_present
  from ${EPOCH_TABLE} where last_position is null`

/** How far the log of the primary is known to have come, and with it what a standby needs before it may answer (I8). */
export interface Positions {
  /** What a standby must have replayed; undefined while the primary alone may answer. */
  needed(): bigint | undefined
  /** The epoch of changes on the primary. Another one means another primary. */
  epoch(): string | undefined
  /** Takes note that data up to a position were written, heard of or shown. A position of another epoch than the present one says nothing. */
  note(position: bigint, epoch?: string): void
  /** Takes note of changes whose position is unknown: until the primary has said one, it alone may answer. */
  lose(): void
  /** Asks the primary, on a session that is free. Does not throw. */
  look(primary: Asking): Promise<void>
  /** Takes note of what a session of the primary has just read or written. Does not throw. */
  noteAfter(primary: Asking): Promise<void>
  /** Returns the position at which the primary was known to be that many milliseconds ago; undefined where none was known so early. */
  wasAt(milliseconds: number): bigint | undefined
}

/** Makes positions of which none is known. `memory` is for how many milliseconds {@link Positions.wasAt} looks back. */
export const makePositions = (memory: number): Positions => {
  let known = 0n
  let epoch: string | undefined
  let isPresent = false
  // The timeline that was looked at, and the last one that was seen: where reads and writes have reached a promoted server, the looks must follow.
  let [timeline, latest] = ['', '']
  let lostAt = -Infinity
  let marks: ReadonlyArray<{ readonly time: number; readonly position: bigint }> = []

  const lose = () => {
    lostAt = performance.now()
  }
  const raise = (position: bigint) => {
    if (position > known) known = position
  }
  /** Returns the position of the first look that counts. */
  const looked = (): bigint | undefined => {
    const since = Math.max(lostAt, performance.now() - FRESH)
    return marks.find(({ time }) => time > since)?.position
  }
  return {
    needed: () => {
      const position = isPresent && timeline === latest ? looked() : undefined
      return position !== undefined && position < known ? known : position
    },
    epoch: () => epoch,
    note: (position, of = epoch) => {
      if (of === epoch) raise(position)
    },
    lose,
    async look({ ask }) {
      const sent = performance.now()
      try {
        const [row = {}] = (await ask(STATE)).rows
        const position = positionOf(row['position'])
        if (row['epoch'] !== epoch) {
          // What was noted since the question was sent may lie behind this position: the next look covers it.
          if (epoch !== undefined) lose()
          epoch = String(row['epoch'])
          known = 0n
          marks = []
          latest = ''
        }
        timeline = String(row['timeline'])
        if (timeline > latest) latest = timeline
        isPresent = row['is_present'] === true
        const older = marks.findLastIndex(({ time }) => time < sent - memory)
        marks = [...marks.slice(Math.max(0, older)), { time: sent, position }]
      } catch {
        lose()
      }
    },
    async noteAfter({ ask }) {
      const of = epoch
      try {
        const [row = {}] = (await ask(`select ${WRITTEN}`)).rows
        const seen = String(row['timeline'])
        if (seen > latest) latest = seen
        // Where another primary was noticed meanwhile, it may be of either.
        if (of === epoch) raise(positionOf(row['position']))
        else lose()
      } catch {
        lose()
      }
    },
    wasAt: (milliseconds) => {
      const until = performance.now() - milliseconds
      return marks.findLast(({ time }) => time <= until)?.position
    },
  }
}
