/** Characters that are written together, for speed. Less than 4,096 bytes reach a pipe in one piece, even if others write to it. */
const CHUNK = 3000

/** Bytes that wait for a slow or missing reader, some thousand lines. Lines beyond that are dropped and counted. */
const BUFFER_LIMIT = 1024 * 1024

/** At the end of the process: milliseconds between tries, and how many there are, for a reader who is only slow. */
const PAUSE = 20
const ATTEMPTS = 50

/** What lines are written with. */
export interface Sink {
  /** Writes some bytes at once and gives how many. Throws the system's fault; `EAGAIN` where nothing can be taken at the moment. */
  readonly write: (bytes: Uint8Array) => number
  /** Halts the process. */
  readonly sleep: (milliseconds: number) => void
  /** Hears how many lines were lost, once all that waited has been written. */
  readonly onDropped: (lines: number) => void
}

/** Lines on their way to a reader. */
export interface LogDestination {
  /** Takes a whole line. */
  readonly write: (line: string) => void
  /** Writes the bytes that the output accepts without waiting; the rest stays for the next time. */
  readonly flush: () => void
  /** The same for the last time, with a second's patience where the reader is there. */
  readonly end: () => void
}

const isFull = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN'

/**
 * Makes a log destination that never blocks and never fails: lines wait, up to 1 MiB, and are retried. pino's own destination
 * blocks while a pipe is full, for ever without a reader, and ends the process when a disk is full (ADR 29).
 */
export const makeLogDestination = ({ write: output, sleep, onDropped }: Sink): LogDestination => {
  const pieces: Array<Uint8Array> = []
  let [young, held, tried, missing] = ['', 0, 0, 0]

  const gather = () => {
    if (young === '') return
    const piece = Buffer.from(young)
    held += piece.length - young.length
    pieces.push(piece)
    young = ''
  }

  /** Writes the bytes that the output accepts; returns whether an immediate retry may succeed. */
  const attempt = (): boolean => {
    gather()
    try {
      for (let [piece] = pieces; piece !== undefined; [piece] = pieces) {
        const taken = output(piece)
        held -= taken
        if (taken < piece.length) pieces[0] = piece.subarray(taken)
        else pieces.shift()
      }
    } catch (cause) {
      tried = held
      return isFull(cause)
    }
    tried = 0
    if (missing > 0) {
      const lines = missing
      missing = 0
      onDropped(lines)
    }
    return false
  }

  const write = (line: string) => {
    if (held + line.length > BUFFER_LIMIT) {
      missing += 1
      return
    }
    young += line
    held += line.length
    if (young.length < CHUNK) return
    if (held - tried >= CHUNK) attempt()
    else gather()
  }

  return {
    write,
    flush: () => void attempt(),
    end: () => {
      for (let tries = 0; attempt() && tries < ATTEMPTS; tries++) sleep(PAUSE)
    },
  }
}
