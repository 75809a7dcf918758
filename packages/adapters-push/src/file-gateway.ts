import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { DELIVERED, type Push, type PushResult, retry } from '@almoner/domain/notifications'
import type { Destination } from '@almoner/domain/people'
import type { PushGateway } from '@almoner/domain/ports'
import { toRfc3339 } from '@almoner/domain/values'
import type { Task } from 'fp-ts/lib/Task.js'
import { jsonBytes } from './log-gateway.ts'

/** A file that lines are added to. */
interface LineFile {
  /** Adds a line, with its end, whole. Rejects when it cannot be written. Not to be called again before it has ended. */
  append(line: string): Promise<void>
  close(): Promise<void>
}

const OWNER_ONLY = 0o600
/** Rejects a pipe without a reader at once instead of waiting for one. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK

/** What was there before may be readable by others. */
const claim = async (handle: FileHandle): Promise<void> => {
  const stats = await handle.stat()
  if (!stats.isFile()) throw new TypeError('no regular file')
  if ((stats.mode & 0o777) !== OWNER_ONLY) await handle.chmod(OWNER_ONLY)
}

/** Where bytes go; it may take fewer than it is given, as on a disk that has become full. */
type Sink = (bytes: Buffer) => Promise<{ readonly bytesWritten: number }>

/** Writes complete lines. After an incomplete one, the next starts on a new line. */
export const lineWriter = (sink: Sink): LineFile['append'] => {
  let isTorn = false
  return async (line) => {
    const bytes = Buffer.from(isTorn && line !== '' ? `\n${line}` : line)
    let written = 0
    try {
      while (written < bytes.length) written += (await sink(bytes.subarray(written))).bytesWritten
      isTorn &&= line === ''
    } catch (cause) {
      isTorn ||= written > 0
      throw cause
    }
  }
}

/** Opens a regular file, which is made when missing, for its owner alone. Rejects when there cannot be such a file. */
const openLineFile = async (file: string): Promise<LineFile> => {
  const handle = await open(file, FLAGS, OWNER_ONLY)
  try {
    await claim(handle)
  } catch (cause) {
    await handle.close()
    throw cause
  }
  return { append: lineWriter((bytes) => handle.write(bytes)), close: () => handle.close() }
}

/** The device as its provider knows it. */
const deviceOf = (destination: Destination): Readonly<Record<string, unknown>> => {
  if (destination.provider === 'fcm') return { [destination.form]: destination.token }
  const { provider: _, ...device } = destination
  return device
}

/** A push as a line of NDJSON, with its end: all that a provider would be told, and the moments as RFC 3339. */
const pushLine = ({ notificationId, deviceId, destination, message, attachedAt, endsAt }: Push): string => {
  const line = {
    notificationId,
    deviceId,
    provider: destination.provider,
    ...deviceOf(destination),
    message,
    attachedAt: toRfc3339(attachedAt),
    endsAt: toRfc3339(endsAt),
  }
  return `${JSON.stringify(line)}\n`
}

/** How to open a {@link FileGateway}. */
export interface FileOptions {
  /** Its path. The file is made when missing, the folder it is in is not. */
  readonly file: string
}

/** Writes pushes down instead of sending them. */
export interface FileGateway extends PushGateway {
  /** Delivered when the file can be written to; it is made then. Never rejects. */
  readonly check: Task<PushResult>
  /** Waits until sent pushes are written, and closes the file. Later pushes resolve to Retry. */
  close(): Promise<void>
}

/**
 * A gateway for tests and rehearsals: a push is delivered once its line is in the file, which only its owner may read, since devices'
 * tokens are in it. What cannot be written may be so later, as with a provider. Several processes may write to one file. A message
 * counts as the UTF-8 of its JSON (G6).
 */
export const openFileGateway = ({ file }: FileOptions): FileGateway => {
  let lines: LineFile | undefined
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  const write = async (line: string): Promise<PushResult> => {
    try {
      lines ??= await openLineFile(file)
      await lines.append(line)
      return DELIVERED
    } catch {
      // A missing folder, a full disk or wrong permissions: all may be fixed.
      return retry()
    }
  }

  /** One after the other, so that no line ends up in the middle of another. */
  const inTurn = (line: string): Promise<PushResult> => {
    if (isClosed) return Promise.resolve(retry())
    const written = last.then(() => write(line))
    last = written
    return written
  }

  return {
    bytesOf: jsonBytes,
    send: (push) => () => inTurn(pushLine(push)),
    check: () => inTurn(''),
    close: async () => {
      isClosed = true
      await last
      await lines?.close()
      lines = undefined
    },
  }
}
