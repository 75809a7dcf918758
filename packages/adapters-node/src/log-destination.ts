import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

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

const SHARED = new Int32Array(new SharedArrayBuffer(4))

/** What Node writes a pipe by; a file has none. */
interface Piped {
  readonly _handle?: { readonly setBlocking?: (blocking: boolean) => unknown }
}

const pipeOf = (descriptor: number): Piped['_handle'] => {
  if (descriptor === 2) return process.stderr.isTTY ? undefined : (process.stderr as Piped)._handle
  try {
    const socket: unknown = new Socket({ fd: descriptor, readable: false, writable: true }).unref()
    return (socket as Piped)._handle
  } catch {
    // A file or a terminal.
    return undefined
  }
}

/**
 * Makes a log destination that writes to an open descriptor: 2, or one above. A pipe is set to non-blocking for each write, because each process
 * that has inherited 0, 1 or 2 sets what lies there to blocking when it starts or ends: child processes get their log at a higher number (ADR 29).
 * @param onDropped called with the number of lost lines, once the waiting ones are written
 */
export const logDestinationOf = (descriptor: number, onDropped: (lines: number) => void): LogDestination => {
  const pipe = pipeOf(descriptor)
  return makeLogDestination({
    write: (bytes) => {
      pipe?.setBlocking?.(false)
      return writeSync(descriptor, bytes)
    },
    sleep: (milliseconds) => void Atomics.wait(SHARED, 0, 0, milliseconds),
    onDropped,
  })
}

/** Forwards the text that a child process writes beside its log, line by line, as V8 does before it ends a process. */
export const forwardText = (text: Readable | null, { write, flush }: LogDestination): void => {
  if (text === null) return
  createInterface(text).on('line', (line) => {
    write(`${line}\n`)
    flush()
  })
}
